#include "properties/runs/campaign/work.h"

#include <limits>

#include "corpus/random_source.h"
#include "properties/findings/results/findings.h"

#include <fmt/core.h>

namespace gradproof::runs {
namespace {

using oracle::Profile;

/// Draws a case's profile, not by the number's parity: a generator may alternate.
Profile profile_of(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t own_stream = 0x70726F66696C65;
  const bool is_released = corpus::mixed(corpus::mixed(seed ^ own_stream) + index) % 2 == 1;
  return is_released ? Profile::Released : Profile::Documented;
}

}  // namespace

std::uint64_t Work::size() const {
  if (enumeration) return enumeration->size();
  return source ? std::numeric_limits<std::uint64_t>::max() : stored.size();
}

bool Work::holds(std::uint64_t number) const {
  if (shard.is_all()) return true;
  if (enumeration) return shard.holds_number(number);
  if (number < stored.size()) return shard.holds(stored[number].test_case.id);
  return shard.holds(cases::generated_id(seed, number - stored.size()));
}

std::string Work::profiles(Profile only) const {
  if (!alternates_profiles || !source) return std::string(oracle::name_of(only));
  return fmt::format("{}, {}", oracle::name_of(Profile::Documented),
                     oracle::name_of(Profile::Released));
}

WorkItem Work::item(std::uint64_t number) const {
  if (enumeration) {
    return {.test_case = enumeration->call(number),
            .repro = enumeration->command(),
            .enumerated = number};
  }
  if (number < stored.size()) {
    const StoredCase& kept = stored[number];
    auto profile = alternates_profiles ? kept.profile : std::nullopt;
    if (alternates_profiles && source && !profile) profile = Profile::Documented;
    return {.test_case = kept.test_case,
            .repro = findings::replay_command(kept.file,
                                              findings::with_profile(replay_options, profile)),
            .law = kept.law,
            .profile = profile,
            .calls_before = kept.calls_before};
  }
  const std::uint64_t index = number - stored.size();
  cases::GeneratedCase generated = source->generate(seed, index);
  const auto profile = alternates_profiles ? std::optional(profile_of(seed, index)) : std::nullopt;
  return {std::move(generated.test_case),
          fmt::format(
              "gradproof list cases --cases 1 --seed {} --set first={}{} | "
              "{} --seed {}",
              generated.seed, index, cases::options_of(source->selection()),
              findings::replay_command("-", findings::with_profile(replay_options, profile)), seed),
          {},
          true,
          generated.discarded,
          profile,
          {},
          {},
          source->selection().call.has_value()};
}

}  // namespace gradproof::runs
