#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/findings/diagnosis/diagnosis_settings.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// Describes what the algorithm has to do with a wrong gradient. Where it may compute in tiles:
/// "needs a call that Winograd F(3x3,2x2) may compute (...): agrees with stride_h 2, ...", if calls
/// that are just not so agree. Where it may not: "within the bound of Winograd F(3x3,2x2), which
/// nothing admits for this call", if the results are as those of one. nullopt: nothing.
std::optional<std::string> algorithm_words(targets::Target& target, const corpus::Case& shrunk,
                                           const corpus::Verdict& verdict,
                                           const cases::CheckSettings& settings);

/// A wrong tiling in words: which fields of it differ from the specification's; empty where none
/// does.
std::vector<std::string> tiling_words(targets::Target& target, const corpus::Case& test_case,
                                      const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
