#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <optional>

#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"
#include "properties/cases/laws/shared_sums.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::Verdict;

}  // namespace

Case in_deterministic_mode(const Case& test_case) {
  Case run = test_case;
  run.deterministic = true;
  return run;
}

Verdict same_bits(targets::Target& target, const Case& test_case, const CheckSettings& first,
                  const CheckSettings& second, const std::string& difference) {
  Observed one = observe(target, test_case, first, "the first call");
  if (one.ended) return std::move(*one.ended);
  Observed other = observe(target, test_case, second, "the second call");
  if (other.ended) return std::move(*other.ended);
  return settled(test_case, one.seen, compare_bits(test_case, one.seen, other.seen, difference));
}

Verdict determinism(targets::Target& target, const Case& test_case, const CheckSettings& settings) {
  return same_bits(target, in_deterministic_mode(with_shared_sums(test_case)), settings, settings,
                   "in another call with the same arguments");
}

Verdict workspace_independence(targets::Target& target, const Case& test_case,
                               const CheckSettings& settings) {
  CheckSettings zeros = settings;
  zeros.run.workspace_poison = std::byte{0};
  return same_bits(target, in_deterministic_mode(test_case), settings, zeros,
                   "with zeros in the workspace beforehand instead of NaN");
}

Verdict executor_reuse(targets::Target& target, const Case& test_case,
                       const CheckSettings& settings) {
  CheckSettings reusing = settings;
  reusing.run.reuse_executor = true;
  return same_bits(target, in_deterministic_mode(test_case), settings, reusing,
                   "from the second use of one executor");
}

Verdict input_purity(targets::Target& target, const Case& test_case,
                     const CheckSettings& settings) {
  const Observation seen = target.run_case(test_case, settings.run);
  for (const auto role : corpus::input_roles) {
    const auto byte = seen.input_changed_byte[role];
    if (!byte) continue;
    Verdict verdict;
    verdict.outcome = corpus::Outcome::Disagree;
    verdict.kind = corpus::DisagreementKind::Law;
    verdict.reason = fmt::format("byte {} of {}'s memory is not as it was before the call", *byte,
                                 corpus::name_of(role));
    return verdict;
  }
  if (auto ended = why_ended(test_case, seen, settings, "the call")) return std::move(*ended);
  return settled(test_case, seen, agreed("the inputs are as they were"));
}

namespace {

/// The call and the same with other data, alone and then together on two streams: the same bits.
/// `circumstance`: what is different together, in words.
Verdict same_together(targets::Target& target, const Case& test_case, const CheckSettings& settings,
                      const targets::RunSettings& together_settings,
                      const std::string& circumstance) {
  const Case first = in_deterministic_mode(test_case);
  Case second = first;
  ++second.data->seed;  // other data, so that results that got mixed up show
  const std::array calls{first, second};
  std::array<Observation, 2> alone;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    Observed observed = observe(target, calls.at(i), settings, "the call on one stream");
    if (observed.ended) return std::move(*observed.ended);
    alone.at(i) = std::move(observed.seen);
  }
  const auto together = target.run_on_streams(calls, together_settings);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string which = fmt::format("stream {} of {}", i + 1, calls.size());
    if (auto ended = why_ended(calls.at(i), together[i], settings, which)) return *ended;
    Verdict verdict = compare_bits(calls.at(i), alone.at(i), together[i], circumstance);
    if (verdict.outcome == corpus::Outcome::Disagree) return verdict;
  }
  Verdict verdict;
  verdict.outcome = corpus::Outcome::Agree;
  verdict.reason = "the same bits on both streams";
  return settled(first, alone.front(), std::move(verdict));
}

}  // namespace

Verdict many_streams(targets::Target& target, const Case& test_case,
                     const CheckSettings& settings) {
  return same_together(target, test_case, settings, settings.run,
                       "with another call on another stream at the same time");
}

Verdict two_host_threads(targets::Target& target, const Case& test_case,
                         const CheckSettings& settings) {
  targets::RunSettings threads = settings.run;
  threads.host_threads = true;
  return same_together(target, test_case, settings, threads,
                       "with another call from another host thread at the same time");
}

Verdict no_leak(targets::Target& target, const Case& test_case, const CheckSettings& settings) {
  // The first call is not counted, because a library may allocate for itself then. What other
  // processes do on the device varies: only a leak is the same amount every time.
  constexpr int repeats = 6;
  std::optional<std::uint64_t> before;
  std::optional<std::uint64_t> lost;
  for (int i = 0; i <= repeats; ++i) {
    const Observed observed = observe(target, test_case, settings, "the call");
    if (observed.ended) return *observed.ended;
    const auto free = target.free_memory();
    if (!free) return law_skipped(free.error());
    const bool is_less = before && *free < *before;
    const bool is_as_much_as_before = !lost || (is_less && *before - *free == *lost);
    if (before && !(is_less && is_as_much_as_before)) {
      Verdict tight = agreed("no memory is lost");
      tight.milliseconds = observed.seen.milliseconds;
      return tight;
    }
    if (before) lost = *before - *free;
    before = *free;
  }
  Verdict leaking;
  leaking.outcome = corpus::Outcome::Disagree;
  leaking.kind = corpus::DisagreementKind::Leak;
  leaking.reason =
      fmt::format("each of {} calls left {} bytes of device memory less", repeats, *lost);
  return leaking;
}

}  // namespace gradproof::cases::laws_detail
