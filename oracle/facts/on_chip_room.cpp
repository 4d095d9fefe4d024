#include "oracle/facts/on_chip_room.h"

#include <algorithm>
#include <limits>

namespace gradproof::oracle {
namespace {

constexpr std::int64_t cube = 16;           // rows or columns of a cube unit's block
constexpr std::int64_t channel_bytes = 32;  // of the innermost block of channels
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

struct Axes {
  const SpatialAxis &d, &h, &w;
};

Axes axes_of(const OperatorFacts& facts) {
  return {facts.axes.values[0], facts.axes.values[1], facts.axes.values[2]};
}

constexpr std::int64_t quotient_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// The smaller; what overflowed is the larger one.
CheckedInteger smaller(CheckedInteger left, CheckedInteger right) {
  return std::min(left.value().value_or(unlimited), right.value().value_or(unlimited));
}

/// Rows of the expanded out_backprop that 16 neighbouring results read.
CheckedInteger rows_of_dx(const Axes& axes) {
  const std::int64_t width = axes.w.big;
  const CheckedInteger extent = axes.h.kernel_extent();
  CheckedInteger rows = extent + 1;
  if (width <= cube) {
    rows = extent - 1 + cube / width;
    if (cube % width != 0) rows = rows + 2;
  }
  return smaller(rows, CheckedInteger(axes.h.small) * axes.h.stride);
}

/// Planes of out_backprop that one plane of results reads at a time.
std::int64_t planes_of_dx(const SpatialAxis& depth, std::int64_t taps) {
  if (depth.kernel_extent().value() == depth.stride) return 1;
  return std::min(quotient_up(taps - 1, depth.stride) + 1, depth.small);
}

/// Positions of x that 16 neighbouring positions of out_backprop read.
CheckedInteger positions_of_dw(const Axes& axes) {
  const std::int64_t width = axes.w.small;
  const bool steps_over_rows =
      axes.h.kernel == 1 && axes.h.padding_begin == 0 && axes.h.padding_end == 0;
  const std::int64_t step = steps_over_rows ? 1 : axes.h.stride;
  const CheckedInteger extent = axes.h.kernel_extent();
  if (width >= cube) {
    const std::int64_t more = width % cube == 0 ? 0 : step;
    return (extent + more) * axes.w.big;
  }
  const std::int64_t rows = quotient_up(cube, width) + (cube % width == 0 ? 0 : 1);
  const CheckedInteger positions = (extent + CheckedInteger(rows - 1) * step) * axes.w.big;
  return floor_quotient(positions + (cube - 1), cube) * cube;
}

}  // namespace

bool has_ordinary_axes(const OperatorFacts& facts) {
  return facts.axes_are_known && std::ranges::all_of(facts.axes.all(), [](const auto& axis) {
           return std::min({axis.big, axis.small, axis.kernel, axis.stride, axis.dilation}) >= 1;
         });
}

CheckedInteger smallest_tile_of_dx(const OperatorFacts& facts, std::int64_t element_bytes) {
  const Axes axes = axes_of(facts);
  const std::int64_t block = channel_bytes / element_bytes;
  const bool one_block = (*facts.out_backprop_shape)[axis_c] <= block;
  const std::int64_t planes = planes_of_dx(axes.d, one_block ? axes.d.kernel : 1);
  const CheckedInteger maps =
      rows_of_dx(axes) * axes.w.small * axes.w.stride * planes * channel_bytes;
  const CheckedInteger taps = CheckedInteger(axes.h.kernel) * axes.w.kernel * cube * channel_bytes;
  const std::int64_t rest = element_bytes == 2 ? 256 * element_bytes : 0;
  return maps + taps + rest;
}

CheckedInteger smallest_tile_of_dw(const OperatorFacts& facts, std::int64_t element_bytes) {
  const std::int64_t bytes = cube * element_bytes;  // 16 channels: a block, of FLOAT two
  return positions_of_dw(axes_of(facts)) * bytes + cube * bytes;
}

}  // namespace gradproof::oracle
