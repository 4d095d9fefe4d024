#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/findings/diagnosis/diagnosis_settings.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings {

/// Describes what is wrong, in sentences for a person, the most telling first; empty where nothing
/// that was tried holds.
///
/// A wrong gradient is held against many single faults (one attribute in another's place, a part
/// lost, another rounding, ...): each is worked out exactly and compared with what the target gave
/// for the shrunk case, for the original one, and for fresh data and sizes around the shrunk one.
/// Only a fault that accounts for every run that failed is named, with the runs on which it was
/// tested. Also named are the products of the shrunk case that are missing, doubled, misplaced or
/// misrounded. Of a broken law, the laws about how a call is made that are broken with it. A wrong
/// status is set against the rules, a wrong tiling against the published
/// search; of a graph operator, or of what a kernel computes with a tiling, nothing else is said.
std::vector<std::string> diagnosis_of(targets::Target& target, const corpus::Case& shrunk,
                                      const corpus::Case& original, const corpus::Verdict& verdict,
                                      const DiagnosisSettings& settings);

}  // namespace gradproof::findings
