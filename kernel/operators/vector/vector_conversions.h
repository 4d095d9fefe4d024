#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/operators/vector/vector_kernels.h"

// FLOATs from what tensors are stored in, and back, by vector instructions: the bits of the scalar
// codecs in numeric/, many elements at a time. And what FLOATs there are among many.
namespace gradproof::kernel::operators {

/// Cut of a FLOAT's last bits: to the nearest, ties to even or away from 0.
struct BitCut {
  int dropped_bits = 12;  ///< 1 to 22
  bool to_even = true;
};

/// Magnitudes of an array. What is not finite counts as infinity; without any element but 0 the
/// smallest is infinity.
struct Magnitudes {
  float largest = 0.0F;
  float smallest_nonzero = 0.0F;
};

struct VectorConversions {
  /// `count` neighbouring elements, at any address, to FLOAT: exact.
  using Widen = void (*)(const std::byte* from, float* to, std::int64_t count);
  Widen widen_half = nullptr, widen_bfloat16 = nullptr;

  /// FLOATs to `count` neighbouring elements: nearest, ties to even, infinity beyond the largest,
  /// every NaN the canonical quiet one.
  using Narrow = void (*)(const float* from, std::byte* to, std::int64_t count);
  Narrow narrow_half = nullptr, narrow_bfloat16 = nullptr;

  /// FLOATs with fewer bits, for HFLOAT32. A carry may reach infinity; NaN stays as it is. `to` may
  /// be `from`.
  void (*cut)(const float* from, float* to, std::int64_t count, const BitCut& how) = nullptr;

  Magnitudes (*magnitudes)(const float* values, std::int64_t count) = nullptr;

  /// True if any element is 0 or not finite.
  bool (*has_special)(const float* values, std::int64_t count) = nullptr;
};

/// Conversions for the instruction set of some kernels.
const VectorConversions& conversions_of(const VectorKernels& kernels);

}  // namespace gradproof::kernel::operators
