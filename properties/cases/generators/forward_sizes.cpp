#include "properties/cases/generators/sizes.h"

#include <algorithm>

namespace gradproof::cases {

using Lengths = std::vector<std::int64_t>;

Lengths values_of(const Convolution& sizes, std::int64_t SpatialAxis::*member) {
  Lengths values;
  for (const SpatialAxis& axis : sizes.axes) values.push_back(axis.*member);
  return values;
}

Lengths draw_padding(Convolution& sizes, bool transposed, corpus::RandomSource& random) {
  if (sizes.axes.size() == 1 && !transposed && random.chance(30)) {
    SpatialAxis& line = sizes.axes.front();
    const std::int64_t more = std::min(random.between(0, 3), line.big - 1);
    line.big -= more;  // as much as the end has more
    return {line.padding_begin, line.padding_end + more};
  }
  const bool differs = std::ranges::any_of(
      sizes.axes, [](const SpatialAxis& axis) { return axis.padding_begin != axis.padding_end; });
  if (sizes.axes.size() != 2 || (!differs && random.chance(70))) {
    return values_of(sizes, &SpatialAxis::padding_begin);
  }
  const auto &rows = sizes.axes[0], &columns = sizes.axes[1];
  return {rows.padding_begin, rows.padding_end, columns.padding_begin, columns.padding_end};
}

void cut_into_long_pieces(Convolution& sizes, corpus::RandomSource& random) {
  SpatialAxis& line = sizes.axes.front();
  sizes.groups = sizes.big_channels_per_group = 1;
  line = {.kernel = random.between(60, 90)};
  line.stride = line.kernel;
  const std::int64_t outputs = random.between(1, 9), unread = random.between(0, 5);
  set_lengths(line, outputs, unread);
}

void even_out(SpatialAxis& axis) {
  const std::int64_t covered = axis.padding_begin + axis.big + axis.padding_end;
  axis.padding_begin = axis.padding_end = std::min(axis.padding_begin, (covered - 1) / 2);
  axis.big = covered - 2 * axis.padding_begin;
}

}  // namespace gradproof::cases
