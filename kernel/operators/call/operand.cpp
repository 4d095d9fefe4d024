#include "kernel/operators/call/operand.h"

namespace gradproof::kernel::operators {
namespace {

/// Decodes the elements of loops `level` and inner ones, and returns where the next value goes.
template <typename Codec>
float* decode(const std::byte* first, std::int64_t distance, const Arrangement& loops,
              std::size_t level, float* values) {
  const Loop& loop = loops[level];
  const bool innermost = level + 1 == loops.size();
  for (std::int64_t turn = 0; turn < loop.count; ++turn, distance += loop.step) {
    if (innermost) {
      *values++ = numeric::load<Codec>(first, distance);
    } else {
      values = decode<Codec>(first, distance, loops, level + 1, values);
    }
  }
  return values;
}

}  // namespace

Arrangement channels_last(const TensorView& view, std::int64_t groups) {
  const auto& [n, c, d, h, w] = view.strides;
  const std::int64_t channels = view.shape[1] / groups;
  return {{{view.shape[0], n},
           {groups, c * channels},
           {view.shape[2], d},
           {view.shape[3], h},
           {view.shape[4], w},
           {channels, c}}};
}

Arrangement taps_first(const TensorView& weight, const Problem& problem) {
  const auto& [o, c, d, h, w] = weight.strides;
  const Loop outputs{problem.output_channels, o};
  const Loop features{problem.feature_channels, c};
  return {{{problem.groups, o * problem.output_channels},
           {weight.shape[2], d},
           {weight.shape[3], h},
           {weight.shape[4], w},
           problem.transposed ? features : outputs,
           problem.transposed ? outputs : features}};
}

void arrange(const Source& source, const Arrangement& arrangement, std::span<float> values) {
  numeric::with_codec(source.view.format, [&](auto codec) {
    decode<decltype(codec)>(source.first, 0, arrangement, 0, values.data());
  });
}

}  // namespace gradproof::kernel::operators
