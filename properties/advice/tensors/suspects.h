#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "corpus/role.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/advice/tensors/given_tensors.h"
#include "properties/findings/hypotheses/witness.h"

namespace gradproof::advice {

/// Describes the single faults that account for a result: of those that diagnosis knows, the ones
/// to whose exact result it is several times nearer than to the right one.
///
/// `wrong`: row-major indices of the elements of the lifted output that are wrong, sorted. Without
/// any, only other roundings are thought of: a sum of many products may have been computed in HF32
/// and still lie within its bound. Empty: nothing that was tried does, or nothing has to.
std::vector<std::string> suspects(const findings::diagnosis::Witness& witness,
                                  const std::vector<std::size_t>& wrong,
                                  std::chrono::milliseconds time);

/// Names the Winograd algorithm within whose bound all elements of a result lie that are beyond
/// the bound of added products; nullopt: none that computes this gradient of the call.
std::optional<std::string> told_by_tiles(const GivenTensors& tensors, corpus::OutputRole role,
                                         oracle::JudgeSettings judge);

/// Describes results that are differences of FLOAT numbers over a decimal step, as a gradient check
/// by finite differences makes them; nullopt where they are not.
///
/// A difference of numbers of FLOAT is a multiple of their ulp, a power of two; over a step of
/// 10^-j, or twice that, it is a multiple of 5^j times a power of two, rounded to FLOAT. Eight
/// different sums of products have no such unit but by a chance of about 2^-30.
std::optional<std::string> told_by_finite_differences(const findings::diagnosis::Numbers& results);

}  // namespace gradproof::advice
