#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "corpus/element_lanes.h"

namespace gradproof::corpus {

/// Bytes of the elements of one input, dense and row-major over its shape (little-endian,
/// `size_bytes(dtype)` each).
///
/// The same on every platform: integer hashing of (seed, tensor, coordinate) and exactly defined
/// conversions only. A coordinate is hashed as (n, c, d, h, w) with the axes that a 1D or 2D tensor
/// lacks at 0, so that lifting a case to 3D keeps its data. Where elements of a view share a place
/// in memory, all show what the first of them drew, or the one that is listed. Errors: none; the
/// tensor must be present, its element count defined, and `data` present with its fills.
std::vector<std::byte> element_values(const Case& test_case, InputRole role);

/// Computes with these instructions, which the processor must have; `None` is the definition.
std::vector<std::byte> element_values(const Case& test_case, InputRole role, Lanes lanes);

/// Draws the elements of some entries of the tensor's first axis, into `bytes`, which has room for
/// them. False, and nothing done, where only the whole tensor is available: its elements are
/// listed, drawn one by one, or share places.
bool draw_entries(std::span<std::byte> bytes, const Case& test_case, InputRole role,
                  Entries entries);

/// Non-zero elements of all three inputs (tensors that are present).
std::uint64_t non_zero_count(const Case& test_case);

/// Returns the data as a `Listed` recipe: one entry for every element whose bits are not +0.
DataRecipe as_listed(const Case& test_case);

}  // namespace gradproof::corpus
