#include "properties/cases/coverage/tiling_corners.h"

#include <algorithm>

namespace gradproof::cases {
namespace {

using corpus::Case;

/// Elements of a fractal's row: 32 bytes, 16 elements for the types of one byte too.
std::int64_t c0_of(const Case& test_case) {
  return corpus::size_bytes(test_case.grad_output->dtype) == 4 ? 8 : 16;
}

std::int64_t tiles(std::int64_t length, std::int64_t tile) { return (length + tile - 1) / tile; }

bool has_tail(std::int64_t length, std::int64_t tile) {
  return length > tile && length % tile != 0;
}

/// D, H and W; a 1D case is a row, a 2D one a slice.
SpatialAxis axis_from_the_end(const Convolution& sizes, std::size_t place) {
  const std::size_t count = sizes.axes.size();
  return place < count ? sizes.axes[count - 1 - place] : SpatialAxis{};
}

struct MatrixSizes {
  std::int64_t m, n, k;
};

/// dx as a product of matrices.
MatrixSizes matrix_of(const Case& test_case, const Convolution& sizes) {
  const std::int64_t c0 = c0_of(test_case);
  const SpatialAxis w = axis_from_the_end(sizes, 0), h = axis_from_the_end(sizes, 1);
  return {h.big * w.big, tiles(sizes.big_channels_per_group, c0) * c0,
          h.kernel * w.kernel * tiles(sizes.small_channels_per_group, c0) * c0};
}

constexpr std::int64_t long_edge = 256, short_edge = 128, row_bytes = 128;
constexpr std::int64_t cores = 20;

std::int64_t tiles_of_weight(const Convolution& sizes) {
  const SpatialAxis w = axis_from_the_end(sizes, 0), h = axis_from_the_end(sizes, 1),
                    d = axis_from_the_end(sizes, 2);
  const std::int64_t columns = sizes.big_channels_per_group * h.kernel * w.kernel;
  return sizes.groups * d.kernel * tiles(sizes.small_channels_per_group, long_edge) *
         tiles(columns, short_edge);
}

std::int64_t reduction_of_weight(const Convolution& sizes) {
  std::int64_t positions = sizes.batch;
  for (const SpatialAxis& axis : sizes.axes) positions *= small_length(axis);
  return positions;
}

}  // namespace

bool has_m_tail(const Case& test_case, const Convolution& sizes) {
  const MatrixSizes matrix = matrix_of(test_case, sizes);
  return has_tail(matrix.m, matrix.m >= matrix.n ? long_edge : short_edge);
}

bool has_n_tail(const Case& test_case, const Convolution& sizes) {
  const MatrixSizes matrix = matrix_of(test_case, sizes);
  return has_tail(matrix.n, matrix.m >= matrix.n ? short_edge : long_edge);
}

bool has_k_tail(const Case& test_case, const Convolution& sizes) {
  const auto bytes = static_cast<std::int64_t>(corpus::size_bytes(test_case.grad_output->dtype));
  return has_tail(matrix_of(test_case, sizes).k, row_bytes / bytes);
}

bool has_channels_within_c0(const Case& test_case, const Convolution& sizes) {
  return std::max(sizes.big_channels_per_group, sizes.small_channels_per_group) <= c0_of(test_case);
}

bool has_channel_tail(const Case& test_case, const Convolution& sizes) {
  return has_tail(sizes.big_channels_per_group, c0_of(test_case)) ||
         has_tail(sizes.small_channels_per_group, c0_of(test_case));
}

bool has_stride_holes(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes, [](const SpatialAxis& axis) {
    return axis.stride > 1 && small_length(axis) > 1;
  });
}

bool has_split_k(const Case&, const Convolution& sizes) {
  return tiles_of_weight(sizes) < cores && reduction_of_weight(sizes) > short_edge;
}

bool has_whole_k(const Case&, const Convolution& sizes) {
  return tiles_of_weight(sizes) >= cores && reduction_of_weight(sizes) > 1;
}

}  // namespace gradproof::cases
