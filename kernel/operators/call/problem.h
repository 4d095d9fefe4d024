#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernel/operators/call/tensor_view.h"

namespace gradproof::kernel::operators {

/// Neighbouring positions: first, first + 1, ..., last - 1.
struct Positions {
  std::int64_t first = 0, last = 0;
};

/// One spatial axis (D, H or W) of the ordinary convolution that a call is built on: `output`
/// positions read a `feature` map through a kernel. A transposed call has the same axis with its
/// tensors exchanged.
struct Axis {
  std::int64_t feature = 1, kernel = 1, output = 1;  ///< lengths, in elements
  std::int64_t stride = 1, dilation = 1;
  std::int64_t padding_begin = 0, padding_end = 0;

  /// The feature position that an output position reads through a tap. It may lie outside the map:
  /// such a term is absent. This is the only place where strides, dilations and paddings meet.
  constexpr std::int64_t feature_position(std::int64_t output_position, std::int64_t tap) const {
    return output_position * stride - padding_begin + tap * dilation;
  }

  /// Returns the position that is read, or nullopt outside the feature map.
  constexpr std::optional<std::int64_t> feature_read(std::int64_t output_position,
                                                     std::int64_t tap) const {
    const std::int64_t position = feature_position(output_position, tap);
    if (position < 0 || position >= feature) return std::nullopt;
    return position;
  }

  /// The output position that reads a feature position through a tap, or nullopt where none does.
  constexpr std::optional<std::int64_t> output_reading(std::int64_t position,
                                                       std::int64_t tap) const {
    const std::int64_t distance = position - feature_position(0, tap);
    if (distance < 0 || distance % stride != 0 || distance / stride >= output) return std::nullopt;
    return distance / stride;
  }

  /// The output positions whose read through a tap lies inside the feature map.
  Positions outputs_inside(std::int64_t tap) const;

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// One call normalised to N C D H W. `feature` is input (transposed: gradOutput), `output` is
/// gradOutput (transposed: input); the weight has shape [groups * output_channels,
/// feature_channels, kernel...] in both directions.
struct Problem {
  std::int64_t batch = 1;
  std::int64_t groups = 1;
  std::int64_t feature_channels = 1, output_channels = 1;  ///< per group
  Axis depth{}, height{}, width{};
  bool transposed = false;
};

/// A call's attributes, with one value per spatial axis; `padding` may have two for each: begin and
/// end, axis after axis.
struct Attributes {
  std::span<const std::int64_t> stride, padding, dilation;
  std::int64_t groups = 1;
  bool transposed = false;
};

/// Lowers a 1D, 2D or 3D call, transposed or not, to the one form. The call must have passed the
/// parameter checks.
Problem normalised(const TensorView& grad_output, const TensorView& input, const TensorView& weight,
                   const Attributes& attributes);

}  // namespace gradproof::kernel::operators
