#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"

/// Parts that breakers of several groups of rules share.
namespace gradproof::cases::breaker_parts {

/// Changes the length of one axis; a view becomes contiguous. No tensor, or no such axis: nothing.
void lengthen(std::optional<corpus::TensorCase>& tensor, std::size_t axis, std::int64_t by);

/// Replaces a null output that is not requested by a plain tensor.
/// False for gradWeight of an 8-bit call, which must remain null (F8-01 to F8-04).
bool make_present(corpus::Case& test_case, corpus::OutputRole role);

/// Index of a spatial axis: any, or any but the depth of a volume.
std::size_t draw_axis_index(const corpus::Case& test_case, bool depth_too,
                            corpus::RandomSource& random);

/// Draws two groups or more.
void several_groups(Convolution& sizes, corpus::RandomSource& random);

}  // namespace gradproof::cases::breaker_parts
