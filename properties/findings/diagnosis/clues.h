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

// What a diagnosis says before its hypotheses, a file each.

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

/// "output equals the exact result without the bias": what a forward call did with its bias, where
/// one such thought accounts for the whole output of the small call and of the original.
std::optional<std::string> bias_words(targets::Target& target, const corpus::Case& shrunk,
                                      const corpus::Case& original,
                                      const cases::CheckSettings& settings);

/// Describes where along each axis a large call fails, whose listed elements are few: they are
/// moved together, so that the same products meet at another batch item, channel or position, and
/// the call is run. "wrong at columns of gradOutput from 18 on, all else as in this call (agrees:
/// 0, 9, 17; wrong: 18, 19)". Where both channels and places of the sum matter, a partial sum is
/// what is wrong. Nothing along axes on which it fails everywhere, or on small calls, whose sizes
/// the shrinker has made as small as the fault allows.
std::vector<std::string> where_products_are_wrong(targets::Target& target,
                                                  const corpus::Case& shrunk,
                                                  const corpus::Verdict& verdict,
                                                  const DiagnosisSettings& settings);

/// "the target says: ...": the error text that the target gives of the call, run once more. One
/// line, at most 300 bytes, all of them printable. nullopt: the call does not fail, or no text.
std::optional<std::string> own_words(targets::Target& target, const corpus::Case& test_case,
                                     const targets::RunSettings& settings);

/// Describes hypotheses on a wrong status: the mode that the target takes for the call's own. "the
/// status equals the right one with cubeMathType 2 taken for 0 (tested on 12 calls, 7 of them
/// wrong)": the target was asked for the status of the call in every dtype and on every product.
std::vector<std::string> status_hypotheses(targets::Target& target, const corpus::Case& test_case,
                                           const cases::CheckSettings& settings);

/// A wrong status in words: what was expected by which rule, what came, and whose answer that is.
std::vector<std::string> status_words(const corpus::Case& test_case,
                                      const corpus::Verdict& verdict);

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
