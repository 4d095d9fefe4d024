#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernel/device/product.h"
#include "kernel/numeric/adding.h"
#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::operators {

/// The format that the operands of dx and dw are converted to before they are multiplied: one that
/// tensors have, or HFLOAT32, which is stored as FLOAT.
struct ComputeType {
  numeric::Format storage = numeric::Format::Binary32;  ///< of operands and of dx
  bool is_hf32 = false;

  friend bool operator==(const ComputeType&, const ComputeType&) = default;
};

inline constexpr ComputeType hf32_type{.is_hf32 = true};

/// The compute type of operands promoted to `promoted` under a cubeMathType (0 KEEP_DTYPE, 1
/// ALLOW_FP32_DOWN_PRECISION, 2 USE_FP16, 3 USE_HF32) on a product, or nullopt where the product
/// has none. Source: aclnnConvolutionBackward, parameter cubeMathType.
std::optional<ComputeType> compute_type(device::Product product, numeric::Format promoted,
                                        int cube_math_type);

/// Arithmetic of dx and dw of one call: everything about values, nothing about shapes.
struct Arithmetic {
  ComputeType compute;
  numeric::Hf32 hf32;  ///< used if compute.is_hf32
  numeric::OverflowMode overflow = numeric::OverflowMode::InfNan;
  bool fuses_products = true;  ///< with the sums that they join; else each is rounded before
  /// Longest sum, in products of one kernel depth, that Ascend950 keeps in one accumulator;
  /// nullopt: no limit.
  std::optional<std::int64_t> longest_segment;

  bool saturating() const { return overflow == numeric::OverflowMode::Saturation; }
  numeric::Adding adding() const { return {.saturating = saturating(), .fused = fuses_products}; }

  /// Channels that the cube consumes together (C0): as many as fill 32 bytes.
  std::int64_t channel_block() const;

  /// Converts operands, held as FLOAT, to the compute type in place.
  void convert_operands(std::span<float> values) const;

  /// Rounds a sum that leaves the accumulator of dx: the compute type again, FLOAT where that is
  /// FLOAT or HFLOAT32. (dw leaves as FLOAT.)
  float grad_input_result(float sum) const;
};

/// Choices of a device about rounding, for every call.
struct Roundings {
  numeric::Hf32Rounding hf32 = numeric::Hf32Rounding::NearestEven;
  numeric::OverflowMode overflow = numeric::OverflowMode::InfNan;
  bool fuses_products = true;  ///< with the sums that they join; else each is rounded before
};

/// The arithmetic of a compute type on a product.
Arithmetic arithmetic_on(device::Product product, ComputeType compute, const Roundings& roundings);

}  // namespace gradproof::kernel::operators
