#pragma once

#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Where the documents set no limit: far beyond the tables' ranges, near enough to stay small in
/// memory.
inline constexpr std::int64_t unlimited = 1000;

/// Ranges that the documents set on the attributes of a spatial axis (RANGE-01 to RANGE-09).
struct AxisLimits {
  std::int64_t kernel, stride, padding, dilation;  ///< largest value of each
};
AxisLimits axis_limits(const Frame& frame, std::size_t axis);

/// True if every axis keeps the limits of its frame.
bool keeps_limits(const Frame& frame, const Convolution& sizes);

}  // namespace gradproof::cases
