#pragma once

#include <optional>
#include <string>

#include "properties/findings/hypotheses/witness.h"

namespace gradproof::advice {

/// Describes results that are differences of FLOAT numbers over a decimal step, as a gradient check
/// by finite differences makes them; nullopt where they are not.
///
/// A difference of numbers of FLOAT is a multiple of their ulp, a power of two; over a step of
/// 10^-j, or twice that, it is a multiple of 5^j times a power of two, rounded to FLOAT. Eight
/// different sums of products have no such unit but by a chance of about 2^-30.
std::optional<std::string> told_by_finite_differences(const findings::diagnosis::Numbers& results);

}  // namespace gradproof::advice
