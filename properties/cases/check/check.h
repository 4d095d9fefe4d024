#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/status/ruled_case.h"
#include "properties/cases/generators/selection.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

/// Settings to run and judge a case.
struct CheckSettings {
  oracle::JudgeSettings judge;
  targets::RunSettings run;
  bool attests = false;  ///< verdicts note what a certificate tells of each output
};

/// Runs the case and judges what it showed: the one function that campaign, replay, shrinker,
/// fuzzers and tests call. Every law has this signature, so that a finding of any of them shrinks
/// and replays in the same way.
corpus::Verdict check(targets::Target& target, const corpus::Case& test_case,
                      const CheckSettings& settings);
/// Runs and judges a case that was ruled already.
corpus::Verdict check(targets::Target& target, const oracle::RuledCase& ruled,
                      const CheckSettings& settings);

/// The second half of check: judges a run that was seen already.
corpus::Verdict judged(const oracle::RuledCase& ruled, const corpus::Observation& seen,
                       const CheckSettings& settings);

/// judged(), and where it was refused looked at again (refusal.cpp).
corpus::Verdict judged_on(targets::Target& target, const oracle::RuledCase& ruled,
                          const corpus::Observation& seen, const CheckSettings& settings);

/// True if the call may succeed, with values that mean something.
bool may_succeed(const oracle::Ruling& ruling);

/// Seed of the data of a case: the seed of its own recipe, or its id and `seed`, so that a case
/// alone and the same case in a file get the same.
std::uint64_t data_seed(const corpus::Case& test_case, std::uint64_t seed);

/// The runs that a case asks for. A case with data of its own is one run under that recipe; one
/// without data, or with `recipes` given, is a run for each recipe; one that the rules refuse is a
/// run of its statuses alone. Planned recipes come back with their numbers, so that each run is
/// complete. `seed` takes part in the data of a case that has none of its own.
std::vector<corpus::Case> runs_of(const oracle::RuledCase& ruled,
                                  const std::vector<corpus::Distribution>& recipes,
                                  std::uint64_t seed = 0);

/// The run of its statuses alone, without data: phase one reads no element.
std::vector<corpus::Case> status_run_of(const corpus::Case& test_case);

/// The library, asked for no call that the selection leaves out, be it for the search, the
/// shrinker, the diagnosis, a law. Such a call counts as not run, and why (`why_outside`). A law
/// may ask a second function about the same convolution.
std::shared_ptr<const targets::Library> narrowed(std::shared_ptr<const targets::Library> library,
                                                 Selection selection);

/// Looks again at a legal call that the target refused "for resources" although every published
/// limit has room for it (oracle/status/published_room.h): a disagreement if the target accepts the
/// same call with another mask or in the other mode of determinism, or if it computes calls of
/// these types and this mode and refuses this one for a value of one attribute, or for several
/// together. A target that leaves out a whole kind of calls, such as groups, is no such case: what
/// it lacks, it lacks throughout. Any other verdict comes back as it was.
///
/// Cost: phase one of some 20 calls, where something was refused.
corpus::Verdict looked_at_again(targets::Target& target, const corpus::Case& test_case,
                                const CheckSettings& settings, corpus::Verdict verdict);

}  // namespace gradproof::cases
