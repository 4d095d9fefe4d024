#include <algorithm>
#include <array>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/scratch.h"
#include "kernel/operators/vector/vector_call.h"
#include "kernel/operators/vector/vector_conversions.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

/// Channels side by side, each with its one running sum. Lanes are channels.
template <typename Codec>
class ChannelSums {
 public:
  ChannelSums(const Source& source, const VectorKernels& kernels, std::int64_t first)
      : source_(source),
        kernels_(kernels),
        conversions_(conversions_of(kernels)),
        first_(first),
        channels_(std::min(kernels.lanes, source.view.shape[1] - first)),
        is_float_aligned_(is_float_aligned(source)) {}

  /// Sums all positions of the channels from the first on; the array holds a vector of them.
  void add_all(float* sums, Scratch& scratch) {
    scratch.reserve(Scratch::padded(kernels_.lanes * longest_piece));
    decoded_ = scratch.take(kernels_.lanes * longest_piece);
    const Index& shape = source_.view.shape;
    const Index& strides = source_.view.strides;
    // Rows that lie behind one another are one row.
    const bool joins_rows = shape[3] == 1 || strides[3] == shape[4] * strides[4];
    const bool joins_slices =
        joins_rows && (shape[2] == 1 || strides[2] == shape[3] * shape[4] * strides[4]);
    const std::int64_t run = shape[4] * (joins_rows ? shape[3] : 1) * (joins_slices ? shape[2] : 1);
    for (std::int64_t n = 0; n < shape[0]; ++n) {
      for (std::int64_t d = 0; d < (joins_slices ? 1 : shape[2]); ++d) {
        for (std::int64_t h = 0; h < (joins_rows ? 1 : shape[3]); ++h) {
          add_run(source_.view.distance({n, first_, d, h, 0}), run, sums);
        }
      }
    }
  }

 private:
  static constexpr std::int64_t longest_piece = 256;

  static bool is_float_aligned(const Source& source) {
    return std::is_same_v<Codec, numeric::Binary32> &&
           reinterpret_cast<std::uintptr_t>(source.first) % alignof(float) == 0;
  }

  /// Adds `count` neighbouring positions of every channel.
  void add_run(std::int64_t from, std::int64_t count, float* sums) {
    const Index& strides = source_.view.strides;
    // Rows of one element that an expanded view joins lie in one place, with the step 0.
    const bool lie_side_by_side = strides[4] == 1 || count == 1;
    if (is_float_aligned_ && lie_side_by_side) {
      kernels_.add_rows({.first = reinterpret_cast<const float*>(source_.first) + from,
                         .row_step = strides[1],
                         .rows = channels_,
                         .count = count},
                        sums);
      return;
    }
    for (std::int64_t first = 0; first < count; first += longest_piece) {
      const std::int64_t piece = std::min(longest_piece, count - first);
      for (std::int64_t c = 0; c < channels_; ++c) {
        decode(from + c * strides[1] + first * strides[4], piece, decoded_ + c * longest_piece);
      }
      kernels_.add_rows(
          {.first = decoded_, .row_step = longest_piece, .rows = channels_, .count = piece}, sums);
    }
  }

  void decode(std::int64_t from, std::int64_t count, float* values) const {
    const std::int64_t step = source_.view.strides[4];
    if (step == 1 || count == 1) {
      decode_neighbours(source_.first + from * element_bytes, count, values);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      values[i] = numeric::load<Codec>(source_.first, from + i * step);
    }
  }

  static constexpr auto element_bytes = static_cast<std::int64_t>(sizeof(typename Codec::Bits));

  void decode_neighbours(const std::byte* first, std::int64_t count, float* values) const {
    if constexpr (std::is_same_v<Codec, numeric::Half>) {
      conversions_.widen_half(first, values, count);
    } else if constexpr (std::is_same_v<Codec, numeric::BFloat16>) {
      conversions_.widen_bfloat16(first, values, count);
    } else {
      for (std::int64_t i = 0; i < count; ++i) values[i] = numeric::load<Codec>(first, i);
    }
  }

  const Source& source_;
  const VectorKernels& kernels_;
  const VectorConversions& conversions_;
  const std::int64_t first_, channels_;
  const bool is_float_aligned_;
  float* decoded_ = nullptr;
};

}  // namespace

Outcome grad_bias(const Source& grad_output, const Launch& launch, const Destination& destination) {
  const VectorKernels& kernels = kernels_of(launch);
  const Index& shape = grad_output.view.shape;
  constexpr auto overflow = numeric::OverflowMode::InfNan;
  const double elements = static_cast<double>(shape[0]) *
                          static_cast<double>(shape[2] * shape[3] * shape[4]) *
                          static_cast<double>(kernels.lanes);
  return numeric::with_codec(grad_output.view.format, [&](auto codec) {
    using Codec = decltype(codec);
    const auto block = [&](std::int64_t number, cube::LocalBuffers&) -> Outcome {
      constexpr std::size_t most_lanes = 16;
      std::array<float, most_lanes> sums{};
      const std::int64_t first = number * kernels.lanes;
      ChannelSums<Codec>(grad_output, kernels, first)
          .add_all(sums.data(), Scratch::of_this_thread());
      for (std::int64_t c = first; c < std::min(shape[1], first + kernels.lanes); ++c) {
        const float sum = sums.at(static_cast<std::size_t>(c - first));
        // As the reduction returns it, in the format of its input.
        destination.store({0, c, 0, 0, 0}, Codec::decode(Codec::encode(sum, overflow)), overflow);
      }
      return {};
    };
    return run_on_cores(launch, cube::blocks_of(shape[1], kernels.lanes), elements, block);
  });
}

}  // namespace gradproof::kernel::operators::vector_path
