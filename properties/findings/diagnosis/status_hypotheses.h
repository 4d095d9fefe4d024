#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// Describes hypotheses on a wrong status: the mode that the target takes for the call's own. "the
/// status equals the right one with cubeMathType 2 taken for 0 (tested on 12 calls, 7 of them
/// wrong)": the target was asked for the status of the call in every dtype and on every product.
std::vector<std::string> status_hypotheses(targets::Target& target, const corpus::Case& test_case,
                                           const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
