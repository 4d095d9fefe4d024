#include "kernel/operators/call/global_tensor.h"

#include <algorithm>
#include <vector>

#include "kernel/cube/fractal.h"
#include "kernel/cube/weight_layout.h"

namespace gradproof::kernel::operators {
namespace {

cube::Extents extents_of(const Index& shape) {
  return {.n = shape[0], .c = shape[1], .d = shape[2], .h = shape[3], .w = shape[4]};
}

/// FLOATs as the bytes that the cube's loads take.
const std::byte* bytes_of(const float* values) {
  return reinterpret_cast<const std::byte*>(values);
}

/// Reads `count` elements of a tensor, `step` apart, to places `onto_step` apart.
template <typename Codec>
void read_row(const std::byte* first, std::int64_t from, std::int64_t step, std::int64_t count,
              float* onto, std::int64_t onto_step) {
  for (std::int64_t i = 0; i < count; ++i) {
    onto[i * onto_step] = numeric::load<Codec>(first, from + i * step);
  }
}

/// Writes a row of values of format `From`, the opposite of read_row.
template <typename From, typename Codec>
void write_row(const std::byte* values, std::int64_t from, std::int64_t step, std::int64_t count,
               numeric::OverflowMode mode, std::byte* first, std::int64_t onto,
               std::int64_t onto_step) {
  for (std::int64_t i = 0; i < count; ++i) {
    numeric::store<Codec>(numeric::load<From>(values, from + i * step), mode, first,
                          onto + i * onto_step);
  }
}

}  // namespace

GlobalLayout global_layout_on(device::Product product) {
  return product == device::Product::Ascend950 ? GlobalLayout::Dense : GlobalLayout::Private;
}

GlobalFeatureMap::GlobalFeatureMap(GlobalLayout layout, const Index& shape, std::int64_t c0)
    : layout_(layout),
      extents_(extents_of(shape)),
      c0_(c0),
      blocks_(cube::blocks_of(extents_.c, c0)) {
  const std::int64_t plane = extents_.h * extents_.w;
  if (layout == GlobalLayout::Private) {
    block_step_ = plane * c0;
    row_step_ = extents_.w * c0;
    column_step_ = c0;
    channel_step_ = 1;
  } else {
    channel_step_ = extents_.d * plane;
    block_step_ = c0 * channel_step_;
    row_step_ = extents_.w;
    column_step_ = 1;
  }
}

Checked GlobalFeatureMap::elements() const {
  const bool is_private = layout_ == GlobalLayout::Private;
  return Checked(extents_.n) * extents_.d * (is_private ? Checked(blocks_) * c0_ : extents_.c) *
         extents_.h * extents_.w;
}

std::int64_t GlobalFeatureMap::plane_start(std::int64_t n, std::int64_t d) const {
  if (layout_ == GlobalLayout::Private) return (n * extents_.d + d) * blocks_ * block_step_;
  return n * extents_.c * channel_step_ + d * extents_.h * extents_.w;
}

cube::GlobalPlane GlobalFeatureMap::plane(std::span<const float> values, std::int64_t n,
                                          std::int64_t d, std::int64_t first,
                                          std::int64_t channels) const {
  return {.first = bytes_of(values.data() + plane_start(n, d)),
          .format = numeric::Format::Binary32,
          .channels = channels,
          .c0 = c0_,
          .block_step = block_step_,
          .row_step = row_step_,
          .column_step = column_step_,
          .channel_step = channel_step_,
          .first_channel = first};
}

cube::FixpipeDestination GlobalFeatureMap::destination(std::byte* values, numeric::Format format,
                                                       std::int64_t n, std::int64_t d,
                                                       std::int64_t position,
                                                       std::int64_t channel) const {
  const std::int64_t start = plane_start(n, d) + position * column_step_;
  return {.first = values + start * static_cast<std::int64_t>(numeric::size_of(format)),
          .format = format,
          .c0 = c0_,
          .block_step = block_step_,
          .row_step = column_step_,
          .column_step = channel_step_,
          .first_column = channel};
}

void GlobalFeatureMap::arrange(const Source& source, std::span<float> values) const {
  const bool has_padding = layout_ == GlobalLayout::Private && extents_.c % c0_ != 0;
  if (has_padding) std::ranges::fill(values, 0.0F);
  const Index& strides = source.view.strides;
  const std::int64_t planes = extents_.n * extents_.d * extents_.c;
  numeric::with_codec(source.view.format, [&](auto codec) {
    for (std::int64_t i = 0; i < planes; ++i) {
      const std::int64_t n = i / extents_.c / extents_.d;
      const std::int64_t d = i / extents_.c % extents_.d;
      const std::int64_t c = i % extents_.c;
      std::int64_t from = n * strides[0] + c * strides[1] + d * strides[2];
      float* onto = values.data() + plane_start(n, d) + channel_start(c);
      for (std::int64_t h = 0; h < extents_.h; ++h, from += strides[3], onto += row_step_) {
        read_row<decltype(codec)>(source.first, from, strides[4], extents_.w, onto, column_step_);
      }
    }
  });
}

void GlobalFeatureMap::store(const std::byte* values, numeric::Format format,
                             numeric::OverflowMode mode, const Destination& destination) const {
  const Index& strides = destination.view.strides;
  const std::int64_t planes = extents_.n * extents_.c * extents_.d;
  const auto store_rows = [&](auto from_codec, auto codec) {
    for (std::int64_t i = 0; i < planes; ++i) {
      const std::int64_t n = i / extents_.d / extents_.c;
      const std::int64_t c = i / extents_.d % extents_.c;
      const std::int64_t d = i % extents_.d;
      std::int64_t onto = n * strides[0] + c * strides[1] + d * strides[2];
      std::int64_t from = plane_start(n, d) + channel_start(c);
      for (std::int64_t h = 0; h < extents_.h; ++h, from += row_step_, onto += strides[3]) {
        write_row<decltype(from_codec), decltype(codec)>(values, from, column_step_, extents_.w,
                                                         mode, destination.first, onto, strides[4]);
      }
    }
  };
  numeric::with_codec(format, [&](auto from_codec) {
    numeric::with_codec(destination.view.format,
                        [&](auto codec) { store_rows(from_codec, codec); });
  });
}

/// Where a group's weights begin, and their place on the diagonal of the block that it shares.
struct GlobalWeightMap::Block {
  std::int64_t start, first_output, first_channel;
};

GlobalWeightMap::GlobalWeightMap(GlobalLayout layout, const Index& shape, std::int64_t groups,
                                 std::int64_t c0)
    : layout_(layout), extents_(extents_of(shape)), groups_(groups), c0_(c0) {
  const std::int64_t taps = extents_.h * extents_.w;
  if (layout == GlobalLayout::Private) {
    const cube::WeightLayout packed{extents_, groups, c0};
    enlargement_ = packed.enlargement();
    padded_blocks_ = packed.enlarged_groups() * packed.c1();
    tap_step_ = packed.n1() * cube::cube_edge * c0;
    block_step_ = taps * tap_step_;
    depth_step_ = packed.c1() * block_step_;
    plane_step_ = extents_.d * depth_step_;
    output_step_ = c0;
    channel_step_ = 1;
  } else {
    enlargement_ = 1;
    padded_blocks_ = 0;
    tap_step_ = 1;
    depth_step_ = taps;
    channel_step_ = extents_.d * taps;
    block_step_ = c0 * channel_step_;
    output_step_ = extents_.c * channel_step_;
    plane_step_ = extents_.n / groups * output_step_;
  }
}

Checked GlobalWeightMap::elements() const {
  const Checked taps = Checked(extents_.d) * extents_.h * extents_.w;
  if (layout_ == GlobalLayout::Dense) return taps * extents_.n * extents_.c;
  const cube::WeightLayout packed{extents_, groups_, c0_};
  return taps * padded_blocks_ * packed.n1() * cube::cube_edge * c0_;
}

GlobalWeightMap::Block GlobalWeightMap::block(std::int64_t group) const {
  const std::int64_t place = group % enlargement_;
  return {.start = group / enlargement_ * plane_step_,
          .first_output = place * (extents_.n / groups_),
          .first_channel = place * extents_.c};
}

cube::GlobalWeight GlobalWeightMap::slice(std::span<const float> values, std::int64_t group,
                                          std::int64_t depth) const {
  const Block at = block(group);
  return {.first = bytes_of(values.data() + at.start + depth * depth_step_),
          .format = numeric::Format::Binary32,
          .outputs = extents_.n / groups_,
          .channels = extents_.c,
          .taps = extents_.h * extents_.w,
          .c0 = c0_,
          .block_step = block_step_,
          .tap_step = tap_step_,
          .output_step = output_step_,
          .channel_step = channel_step_,
          .first_output = at.first_output,
          .first_channel = at.first_channel};
}

cube::FixpipeDestination GlobalWeightMap::destination(float* values, std::int64_t group,
                                                      std::int64_t depth, std::int64_t tap,
                                                      std::int64_t output,
                                                      std::int64_t channel) const {
  const Block at = block(group);
  float* const first = values + at.start + depth * depth_step_ + tap * tap_step_ +
                       (at.first_output + output) * output_step_;
  return {.first = reinterpret_cast<std::byte*>(first),
          .format = numeric::Format::Binary32,
          .c0 = c0_,
          .block_step = block_step_,
          .row_step = output_step_,
          .column_step = channel_step_,
          .first_column = at.first_channel + channel};
}

/// Calls `visit(o, c, start)` with each output and channel and where its taps begin.
template <typename Visit>
void GlobalWeightMap::for_each_channel(const Visit& visit) const {
  const std::int64_t outputs = extents_.n / groups_;
  for (std::int64_t o = 0; o < extents_.n; ++o) {
    const Block at = block(o / outputs);
    const std::int64_t row = at.start + (at.first_output + o % outputs) * output_step_;
    for (std::int64_t c = 0; c < extents_.c; ++c) {
      const std::int64_t channel = at.first_channel + c;
      visit(o, c, row + channel / c0_ * block_step_ + channel % c0_ * channel_step_);
    }
  }
}

void GlobalWeightMap::arrange(const Source& source, std::span<float> values) const {
  if (layout_ == GlobalLayout::Private) std::ranges::fill(values, 0.0F);
  const Index& strides = source.view.strides;
  numeric::with_codec(source.view.format, [&](auto codec) {
    for_each_channel([&](std::int64_t o, std::int64_t c, std::int64_t start) {
      const std::int64_t first = o * strides[0] + c * strides[1];
      for (std::int64_t i = 0; i < extents_.d * extents_.h; ++i) {
        const std::int64_t d = i / extents_.h, h = i % extents_.h;
        read_row<decltype(codec)>(
            source.first, first + d * strides[2] + h * strides[3], strides[4], extents_.w,
            values.data() + start + d * depth_step_ + h * extents_.w * tap_step_, tap_step_);
      }
    });
  });
}

void GlobalWeightMap::store(std::span<const float> values, numeric::OverflowMode mode,
                            const Destination& destination) const {
  const Index& strides = destination.view.strides;
  numeric::with_codec(destination.view.format, [&](auto codec) {
    for_each_channel([&](std::int64_t o, std::int64_t c, std::int64_t start) {
      const std::int64_t first = o * strides[0] + c * strides[1];
      for (std::int64_t i = 0; i < extents_.d * extents_.h; ++i) {
        const std::int64_t d = i / extents_.h, h = i % extents_.h;
        write_row<numeric::Binary32, decltype(codec)>(
            bytes_of(values.data()), start + d * depth_step_ + h * extents_.w * tap_step_,
            tap_step_, extents_.w, mode, destination.first, first + d * strides[2] + h * strides[3],
            strides[4]);
      }
    });
  });
}

}  // namespace gradproof::kernel::operators
