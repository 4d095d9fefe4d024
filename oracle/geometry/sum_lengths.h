#pragma once

#include <cstdint>
#include <vector>

#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// So many elements have sums of so many products each, or of gradBias of so many elements.
struct SumLength {
  std::int64_t addends = 0;
  double elements = 0;
};

/// Lengths of the sums of a gradient's elements, the longest first: near padding and between
/// strides they are shorter. Elements without any product are left out, and lengths within an
/// eighth of each other are counted as the longer one. Along an axis of more than 2^20 positions
/// all are as long as its plain count of taps or positions.
std::vector<SumLength> sum_lengths(const Geometry& geometry, corpus::OutputRole role);

}  // namespace gradproof::oracle
