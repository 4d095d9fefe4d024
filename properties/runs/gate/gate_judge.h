#pragma once

#include <cstdint>
#include <string>

#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/runs/gate/candidate.h"
#include "properties/runs/gate/secret.h"

namespace gradproof::runs {

/// Settings of a gate's judge: large calls on exact data in linear time, other large ones in
/// samples.
oracle::JudgeSettings gate_judge_settings();

/// The verdict on the values that a call gave. `seed`: of what is looked at where that is a sample;
/// `seconds`: how long that may take about.
corpus::Verdict judged_values(const GateCall& call, const corpus::Observation& seen,
                              std::uint64_t seed = 0, double seconds = 60);

/// Spoils one bit of an answer that was right and whose sums are exact. Result: whether the judge
/// found it; nullopt: there was no such element.
std::optional<bool> finds_a_canary(const GateCall& call, const corpus::Observation& seen,
                                   const corpus::Verdict& verdict, Secret& secret);

/// Exponents of a scaling law: of gradOutput, input, weight.
struct Scaling {
  int grad_output = 0, input = 0, weight = 0;
  int of(corpus::OutputRole role) const;
};

/// Describes a result of the scaled call that is not the plain one's times its power of two, bit
/// for bit. Elements that leave the normal numbers may be infinite or NaN. Empty: none.
std::string breaks_scaling(const corpus::Case& test_case, const corpus::Observation& plain,
                           const corpus::Observation& scaled, const Scaling& scaling);

/// The largest binary exponent of a result; nullopt: no element is finite and not zero.
std::optional<int> largest_exponent(const corpus::Case& test_case, corpus::OutputRole role,
                                    const corpus::Observation& seen);

}  // namespace gradproof::runs
