#pragma once

#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::properties {

/// A convolution by its sizes, as other libraries write it; lists are in the order D, H, W.
struct Sizes {
  std::int64_t batch = 1, groups = 1, in_channels = 0, out_channels = 0;
  Integers input, kernel, output;  ///< lengths; output empty: follows from the rest
  Integers stride, padding, dilation;
  bool transposed = false;
};

/// Adds the shapes and attributes to the call. A larger padding at the ends of axes follows from
/// the stated lengths; where the API cannot say it, that is lacking.
void add_sizes(const Sizes& sizes, FoundCall& call);

}  // namespace gradproof::properties
