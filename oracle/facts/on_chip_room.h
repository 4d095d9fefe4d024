#pragma once

#include <cstdint>

#include "oracle/facts/checked_integer.h"
#include "oracle/facts/operator_facts.h"

namespace gradproof::oracle {

/// Bytes of a core's L1 on Ascend910B and Ascend910_93. Source: rules HW-02, HW-05.
inline constexpr std::int64_t l1_bytes = 524'288;

/// True if the axes are known and every length and step on them is at least 1. Only then the needs
/// below are defined.
bool has_ordinary_axes(const OperatorFacts& facts);

/// Bytes of L1 that the smallest tile needs on those products: for dx the rows of the expanded
/// out_backprop under one row of 16 results, and the kernel's taps; for dw the rows of x under 16
/// positions of out_backprop. `element_bytes` is 2 or 4. No value: beyond 64 bits, so too many.
/// Source: rules HW-02 and HW-05, after CANN ops-nn's tiling.
CheckedInteger smallest_tile_of_dx(const OperatorFacts& facts, std::int64_t element_bytes);
CheckedInteger smallest_tile_of_dw(const OperatorFacts& facts, std::int64_t element_bytes);

}  // namespace gradproof::oracle
