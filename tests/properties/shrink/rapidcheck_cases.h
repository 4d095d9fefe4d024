#pragma once

#include <rapidcheck.h>

#include "corpus/case.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {

/// RapidCheck's view of the generator: it draws a seed, the case follows, and its shrinks are
/// SimplerCases, the project's own. RapidCheck's `gen::exec` would redraw all later values when it
/// shrinks an earlier one.
rc::Gen<corpus::Case> cases_of(CaseSource source);

}  // namespace gradproof::cases

namespace rc {

/// A case in a RapidCheck report: the line that replays it.
void showValue(const gradproof::corpus::Case& test_case, std::ostream& out);

}  // namespace rc
