#pragma once

// A drawn call computed by the plain gradients, and the products that its formulas have.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/operators/convolution_backward.h"
#include "tests/support/drawn_call.h"

namespace gradproof::kernel::operators {

/// Runs the operator the way phase two does, in a workspace of exactly the bytes asked for, at an
/// odd address.
inline void compute(Example& example, const Arithmetic& arithmetic, Requested requested = {}) {
  const ConvolutionBackward call = call_of(example, arithmetic, {}, requested);
  const auto bytes = workspace_bytes(call);
  ASSERT_TRUE(bytes);
  ASSERT_GT(*bytes, 0U);
  constexpr std::size_t guard = 64;
  std::vector<std::byte> workspace(*bytes + 2 * guard + 1, std::byte{0x5A});
  run(call, {.grad_output = example.grad_output().first(),
             .input = example.input().first(),
             .weight = example.weight().first(),
             .grad_input = example.grad_input().first(),
             .grad_weight = example.grad_weight().first(),
             .grad_bias = example.grad_bias().first(),
             .workspace = workspace.data() + guard + 1});
  const auto is_guard = [](std::byte byte) { return byte == std::byte{0x5A}; };
  EXPECT_TRUE(std::all_of(workspace.begin(), workspace.begin() + guard + 1, is_guard));
  EXPECT_TRUE(std::all_of(workspace.end() - guard, workspace.end(), is_guard));
}

inline std::size_t linear(const Index& index, const Index& shape) {
  std::int64_t position = 0;
  for (std::size_t axis = 0; axis < 5; ++axis) position = position * shape[axis] + index[axis];
  return static_cast<std::size_t>(position);
}

inline std::size_t count(const Index& shape) {
  return static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3] * shape[4]);
}

/// Calls `visit` with (output index, weight index, feature index) of every product there is.
template <typename Visit>
void for_each_product(Example& example, Visit&& visit) {
  std::array<AxisDraw, 3> axes;
  axes.fill({1, 1, 1, 1, 1, 0, 0});
  std::copy(example.axes.begin(), example.axes.end(), axes.end() - example.dimensions);
  const Index weight = example.weight().view().shape;
  example.small().for_each([&](const Index& out) {
    const std::int64_t group = out[1] / example.outputs;
    for (std::int64_t c = 0; c < example.features; ++c)
      for (std::int64_t a = 0; a < weight[2]; ++a)
        for (std::int64_t b = 0; b < weight[3]; ++b)
          for (std::int64_t e = 0; e < weight[4]; ++e) {
            const std::int64_t d = out[2] * axes[0].stride + a * axes[0].dilation - axes[0].begin;
            const std::int64_t h = out[3] * axes[1].stride + b * axes[1].dilation - axes[1].begin;
            const std::int64_t w = out[4] * axes[2].stride + e * axes[2].dilation - axes[2].begin;
            if (d < 0 || h < 0 || w < 0 || d >= axes[0].big || h >= axes[1].big ||
                w >= axes[2].big) {
              continue;
            }
            visit(out, Index{out[1], c, a, b, e},
                  Index{out[0], group * example.features + c, d, h, w});
          }
  });
}

inline Arithmetic arithmetic_for(device::Product product, ComputeType compute,
                                 OverflowMode overflow = OverflowMode::InfNan) {
  return arithmetic_on(product, compute, {.overflow = overflow});
}

}  // namespace gradproof::kernel::operators
