#include "properties/cases/laws/relation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "corpus/element_encoding.h"
#include "properties/cases/laws/observed.h"
#include "properties/targets/session/case_memory.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::OutputRole;
using corpus::Verdict;

/// Tensors of a derived call together: a map that is moved by a stride of a million would take
/// gigabytes. A call that is large itself may have derived ones of its size.
bool is_affordable(const Case& derived, const Case& test_case) {
  constexpr std::uint64_t always = std::uint64_t{64} << 20;
  const auto bytes = targets::memory_bytes(derived);
  return bytes && *bytes <= std::max(always, 4 * targets::memory_bytes(test_case).value_or(0));
}

/// True where one call fulfils the demand.
corpus::PerOutput<bool> comparable_outputs(const Case& test_case, Demand demand,
                                           const oracle::JudgeSettings& judge) {
  const auto known = exactness_of(test_case, judge);
  corpus::PerOutput<bool> comparable{};
  for (const OutputRole role : corpus::output_roles) {
    comparable[role] = corpus::is_requested(test_case, role) && fulfils(known[role], demand);
  }
  return comparable;
}

std::optional<std::uint64_t> bits_of(const Case& test_case, const corpus::Observation& seen,
                                     OutputRole role, const Coordinate& at) {
  const corpus::TensorCase& tensor = *corpus::tensor(test_case, role);
  const auto index = index_of(at, tensor.shape);
  if (!index) return std::nullopt;
  return bits_at(seen.outputs[role].bits, *index, tensor.dtype);
}

std::optional<double> value_at(const Case& test_case, const corpus::Observation& seen,
                               OutputRole role, const Coordinate& at) {
  const auto bits = bits_of(test_case, seen, role, at);
  return bits ? corpus::decode(corpus::tensor(test_case, role)->dtype, *bits) : std::nullopt;
}

class RelationCheck {
 public:
  RelationCheck(targets::Target& target, const RelatedCalls& relation,
                const CheckSettings& settings)
      : target_(target), relation_(relation), settings_(settings) {}

  Verdict verdict() {
    if (auto ended = plan()) return *ended;
    if (auto ended = run()) return *ended;
    for (const OutputRole role : corpus::output_roles) {
      if (!comparable_.front()[role]) continue;
      if (auto broken = compare(role)) return *broken;
    }
    Verdict verdict;
    verdict.milliseconds = milliseconds_;
    verdict.outcome = non_zeros_ > 0 ? corpus::Outcome::Agree : corpus::Outcome::Vacuous;
    verdict.reason = non_zeros_ > 0
                         ? fmt::format("{} elements are related as they should be", compared_)
                         : "the law compares no element other than zeros";
    return verdict;
  }

 private:
  /// The call itself is number 0, the derived ones follow.
  const Case& call(std::size_t number) const {
    return number == 0 ? relation_.test_case : relation_.runs[number - 1];
  }

  std::optional<Verdict> plan() {
    bool any = false;
    for (std::size_t i = 0; i <= relation_.runs.size(); ++i) {
      if (!is_affordable(call(i), relation_.test_case)) {
        return law_skipped("a call that the law needs is too large");
      }
      if (!is_legal(call(i), settings_.judge.profile)) {
        return law_skipped("the rules do not let a call that the law needs succeed");
      }
      comparable_.push_back(comparable_outputs(call(i), relation_.demand, settings_.judge));
    }
    for (std::size_t output = 0; output < 3; ++output) {
      comparable_.front()[output] &= relation_.looked_at[output];
      any = any || comparable_.front()[output];
    }
    if (!any) return law_skipped("the data are not such that the law is exact");
    return std::nullopt;
  }

