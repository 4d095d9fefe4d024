#pragma once

#include <string>

#include "properties/cases/coverage/coverage.h"

namespace gradproof::findings {

/// Describes where the run has been, in a few lines; from cases_for_full_coverage on with the names
/// of what it missed. Empty where no case was counted.
std::string coverage_text(const cases::Coverage& coverage);

}  // namespace gradproof::findings
