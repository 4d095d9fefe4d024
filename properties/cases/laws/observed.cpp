#include "properties/cases/laws/observed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "oracle/judge/judge.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

using corpus::Case;
using corpus::Outcome;
using corpus::Verdict;

namespace {

bool wrote_anything_but_zeros(const Case& test_case, const corpus::Observation& seen) {
  return std::ranges::any_of(corpus::output_roles, [&](corpus::OutputRole role) {
    const auto& bits = seen.outputs[role].bits;
    return corpus::is_requested(test_case, role) &&
           std::ranges::any_of(bits, [](std::byte byte) { return byte != std::byte{0}; });
  });
}

}  // namespace

Verdict law_skipped(std::string reason) {
  Verdict verdict;
  verdict.outcome = Outcome::Skipped;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict law_broken(corpus::OutputRole culprit, std::string reason) {
  Verdict verdict;
  verdict.outcome = Outcome::Disagree;
  verdict.kind = corpus::DisagreementKind::Law;
  verdict.culprit = culprit;
  verdict.reason = std::move(reason);
  return verdict;
}

std::optional<Verdict> why_ended(const Case& test_case, const corpus::Observation& seen,
                                 const CheckSettings& settings, const std::string& which) {
  Case without_values = test_case;
  without_values.shape_consistent = false;  // the law says what the values have to be
  without_values.deterministic = false;     // and whether bits repeat
  Verdict verdict = oracle::judge({without_values, settings.judge.profile}, seen, settings.judge);
  const bool ran = seen.phase_two == corpus::Status::Success;
  if (verdict.outcome == Outcome::Agree && ran) return std::nullopt;
  if (verdict.outcome == Outcome::Agree) verdict.outcome = Outcome::Skipped;
  verdict.reason = which + ": " + verdict.reason;
  return verdict;
}

Observed observe(targets::Target& target, const Case& test_case, const CheckSettings& settings,
                 const std::string& which) {
  Observed observed{target.run_case(test_case, settings.run), std::nullopt};
  observed.ended = why_ended(test_case, observed.seen, settings, which);
  return observed;
}

bool is_legal(const Case& test_case, oracle::Profile profile) {
  return may_succeed(oracle::ruling_on(test_case, profile));
}

std::vector<std::int64_t> coordinate_of(std::size_t index, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto length = to_size(shape[axis]);
    at[axis] = static_cast<std::int64_t>(index % length);
    index /= length;
  }
  return at;
}

std::optional<std::size_t> index_of(const std::vector<std::int64_t>& at,
                                    const std::vector<std::int64_t>& shape) {
  if (at.size() != shape.size()) return std::nullopt;
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (at[axis] < 0 || at[axis] >= shape[axis]) return std::nullopt;
    index = index * to_size(shape[axis]) + to_size(at[axis]);
  }
  return index;
}

std::string words_of(corpus::OutputRole role, const std::vector<std::int64_t>& at) {
  return fmt::format("{}[{}]", corpus::name_of(role), fmt::join(at, ","));
}

std::uint64_t bits_at(const std::vector<std::byte>& bytes, std::size_t index,
                      corpus::DataType type) {
  const std::size_t size = corpus::size_bytes(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * size, std::min(size, sizeof bits));
  return bits;
}

std::optional<Verdict> difference_of(corpus::OutputRole role, const Case& test_case,
                                     const corpus::Observation& first,
                                     const corpus::Observation& second,
                                     const std::string& difference) {
  const auto& one = first.outputs[role].bits;
  const auto& other = second.outputs[role].bits;
  if (!corpus::is_requested(test_case, role) || one == other) return std::nullopt;
  const auto& tensor = *corpus::tensor(test_case, role);
  const auto at = std::ranges::mismatch(one, other).in1 - one.begin();
  const auto index = to_size(at) / corpus::size_bytes(tensor.dtype);
  return law_broken(role, fmt::format("{} has bits {:#x}; {} it has {:#x}",
                                      words_of(role, coordinate_of(index, tensor.shape)),
                                      bits_at(one, index, tensor.dtype), difference,
                                      bits_at(other, index, tensor.dtype)));
}

Verdict compare_bits(const Case& test_case, const corpus::Observation& first,
                     const corpus::Observation& second, const std::string& difference) {
  for (const auto role : corpus::output_roles) {
    auto differing = difference_of(role, test_case, first, second, difference);
    if (differing) return std::move(*differing);
  }
  Verdict verdict;
  verdict.outcome = Outcome::Agree;
  verdict.reason = "the same bits";
  return verdict;
}

Verdict settled(const Case& test_case, const corpus::Observation& seen, Verdict verdict) {
  verdict.milliseconds = seen.milliseconds;
  if (verdict.outcome == corpus::Outcome::Agree && !wrote_anything_but_zeros(test_case, seen)) {
    verdict.outcome = corpus::Outcome::Vacuous;
    verdict.reason = "all that was compared is zeros";
  }
  return verdict;
}

Verdict agreed(std::string reason) {
  Verdict verdict;
  verdict.outcome = corpus::Outcome::Agree;
  verdict.reason = std::move(reason);
  return verdict;
}

}  // namespace gradproof::cases