  /// All calls at once, which costs a target in a child process one turn.
  std::optional<Verdict> run() {
    std::vector<Case> calls{relation_.test_case};
    calls.insert(calls.end(), relation_.runs.begin(), relation_.runs.end());
    seen_ = target_.run_cases(calls, settings_.run);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string which = i == 0 ? "the call itself" : fmt::format("derived call {}", i);
      if (auto ended = why_ended(calls[i], seen_[i], settings_, which)) return ended;
      milliseconds_ += seen_[i].milliseconds;
    }
    return std::nullopt;
  }

  std::optional<Verdict> compare(OutputRole role) {
    const auto& shape = corpus::tensor(relation_.test_case, role)->shape;
    const auto count = to_size(corpus::element_count(shape).value_or(0));
    for (std::size_t i = 0; i < count; ++i) {
      if (auto broken = compare(role, coordinate_of(i, shape))) return broken;
    }
    return std::nullopt;
  }

  std::optional<Verdict> compare(OutputRole role, const Coordinate& at) {
    const auto places = relation_.places(role, at);
    if (places.empty()) return std::nullopt;
    if (relation_.demand == Demand::Nothing) return compare_bits_of(role, at, places);
    // Sums of a few FLOATs on one grid: exact in double.
    double expected = 0;
    for (const Place& place : places) {
      if (!comparable_[place.run + 1][role]) return std::nullopt;
      const auto value = value_at(relation_.runs[place.run], seen_[place.run + 1], role, place.at);
      if (!value) return std::nullopt;
      expected += *value;
    }
    const auto own = value_at(relation_.test_case, seen_.front(), role, at);
    if (!own) return std::nullopt;
    ++compared_;
    const int scale = relation_.scale[role];
    if (std::ldexp(*own, scale) != expected) return broken(role, at, *own, places, expected);
    if (expected != 0) ++non_zeros_;
    return std::nullopt;
  }

  /// Each place by itself.
  std::optional<Verdict> compare_bits_of(OutputRole role, const Coordinate& at,
                                         const std::vector<Place>& places) {
    const auto own = bits_of(relation_.test_case, seen_.front(), role, at);
    const auto value = value_at(relation_.test_case, seen_.front(), role, at);
    for (const Place& place : places) {
      const Case& run = relation_.runs[place.run];
      const auto& seen = seen_[place.run + 1];
      const auto there = bits_of(run, seen, role, place.at);
      if (!own || !there) continue;
      ++compared_;
      if (*own != 0) ++non_zeros_;
      if (*own == *there) continue;
      return broken(role, at, value.value_or(NAN), {place},
                    value_at(run, seen, role, place.at).value_or(NAN));
    }
    return std::nullopt;
  }

  Verdict broken(OutputRole role, const Coordinate& at, double own,
                 const std::vector<Place>& places, double expected) const {
    const int scale = relation_.scale[role];
    std::string there;
    for (const Place& place : places) {
      const std::string call = relation_.words.empty()
                                   ? fmt::format("derived call {}", place.run + 1)
                                   : relation_.words[place.run];
      there +=
          fmt::format("{}{} of {}", there.empty() ? "" : " + ", words_of(role, place.at), call);
    }
    Verdict verdict = law_broken(
        role, fmt::format("{} is {} ({:a}){}, but {} is {} ({:a})", words_of(role, at), own, own,
                          scale == 0 ? "" : fmt::format(", to be multiplied by 2^{}", scale), there,
                          expected, expected));
    verdict.milliseconds = milliseconds_;
    return verdict;
  }

  targets::Target& target_;
  const RelatedCalls& relation_;
  const CheckSettings& settings_;
  std::vector<corpus::PerOutput<bool>> comparable_;  ///< by call, then OutputRole
  std::vector<corpus::Observation> seen_;            ///< by call
  double milliseconds_ = 0;
  std::uint64_t compared_ = 0, non_zeros_ = 0;
};

}  // namespace

Verdict check_relation(targets::Target& target,
                       const tl::expected<RelatedCalls, std::string>& relation,
                       const CheckSettings& settings) {
  if (!relation) return law_skipped(relation.error());
  return RelationCheck(target, *relation, settings).verdict();
}

}  // namespace gradproof::cases
