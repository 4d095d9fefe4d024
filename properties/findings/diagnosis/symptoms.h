#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/findings/diagnosis/diagnosis_settings.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// Names what is wrong, whichever law or data showed it: "gradInput" (its values), "status 161002",
/// "crash". What only the law shows is named by the verdict's signature. Empty unless the verdict
/// is a disagreement.
std::string deviation_of(const corpus::Verdict& verdict);

/// The deviations that the shrunk call shows, its verdict's own first, the others sorted: with all
/// gradients requested, under fresh data of both default recipes and of `original`'s, a little
/// larger, and, where a law is broken, in the single calls that the law makes. Findings of one
/// cause show each other's. Only its own where the call cannot be run again.
std::vector<std::string> symptoms_of(targets::Target& target, const corpus::Case& shrunk,
                                     const corpus::Case& original, const corpus::Verdict& verdict,
                                     const DiagnosisSettings& settings);

}  // namespace gradproof::findings::diagnosis
