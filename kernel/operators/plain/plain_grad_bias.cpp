#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/plain/plain.h"

namespace gradproof::kernel::operators::plain {
namespace {

/// The sum over all of one channel.
template <typename Codec, bool saturating>
float channel_sum(const Source& source, std::int64_t channel) {
  const Index& shape = source.view.shape;
  const auto overflow =
      saturating ? numeric::OverflowMode::Saturation : numeric::OverflowMode::InfNan;
  const std::int64_t rows = shape[0] * shape[2] * shape[3];
  float sum = 0.0F;
  for (std::int64_t row = 0; row < rows; ++row) {
    const Index start{row / (shape[2] * shape[3]), channel, row / shape[3] % shape[2],
                      row % shape[3], 0};
    std::int64_t distance = source.view.distance(start);
    for (std::int64_t w = 0; w < shape[4]; ++w, distance += source.view.strides[4]) {
      const float value = numeric::load<Codec>(source.first, distance);
      const float term = saturating ? numeric::saturated(value) : value;
      sum = accumulated<saturating>(sum, term);
    }
  }
  return Codec::decode(Codec::encode(sum, overflow));
}

template <bool saturating>
void write_sums(const Source& grad_output, const Destination& destination) {
  const auto overflow =
      saturating ? numeric::OverflowMode::Saturation : numeric::OverflowMode::InfNan;
  numeric::with_codec(grad_output.view.format, [&](auto codec) {
    for (std::int64_t channel = 0; channel < grad_output.view.shape[1]; ++channel) {
      const float sum = channel_sum<decltype(codec), saturating>(grad_output, channel);
      destination.store({0, channel, 0, 0, 0}, sum, overflow);
    }
  });
}

}  // namespace

void grad_bias(const Source& grad_output, numeric::OverflowMode overflow,
               const Destination& destination) {
  const bool saturating = overflow == numeric::OverflowMode::Saturation;
  saturating ? write_sums<true>(grad_output, destination)
             : write_sums<false>(grad_output, destination);
}

}  // namespace gradproof::kernel::operators::plain
