#include "properties/findings/diagnosis/clues.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/judge/judge_stages.h"
#include "properties/targets/session/phases.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::InputRole;
using Bytes = std::vector<std::byte>;

/// Each element by what `change` makes of its number; one that the dtype lacks stays.
template <typename Change>
Bytes changed(Bytes bytes, corpus::DataType dtype, Change change) {
  const std::size_t size = corpus::size_bytes(dtype);
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, size);
    const auto value = corpus::decode(dtype, bits);
    const auto next = value ? corpus::encode_exactly(dtype, change(*value)) : std::nullopt;
    if (next) std::memcpy(bytes.data() + at, &*next, size);
  }
  return bytes;
}

Bytes none_of(const Bytes& bytes, corpus::DataType) { return Bytes(bytes.size()); }

Bytes twice_of(const Bytes& bytes, corpus::DataType dtype) {
  return changed(bytes, dtype, [](double value) { return 2 * value; });
}

Bytes negative_of(const Bytes& bytes, corpus::DataType dtype) {
  return changed(bytes, dtype, [](double value) { return -value; });
}

Bytes of_the_next_channel(const Bytes& bytes, corpus::DataType dtype) {
  Bytes moved = bytes;
  const auto size = static_cast<std::ptrdiff_t>(corpus::size_bytes(dtype));
  std::rotate(moved.begin(), moved.begin() + size, moved.end());
  return moved;
}

Bytes of_the_first_channel(const Bytes& bytes, corpus::DataType dtype) {
  Bytes same = bytes;
  const std::size_t size = corpus::size_bytes(dtype);
  for (std::size_t at = 0; at < same.size(); at += size) {
    std::memcpy(same.data() + at, bytes.data(), size);
  }
  return same;
}

struct Thought {
  std::string_view words;
  Bytes (*bias)(const Bytes&, corpus::DataType);
};
constexpr Thought thoughts[] = {{"without the bias", none_of},
                                {"with the bias added twice", twice_of},
                                {"with the bias subtracted", negative_of},
                                {"with the bias of the next channel", of_the_next_channel},
                                {"with the bias of the first channel", of_the_first_channel}};

/// A run of a call, and the numbers that it was given.
struct BiasedRun {
  const Case& test_case;
  corpus::Observation seen;
  Bytes input, bias, weight;
};

std::optional<BiasedRun> run_of(targets::Target& target, const Case& test_case,
                                const cases::CheckSettings& settings) {
  if (!test_case.input || !test_case.data) return std::nullopt;
  BiasedRun run{test_case, target.run_case(test_case, settings.run),
                corpus::element_values(test_case, InputRole::GradOutput),
                corpus::element_values(test_case, InputRole::Input),
                corpus::element_values(test_case, InputRole::Weight)};
  if (run.seen.failure || !targets::has_computed(run.seen)) return std::nullopt;
  return run;
}

/// True if the output is right for this other bias. Vacuous: without a bias every result is 0.
bool explains(const Thought& thought, const BiasedRun& run, const cases::CheckSettings& settings) {
  const Bytes other = thought.bias(run.bias, run.test_case.input->dtype);
  corpus::Verdict verdict;
  oracle::judge_tensors(run.test_case, {run.input, other, run.weight}, run.seen, settings.judge,
                        verdict);
  return verdict.outcome == corpus::Outcome::Agree || verdict.outcome == corpus::Outcome::Vacuous;
}

}  // namespace

std::optional<std::string> bias_words(targets::Target& target, const Case& shrunk,
                                      const Case& original, const cases::CheckSettings& settings) {
  if (!corpus::is_forward(shrunk.api) || !shrunk.grad_output || !shrunk.weight) return std::nullopt;
  // A small call has one bias that is not 0: which of several it was, the original tells.
  const auto small = run_of(target, shrunk, settings), whole = run_of(target, original, settings);
  if (!small || !whole) return std::nullopt;
  for (const Thought& thought : thoughts) {
    if (!explains(thought, *small, settings) || !explains(thought, *whole, settings)) continue;
    return fmt::format("{} equals the exact result {}",
                       corpus::name_of(shrunk, corpus::OutputRole::GradInput), thought.words);
  }
  return std::nullopt;
}

}  // namespace gradproof::findings::diagnosis
