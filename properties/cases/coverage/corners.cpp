#include "properties/cases/coverage/corners.h"

#include <algorithm>
#include <iterator>

#include "corpus/operators/operator_row.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/museum/museum.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

// How an Ascend would cut a gradient into tiles, by a simple model of our own: enough to say which
// kinds of tiles a case has, not what a device does with it. The larger feature map is dx's result
// (M: positions of one D slice, N: its channels, K: the kernel's plane times the other channels),
// the reduction of dw is cut over the cores where its result has too few tiles.

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

/// True if the last tile along M, N or K is shorter than the others.
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

/// True if all channels of a group fit one fractal, or fill several and a part of the last.
bool has_channels_within_c0(const Case& test_case, const Convolution& sizes) {
  return std::max(sizes.big_channels_per_group, sizes.small_channels_per_group) <= c0_of(test_case);
}

bool has_channel_tail(const Case& test_case, const Convolution& sizes) {
  return has_tail(sizes.big_channels_per_group, c0_of(test_case)) ||
         has_tail(sizes.small_channels_per_group, c0_of(test_case));
}

/// True if positions of the larger map lie between those of the stride: they become zeros.
bool has_stride_holes(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes, [](const SpatialAxis& axis) {
    return axis.stride > 1 && small_length(axis) > 1;
  });
}

/// True if dw has fewer tiles than the chip has cores and a reduction to share out among them; or
/// has enough tiles.
bool has_split_k(const Case&, const Convolution& sizes) {
  return tiles_of_weight(sizes) < cores && reduction_of_weight(sizes) > short_edge;
}

bool has_whole_k(const Case&, const Convolution& sizes) {
  return tiles_of_weight(sizes) >= cores && reduction_of_weight(sizes) > 1;
}

template <auto member, std::int64_t value>
bool has(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes,
                             [](const SpatialAxis& axis) { return axis.*member == value; });
}

template <std::int64_t value>
bool has_channels(const Case&, const Convolution& sizes) {
  return sizes.small_channels_per_group == value || sizes.big_channels_per_group == value;
}

template <std::int64_t value>
bool has_positions(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes,
                             [](const SpatialAxis& axis) { return small_length(axis) == value; });
}

bool has_most_groups(const Case& test_case, const Convolution&) {
  return test_case.groups == 65'535;
}

bool is_one_element(const Case& test_case, const Convolution&) {
  return corpus::element_count(test_case.grad_output->shape) == 1;
}

bool has_kernel_above_map(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes,
                             [](const SpatialAxis& axis) { return axis.kernel > axis.big; });
}

bool has_stride_above_kernel(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes, [](const SpatialAxis& axis) {
    return axis.stride > axis.kernel && small_length(axis) > 1;
  });
}

bool has_unread_elements(const Case&, const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes,
                             [](const SpatialAxis& axis) { return unread_length(axis) > 0; });
}

template <auto member>
bool any_above_one(const Convolution& sizes) {
  return std::ranges::any_of(sizes.axes, [](const SpatialAxis& axis) { return axis.*member > 1; });
}

bool has_all_at_once(const Case& test_case, const Convolution& sizes) {
  return sizes.groups > 1 && any_above_one<&SpatialAxis::stride>(sizes) &&
         any_above_one<&SpatialAxis::dilation>(sizes) && has_unread_elements(test_case, sizes);
}

bool has_largest_output_padding(const Case& test_case, const Convolution&) {
  if (test_case.api != corpus::Api::ConvolutionBackward) return false;
  // Of a normal convolution a longer array is legal: it is not read.
  const std::size_t count = std::min(test_case.output_padding->size(), test_case.stride->size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t most = (*test_case.stride)[i] - 1;
    if (most > 0 && (*test_case.output_padding)[i] == most) return true;
  }
  return false;
}

/// False: no convolution reaches a tiling class's corner.
bool is_never(const Case&, const Convolution&) { return false; }

bool is_deterministic(const Case& test_case, const Convolution&) { return test_case.deterministic; }

constexpr Corner rows_of_calls[] = {
    {"kernel 255", has<&SpatialAxis::kernel, 255>},
    {"stride 63", has<&SpatialAxis::stride, 63>},
    {"dilation 255", has<&SpatialAxis::dilation, 255>},
    {"padding 255", has<&SpatialAxis::padding_begin, 255>},
    {"groups 65535", has_most_groups},
    {"channels 7", has_channels<7>},
    {"channels 8", has_channels<8>},
    {"channels 9", has_channels<9>},
    {"channels 15", has_channels<15>},
    {"channels 16", has_channels<16>},
    {"channels 17", has_channels<17>},
    {"channels 31", has_channels<31>},
    {"channels 32", has_channels<32>},
    {"channels 33", has_channels<33>},
    {"positions 7", has_positions<7>},
    {"positions 8", has_positions<8>},
    {"positions 9", has_positions<9>},
    {"positions 15", has_positions<15>},
    {"positions 16", has_positions<16>},
    {"positions 17", has_positions<17>},
    {"positions 31", has_positions<31>},
    {"positions 32", has_positions<32>},
    {"positions 33", has_positions<33>},
    {"gradOutput of one element", is_one_element},
    {"kernel longer than the map", has_kernel_above_map},
    {"stride above the kernel", has_stride_above_kernel},
    {"elements that no position reads", has_unread_elements},
    {"groups, stride, dilation and unread elements at once", has_all_at_once},
    {"largest output padding", has_largest_output_padding},
    {"deterministic", is_deterministic},
    {"tiling: short last tile of M", has_m_tail},
    {"tiling: short last tile of N", has_n_tail},
    {"tiling: short last tile of K", has_k_tail},
    {"tiling: channels within C0", has_channels_within_c0},
    {"tiling: channels fill a part of their last C0", has_channel_tail},
    {"tiling: stride holes", has_stride_holes},
    {"tiling: split K", has_split_k},
    {"tiling: whole K", has_whole_k},
};

/// Corners of calls: places of their own, then what published bugs need.
const std::vector<Corner>& corners_of_calls() {
  static const std::vector<Corner> all = [] {
    std::vector<Corner> rows(std::begin(rows_of_calls), std::end(rows_of_calls));
    for (const MuseumRow& row : museum()) {
      if (row.triggers != nullptr) rows.push_back({row.thread, row.triggers});
    }
    return rows;
  }();
  return all;
}

}  // namespace

std::span<const Corner> corners() {
  static const std::vector<Corner> all = [] {
    std::vector<Corner> rows = corners_of_calls();
    for (const std::string_view name : tiling_class_corners()) rows.push_back({name, is_never});
    return rows;
  }();
  return all;
}

std::vector<std::uint16_t> corners_of(const Case& test_case) {
  std::vector<std::uint16_t> places;
  if (corpus::is_tiling_class(test_case.api)) {
    places = tiling_class_corners_of(test_case);
    for (std::uint16_t& place : places) place += corners_of_calls().size();
    return places;
  }
  if (const auto lowered = corpus::lowered(test_case)) return corners_of(*lowered);
  const auto sizes = convolution_of(test_case);
  const auto& rows = corners_of_calls();
  for (std::size_t i = 0; sizes && i < rows.size(); ++i) {
    if (rows[i].contains(test_case, *sizes)) places.push_back(static_cast<std::uint16_t>(i));
  }
  return places;
}

}  // namespace gradproof::cases
