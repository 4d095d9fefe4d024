#pragma once

#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {

/// Adds bias, mask and dtypes to a call, and as lacking what makes it another computation.
void add_outputs(const Fields& fields, FoundCall& call);

}  // namespace gradproof::advice
