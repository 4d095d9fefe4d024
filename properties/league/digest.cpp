#include "properties/league/digest.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/random_source.h"

#include "corpus/element_hash.h"

namespace gradproof::properties {
namespace {

class Words {
 public:
  void add(std::uint64_t word) {
    state_ = corpus::mixed(state_ + corpus::golden) ^ corpus::mixed(word);
  }
  void add(std::string_view text) { add(std::uint64_t{std::hash<std::string_view>()(text)}); }
  void add(const std::vector<std::byte>& bytes) {
    add(bytes.size());
    add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  /// Distinguishes a value from a missing one.
  template <typename T>
  void add(const std::optional<T>& value) {
    add(std::uint64_t{value.has_value()});
    if (value) add(word_of(*value));
  }
  std::uint64_t state() const { return state_; }

 private:
  static std::string_view word_of(const std::string& text) { return text; }
  template <typename T>
  static std::uint64_t word_of(T number) {
    return static_cast<std::uint64_t>(number);
  }

  std::uint64_t state_ = 0;
};

void add_end(Words& words, const corpus::Observation& seen) {
  words.add(seen.unsupported);
  words.add(seen.signal);
  words.add(std::uint64_t{seen.timed_out});
  words.add(seen.ended);
  words.add(seen.failure);
  words.add(seen.phase_one);
  words.add(seen.phase_two);
  words.add(seen.synchronise);
}

void add_surroundings(Words& words, const corpus::Observation& seen) {
  words.add(std::uint64_t{seen.out_parameters_untouched});
  words.add(seen.workspace_size);
  words.add(seen.workspace_overwritten_byte);
  words.add(std::uint64_t{seen.repeated});
  for (const auto& byte : seen.input_changed_byte) words.add(byte);
  for (const bool differs : seen.repeat_differs) words.add(std::uint64_t{differs});
  for (const auto& output : seen.outputs) {
    words.add(output.overwritten_byte);
    words.add(output.bits);
  }
}

}  // namespace

Digest digest_of(const corpus::Case& problem, const corpus::Observation& seen) {
  Words words;
  add_end(words, seen);
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(problem, role)) continue;
    words.add(seen.outputs.at(static_cast<std::size_t>(role)).bits);
  }
  const std::uint64_t values = words.state();
  add_surroundings(words, seen);
  return {values, words.state()};
}

}  // namespace gradproof::properties
