#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/observed.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

/// Circumstances that the schedule adversary varies around a call. What the caller's own code
/// decides can be varied with every target, the rest where the target takes machine settings.
enum class Circumstance : std::uint8_t {
  ScheduleSeed,  ///< in which order cores begin, and in which they add to one sum
  HostThreads,   ///< how many threads simulate the cores
  Workspace,     ///< what was in it before
  Addresses,     ///< where tensors begin, as far as CANN's alignment of 32 bytes allows
  OtherStreams,  ///< other calls at the same time; which is launched and synchronised first
};
inline constexpr Circumstance circumstances[] = {
    Circumstance::ScheduleSeed, Circumstance::HostThreads, Circumstance::Workspace,
    Circumstance::Addresses, Circumstance::OtherStreams};

/// Runs one case under schedules that differ in every circumstance. What the numbers of the
/// schedules stand for is fixed, so that a finding replays.
class Adversary {
 public:
  /// Number of schedules that `observe` takes: each value of each circumstance comes with several
  /// of the others'.
  static constexpr std::size_t schedules = 6;

  Adversary(targets::Target& target, const corpus::Case& test_case, const CheckSettings& settings)
      : target_(target), problem_(test_case), settings_(settings) {}

  /// The call alone, under the settings of the check.
  Observed observe();
  /// The call under schedule `schedule`; the concurrent calls are judged too.
  Observed observe(std::size_t schedule);

  /// "with schedule seed 12, 2 host threads, ...": what can be varied with this target.
  std::string words_of(std::size_t schedule) const;

  /// Describes the circumstances of the schedule that by themselves give other bits than `usual`,
  /// or that a mere repeat does; calls the target.
  std::string cause(std::size_t schedule, const corpus::Observation& usual);

 private:
  struct Conditions {
    targets::RunSettings run;
    std::size_t others = 0;  ///< concurrent calls
  };
  bool can_vary(Circumstance what) const;
  static void vary(Circumstance what, std::size_t schedule, Conditions& conditions);
  std::vector<corpus::Observation> run(const Conditions& conditions) const;
  bool differs(const Conditions& conditions, const corpus::Observation& usual) const;
  corpus::Case call(std::size_t number) const;

  targets::Target& target_;
  const corpus::Case& problem_;
  const CheckSettings& settings_;
};

}  // namespace gradproof::cases
