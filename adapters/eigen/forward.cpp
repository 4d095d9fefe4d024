#include "adapters/forward.h"

#include <unsupported/Eigen/CXX11/Tensor>

namespace gradproof::adapters {
namespace {

using Tensor = Eigen::Tensor<float, 4, Eigen::RowMajor, Eigen::Index>;  // channels, D, H, W
using Reader = Eigen::TensorMap<const Tensor>;

using Four = Eigen::array<Eigen::Index, 4>;

Four along(const Forward& forward, std::int64_t Forward::Axis::*member) {
  return {1, forward.axes[0].*member, forward.axes[1].*member, forward.axes[2].*member};
}

std::int64_t product(const Four& lengths) { return lengths[1] * lengths[2] * lengths[3]; }

/// One channel of one sample. Eigen's convolution is a correlation of all four axes, so that the
/// channels of a group add up along the first.
Tensor convolved(const Forward& forward, const Reader& in, const Reader& weight) {
  Eigen::array<std::pair<Eigen::Index, Eigen::Index>, 4> pads{};
  for (std::size_t i = 0; i < 3; ++i) {
    pads[i + 1] = {forward.axes.at(i).pad, forward.axes.at(i).pad};
  }
  const Tensor padded = in.pad(pads);
  const Tensor kernel = weight.inflate(along(forward, &Forward::Axis::dilation));
  const Eigen::array<Eigen::Index, 4> all{0, 1, 2, 3};
  const Tensor dense = padded.convolve(kernel, all);
  return dense.stride(along(forward, &Forward::Axis::stride));
}

}  // namespace

bool can_forward(const Forward&) { return true; }

void run_forward(const Forward& forward, const float* in, const float* weight, float* out) {
  const Four sizes = along(forward, &Forward::Axis::in);
  const Four kernel = along(forward, &Forward::Axis::kernel);
  const std::int64_t results = product(along(forward, &Forward::Axis::out));
  const std::int64_t ins = forward.in_channels / forward.groups;
  const std::int64_t outs = forward.out_channels / forward.groups;
  for (std::int64_t n = 0; n < forward.batch; ++n) {
    for (std::int64_t channel = 0; channel < forward.out_channels; ++channel) {
      const std::int64_t first = n * forward.in_channels + channel / outs * ins;
      const Reader map(in + first * product(sizes), ins, sizes[1], sizes[2], sizes[3]);
      const Reader filter(weight + channel * ins * product(kernel), ins, kernel[1], kernel[2],
                          kernel[3]);
      const Tensor result = convolved(forward, map, filter);
      std::copy_n(result.data(), results, out + (n * forward.out_channels + channel) * results);
    }
  }
}

}  // namespace gradproof::adapters
