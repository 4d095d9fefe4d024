#pragma once

#include <cstdint>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/status_oracle.h"

namespace gradproof::oracle {

/// What the judged target's adder guarantees: decides the unit roundoff of the error bound.
enum class Adder : std::uint8_t {
  Ieee,      ///< round to nearest: u = 2^-24 (the simulated backend)
  Faithful,  ///< each addition errs by less than one ULP: u = 2^-23
  Block,     ///< wide block adders that may truncate: u = 2^-22 (a real device; unpublished)
};

/// How the target rounds FLOAT operands to HFLOAT32.
enum class Hf32Rounding : std::uint8_t { NearestEven, NearestAway, Unknown };

struct JudgeSettings {
  Profile profile = Profile::Documented;
  Adder adder = Adder::Ieee;
  Hf32Rounding hf32_rounding = Hf32Rounding::NearestEven;
};

/// The one function that decides. In this order: survived, phase one's status, workspace, phase two, guards and inputs
/// untouched, values; the first disagreement found is the verdict.
/// Errors: none; a case that cannot be judged is `Skipped` or `NotComparable`, with the reason.
corpus::Verdict judge(const corpus::Case& problem, const corpus::Observation& observation,
                      const JudgeSettings& settings);

}  // namespace gradproof::oracle
