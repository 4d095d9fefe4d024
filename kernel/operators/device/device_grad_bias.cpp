#include <algorithm>

#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/device/device.h"
#include "kernel/operators/vector/vector_call.h"

namespace gradproof::kernel::operators::device_path {
namespace {

/// One channel of gradOutput, summed by a vector core: row by row through UB, one running FLOAT
/// sum.
template <typename Codec, bool saturating>
class ChannelSum {
 public:
  ChannelSum(const Source& source, std::span<float> ub) : source_(source), ub_(ub) {}

  float of(std::int64_t channel) {
    const Index& shape = source_.view.shape;
    sum_ = 0.0F;
    for (std::int64_t n = 0; n < shape[0]; ++n) {
      for (std::int64_t d = 0; d < shape[2]; ++d) {
        for (std::int64_t h = 0; h < shape[3]; ++h) add_row({n, channel, d, h, 0});
      }
    }
    return sum_;
  }

 private:
  /// Adds up a row of W, as much at a time as UB holds.
  void add_row(Index at) {
    const auto room = static_cast<std::int64_t>(ub_.size());
    const std::int64_t width = source_.view.shape[4];
    for (; at[4] < width; at[4] += room) {
      const std::int64_t count = std::min(room, width - at[4]);
      load(source_.view.distance(at), count);
      for (std::int64_t i = 0; i < count; ++i) sum_ = accumulated<saturating>(sum_, ub_[i]);
    }
  }

  void load(std::int64_t from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const float value = numeric::load<Codec>(source_.first, from + i * source_.view.strides[4]);
      ub_[static_cast<std::size_t>(i)] = saturating ? numeric::saturated(value) : value;
    }
  }

  const Source& source_;
  const std::span<float> ub_;
  float sum_ = 0.0F;
};

/// The sum as the reduction returns it, in the format of its input, into gradBias.
template <typename Codec, bool saturating>
Outcome write_channel(const Source& source, std::int64_t channel, const Destination& destination,
                      cube::LocalBuffers& core) {
  constexpr auto overflow =
      saturating ? numeric::OverflowMode::Saturation : numeric::OverflowMode::InfNan;
  constexpr std::int64_t longest_piece = 4096;
  const auto ub = core.ub.allocate(std::min(longest_piece, source.view.shape[4]), sizeof(float));
  if (!ub) return tl::unexpected(ub.error());
  const float sum = ChannelSum<Codec, saturating>(source, *ub).of(channel);
  destination.store({0, channel, 0, 0, 0}, Codec::decode(Codec::encode(sum, overflow)), overflow);
  return {};
}

}  // namespace

Outcome grad_bias(const Source& grad_output, numeric::OverflowMode overflow, const Launch& launch,
                  const Destination& destination) {
  if (launch.path == device::OperatorPath::Device &&
      overflow != numeric::OverflowMode::Saturation) {
    return vector_path::grad_bias(grad_output, launch, destination);
  }
  const Index& shape = grad_output.view.shape;
  const double elements =
      static_cast<double>(shape[0]) * static_cast<double>(shape[2] * shape[3] * shape[4]);
  const bool saturating = overflow == numeric::OverflowMode::Saturation;
  return numeric::with_codec(grad_output.view.format, [&](auto codec) {
    using Codec = decltype(codec);
    return run_on_cores(
        launch, shape[1], elements, [&](std::int64_t channel, cube::LocalBuffers& core) {
          return saturating ? write_channel<Codec, true>(grad_output, channel, destination, core)
                            : write_channel<Codec, false>(grad_output, channel, destination, core);
        });
  });
}

}  // namespace gradproof::kernel::operators::device_path
