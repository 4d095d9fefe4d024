#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace gradproof::bench {

/// D, H, W; what a layer lacks is 1, its padding 0.
using Lengths = std::array<std::int64_t, 3>;

/// A convolution as networks have it: symmetric padding, lengths in elements.
struct Layer {
  const char* name;
  int dimensions;
  std::int64_t batch, groups, input_channels, output_channels;
  Lengths input, kernel, stride, padding, dilation;

  std::int64_t output_length(std::size_t axis) const {
    const std::int64_t reach = dilation.at(axis) * (kernel.at(axis) - 1) + 1;
    return (input.at(axis) + 2 * padding.at(axis) - reach) / stride.at(axis) + 1;
  }
  std::int64_t output_positions() const {
    return output_length(0) * output_length(1) * output_length(2);
  }
  std::int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  std::int64_t weight_elements() const {
    return output_channels * (input_channels / groups) * taps();
  }

  /// Multiply-accumulates of dx, and of dw, padding counted as work.
  double products() const {
    return static_cast<double>(batch * output_positions()) * static_cast<double>(weight_elements());
  }
};

/// ResNet-50's kinds of layers at N = 2, depthwise, 3D, 1D, dilated, and three tiny ones.
std::span<const Layer> kernel_layers();

}  // namespace gradproof::bench
