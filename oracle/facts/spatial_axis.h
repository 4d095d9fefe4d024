#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "oracle/facts/checked_integer.h"

namespace gradproof::oracle {

/// One spatial axis as the caller describes it, nothing checked. `big` and `small` are the lengths
/// of the larger and the smaller feature map of the underlying ordinary convolution.
/// Units: elements. Member functions are formulas over what a caller chose, hence CheckedInteger;
/// the oracle's Axis (geometry.h) holds what has been found addressable.
struct SpatialAxis {
  std::int64_t big = 1, small = 1, kernel = 1;
  std::int64_t stride = 1, dilation = 1, output_padding = 0;
  std::int64_t padding_begin = 0, padding_end = 0;

  /// Lengths of the padded big map, big + padding_begin + padding_end, and what the dilated kernel
  /// covers, (kernel - 1) * dilation + 1.
  CheckedInteger padded_length() const;
  CheckedInteger kernel_extent() const;

  /// Position at which the kernel begins, in the padded big map, for the small map's last element.
  CheckedInteger last_position() const;

  /// The small map's length that the big one leads to:
  /// floor((padded_length - kernel_extent) / stride) + 1. The stride must be at least 1.
  CheckedInteger small_length() const;

  /// The big map's length that a transposed convolution deduces from the small one and the output
  /// padding: (small - 1) * stride - padding_begin - padding_end + kernel_extent + output_padding.
  CheckedInteger deduced_big_length() const;
};

/// Up to three axes, D H W or their tail.
struct SpatialAxes {
  std::array<SpatialAxis, 3> values{};
  std::size_t count = 0;

  std::span<const SpatialAxis> all() const { return {values.data(), count}; }
};

/// Relation between lengths, if it holds; Unknown where its arithmetic overflows.
enum class Relation : std::uint8_t { Holds, Fails, Unknown };

/// The dilated kernel fits into the padded big map (formula 1).
Relation kernel_fits(const SpatialAxis& axis);

/// The small map has the length that the big one leads to. Unknown also for a stride below 1.
Relation small_length_is_right(const SpatialAxis& axis);

/// The big map has the length deduced from the small one and the output padding.
Relation big_length_is_as_deduced(const SpatialAxis& axis);

/// Fails if it fails on any axis, else Unknown if it is so on any, else Holds.
Relation on_all(const SpatialAxes& axes, Relation (*relation)(const SpatialAxis&));

}  // namespace gradproof::oracle
