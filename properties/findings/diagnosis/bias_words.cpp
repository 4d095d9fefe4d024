#include "properties/findings/diagnosis/bias_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/judge/value_judge.h"
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

}  // namespace

std::optional<std::string> bias_words(targets::Target& target, const Case& shrunk,
                                      const cases::CheckSettings& settings) {
  const bool is_asked = corpus::is_forward(shrunk.api) && shrunk.input && shrunk.data;
  if (!is_asked || !shrunk.grad_output || !shrunk.weight) return std::nullopt;
  const auto seen = target.run_case(shrunk, settings.run);
  if (seen.failure || !targets::has_computed(seen)) return std::nullopt;
  const Bytes input = corpus::element_values(shrunk, InputRole::GradOutput),
              weight = corpus::element_values(shrunk, InputRole::Weight),
              bias = corpus::element_values(shrunk, InputRole::Input);
  for (const Thought& thought : thoughts) {
    const Bytes other = thought.bias(bias, shrunk.input->dtype);
    if (other == bias) continue;
    corpus::Verdict verdict;
    oracle::judge_tensors(shrunk, {input, other, weight}, seen, settings.judge, verdict);
    if (verdict.outcome != corpus::Outcome::Agree) continue;
    return fmt::format("{} equals the exact result {}",
                       corpus::name_of(shrunk, corpus::OutputRole::GradInput), thought.words);
  }
  return std::nullopt;
}

}  // namespace gradproof::findings::diagnosis
