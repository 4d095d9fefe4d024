#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/findings/diagnosis/diagnosis_settings.h"

namespace gradproof::findings::diagnosis {

/// Sizes beyond which a gradient is wrong: "wrong exactly where the rows of input exceed 64, all
/// else as in this call (agrees: 1, 32, 64; wrong: 65, 66, 130)". Each size and attribute of the
/// shrunk call is bisected between the smallest legal value and its own, and confirmed by running
/// the target on both sides of the border. Factors of one product with the same border are named as
/// that product; one that is wrong at multiples of its value alone, as such. Empty where no size
/// has a border above 2, or where the target's answers along it have no single one.
std::vector<std::string> thresholds_of(targets::Target& target, const corpus::Case& shrunk,
                                       const corpus::Case& original,
                                       const DiagnosisSettings& settings);

}  // namespace gradproof::findings::diagnosis
