#include "properties/runs/gate/gate_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "oracle/judge/judge_stages.h"

namespace gradproof::runs {

using corpus::OutputRole;

oracle::JudgeSettings gate_judge_settings() {
  oracle::JudgeSettings settings;
  settings.profile = oracle::Profile::Unruled;
  settings.linear_macs = 1'000'000;
  settings.largest_macs = 20'000'000;
  settings.sampled_products = 1'000'000;
  return settings;
}

corpus::Verdict judged_values(const GateCall& call, const corpus::Observation& seen,
                              std::uint64_t seed, double seconds) {
  constexpr double products_a_second = 500'000, least = 100'000;
  corpus::Verdict verdict;
  oracle::JudgeSettings settings = gate_judge_settings();
  const double most = std::max(seconds * products_a_second, least);
  if (most < double(settings.sampled_products)) {
    settings.sampled_products = static_cast<std::uint64_t>(most);
  }
  verdict.law = "exactness";
  corpus::Case drawn = call.test_case;  // whose samples a candidate could foresee without a seed
  if (!drawn.data) drawn.data.emplace().distribution = corpus::Distribution::Listed;
  drawn.data->seed = seed;
  oracle::judge_tensors(drawn, spans_of(call.operands), seen, settings, verdict);
  if (verdict.outcome != corpus::Outcome::Disagree || drawn.cube_math_type == 0) return verdict;
  GateCall full = call;  // less precision that is allowed need not be taken
  full.test_case.cube_math_type = 0;
  const corpus::Verdict other = judged_values(full, seen, seed, seconds);
  return other.outcome == corpus::Outcome::Agree ? other : verdict;
}

std::optional<bool> finds_a_canary(const GateCall& call, const corpus::Observation& seen,
                                   const corpus::Verdict& verdict, Secret& secret) {
  std::vector<OutputRole> roles;
  for (const OutputRole role : corpus::output_roles) {
    const auto& evidence = verdict.outputs[role];
    const bool is_whole = evidence.compared && evidence.compared_elements == evidence.elements;
    if (is_whole && evidence.sums_are_exact && evidence.elements > 0) roles.push_back(role);
  }
  if (roles.empty()) return std::nullopt;
  const auto role = roles[to_size(secret.between(0, static_cast<std::int64_t>(roles.size()) - 1))];
  corpus::Observation spoiled = seen;
  auto& bits = spoiled.outputs[role].bits;
  const std::size_t width = corpus::size_bytes(corpus::tensor(call.test_case, role)->dtype);
  const auto elements = static_cast<std::int64_t>(bits.size() / width);
  const auto index = to_size(secret.between(0, elements - 1));
  const auto type = corpus::tensor(call.test_case, role)->dtype;
  if (!std::isfinite(element(type, bits, index))) return std::nullopt;  // one NaN is as good
  // The last bit of the element's first byte, little endian: one unit in the last place.
  bits.at(index * width) ^= std::byte{1};
  return judged_values(call, spoiled).outcome == corpus::Outcome::Disagree;
}

int Scaling::of(OutputRole role) const {
  if (role == OutputRole::GradInput) return grad_output + weight;
  return grad_output + (role == OutputRole::GradWeight ? input : 0);
}

std::string breaks_scaling(const corpus::Case& test_case, const corpus::Observation& plain,
                           const corpus::Observation& scaled, const Scaling& scaling) {
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) continue;
    const auto type = corpus::tensor(test_case, role)->dtype;
    const auto &before = plain.outputs[role].bits, &after = scaled.outputs[role].bits;
    const std::size_t count = before.size() / corpus::size_bytes(type);
    for (std::size_t i = 0; i < count; ++i) {
      const double one = element(type, before, i), other = element(type, after, i);
      const double expected = std::ldexp(one, scaling.of(role));
      const bool is_normal =
          std::isfinite(one) &&
          (one == 0 || (std::abs(one) >= 0x1p-100 && std::abs(expected) >= 0x1p-100));
      if (!is_normal || !std::isfinite(other) || other == expected) continue;
      return fmt::format(
          "{}[{}] is {} for operands times powers of two, and {} times its power of two for them "
          "as they are",
          corpus::name_of(role), i, other, one);
    }
  }
  return {};
}

std::optional<int> largest_exponent(const corpus::Case& test_case, OutputRole role,
                                    const corpus::Observation& seen) {
  if (!corpus::is_requested(test_case, role)) return std::nullopt;
  const auto type = corpus::tensor(test_case, role)->dtype;
  const auto& bits = seen.outputs[role].bits;
  double largest = 0;
  for (std::size_t i = 0; i < bits.size() / corpus::size_bytes(type); ++i) {
    const double value = std::abs(element(type, bits, i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest > 0 ? std::optional(std::ilogb(largest)) : std::nullopt;
}

}  // namespace gradproof::runs
