#pragma once

#include <cstddef>

#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {

/// Adds what a verdict needs and the fields do not say, and what was left at its default. `axes`:
/// spatial ones, 0 where that is not known.
void add_lacking(const Fields& fields, std::size_t axes, FoundCall& call);

}  // namespace gradproof::advice
