#pragma once

#include <optional>

#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {

/// The call that fields say, in our words. nullopt: they say no number of it.
std::optional<FoundCall> call_of(const Fields& fields);

}  // namespace gradproof::advice
