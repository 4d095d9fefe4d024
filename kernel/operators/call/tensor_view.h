#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "kernel/numeric/format.h"

namespace gradproof::kernel::operators {

/// Positions along N, C, D, H, W.
using Index = std::array<std::int64_t, 5>;

/// A tensor as an operator sees it: five axes, N C D H W, each with its stride in elements. Axes
/// that a 1D or 2D problem lacks have length 1 and stride 0.
struct TensorView {
  numeric::Format format = numeric::Format::Binary32;
  Index shape{1, 1, 1, 1, 1};
  Index strides{};
  std::int64_t offset = 0;  ///< elements from the tensor's address to element (0, 0, 0, 0, 0)

  bool is_empty() const;

  /// Elements from element (0, 0, 0, 0, 0) to this one.
  std::int64_t distance(const Index& index) const;
};

/// A view of rank 3 (N C W), 4 (N C H W) or 5 (N C D H W), lifted to five axes.
TensorView lifted(numeric::Format format, std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> strides, std::int64_t offset);

/// A view of rank 1, put on the axis C.
TensorView lifted_channels(numeric::Format format, std::int64_t length, std::int64_t stride,
                           std::int64_t offset);

/// Bytes that a view touches, counted from the tensor's address.
struct ByteRange {
  std::int64_t begin = 0;  ///< negative only for negative strides or offsets
  std::int64_t size = 0;
};

/// Bytes that the view touches; nullopt where int64 cannot hold it. An empty view touches nothing.
std::optional<ByteRange> touched_bytes(const TensorView& view);

/// A view with the memory it describes.
struct Source {
  TensorView view;
  const std::byte* first = nullptr;  ///< element (0, 0, 0, 0, 0)
};

struct Destination {
  TensorView view;
  std::byte* first = nullptr;  ///< element (0, 0, 0, 0, 0)

  /// Rounds to the view's format; the only way a gradient reaches memory.
  void store(const Index& index, float value, numeric::OverflowMode mode) const;

  /// Stores +0 in every element.
  void store_zeros() const;
};

}  // namespace gradproof::kernel::operators
