#pragma once

#include "corpus/case.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// Describes why a function of tensors is not asked this: a view, special values or a call beyond
/// the domain, which the selection leaves out. Null: it may be asked, or no function of tensors is.
const char* why_not_of_tensors(const Selection& selection, const corpus::Case& test_case);

}  // namespace gradproof::cases
