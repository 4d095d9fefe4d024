#pragma once

#include <cstdint>
#include <span>

#include "fuzz/records/case_fields.h"

namespace gradproof::fuzz {

/// Values at which some rule of the specification, some type or some tile changes its mind: both
/// sides of each.
std::span<const std::int64_t> boundary_values();

/// Boundary values that make a difference in a field of this kind.
std::span<const std::int64_t> boundary_values(FieldKind kind);

}  // namespace gradproof::fuzz
