#pragma once

// A convolution in host memory and in the private layouts, and its gradients by definition: what
// kernels written with Ascend C are held against.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernel/cube/weight_layout.h"
#include "kernel/device/device.h"
#include "tests/kernel/cube/feature_map_layout.h"
#include "tests/support/layout_storage.h"

namespace gradproof::kernel::ascendc {

/// One axis: D, H or W.
struct TestAxis {
  std::int64_t input = 1, kernel = 1, stride = 1, dilation = 1, pad_before = 0, pad_after = 0;

  std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
  std::int64_t output() const { return (input + pad_before + pad_after - reach()) / stride + 1; }
  bool is_legal() const { return input + pad_before + pad_after >= reach(); }

  /// The output that reads `position` with `tap`, or -1.
  std::int64_t output_reading(std::int64_t position, std::int64_t tap) const {
    const std::int64_t spread = position + pad_before - tap * dilation;
    if (spread < 0 || spread % stride != 0) return -1;
    return spread / stride < output() ? spread / stride : -1;
  }
};

struct Convolution {
  std::int64_t batch = 1, cout = 1, cin = 1;
  TestAxis d, h, w;

  cube::Extents grad_output() const { return {batch, cout, d.output(), h.output(), w.output()}; }
  cube::Extents input() const { return {batch, cin, d.input, h.input, w.input}; }
  cube::Extents weight() const { return {cout, cin, d.kernel, h.kernel, w.kernel}; }
};

/// Values by position, as the program that checks sees them.
struct Dense {
  cube::Extents extents;
  std::vector<float> values;

  explicit Dense(const cube::Extents& shape)
      : extents(shape),
        values(static_cast<std::size_t>(shape.n * shape.c * shape.d * shape.h * shape.w)) {}

  float& at(const cube::Extents& p) { return values[index(p)]; }
  float at(const cube::Extents& p) const { return values[index(p)]; }

 private:
  std::size_t index(const cube::Extents& p) const {
    const auto& e = extents;
    return static_cast<std::size_t>((((p.n * e.c + p.c) * e.d + p.d) * e.h + p.h) * e.w + p.w);
  }
};

/// Elements as they lie in device memory; padding is 0.
template <typename T, typename Layout>
std::vector<T> arranged(const Dense& dense, const Layout& layout) {
  std::vector<T> elements(static_cast<std::size_t>(cube::storage_of(layout)), T(0.0F));
  cube::for_each_position(dense.extents, [&](const cube::Extents& at) {
    elements[static_cast<std::size_t>(layout.index(at))] = T(dense.at(at));
  });
  return elements;
}

/// Calls visit(gradOutput position, weight position) for each product of one element of gradInput,
/// in the order in which the simulated cube adds them: kd, then blocks of output channels, kh and
/// kw downwards, and the channels of the block.
inline void for_each_product(
    const Convolution& conv, const cube::Extents& at, std::int64_t c0,
    const std::function<void(const cube::Extents&, const cube::Extents&)>& visit) {
  for (std::int64_t kd = 0; kd < conv.d.kernel; ++kd) {
    const std::int64_t depth = conv.d.output_reading(at.d, kd);
    if (depth < 0) continue;
    for (std::int64_t block = 0; block < conv.cout; block += c0) {
      for (std::int64_t kh = conv.h.kernel - 1; kh >= 0; --kh) {
        for (std::int64_t kw = conv.w.kernel - 1; kw >= 0; --kw) {
          const std::int64_t row = conv.h.output_reading(at.h, kh);
          const std::int64_t column = conv.w.output_reading(at.w, kw);
          if (row < 0 || column < 0) continue;
          for (std::int64_t co = block; co < std::min(block + c0, conv.cout); ++co) {
            visit({at.n, co, depth, row, column}, {co, at.c, kd, kh, kw});
          }
        }
      }
    }
  }
}

/// Whether the current device rounds a product and its sum once.
inline bool fuses_products() {
  const auto device = device::current_device_state();
  return device && device->float_products == device::FloatProducts::Fused;
}

inline float with_product(float sum, float left, float right, bool fused) {
  if (fused) return std::fma(left, right, sum) + 0.0F;
  const float product = left * right;
  return sum + product;
}

/// gradInput as one FLOAT sum per element in that order.
inline Dense grad_input_by_definition(const Convolution& conv, const Dense& grad_output,
                                      const Dense& weight, std::int64_t c0) {
  Dense result(conv.input());
  const bool fused = fuses_products();
  cube::for_each_position(conv.input(), [&](const cube::Extents& at) {
    float sum = 0.0F;
    for_each_product(conv, at, c0, [&](const cube::Extents& dy, const cube::Extents& w) {
      sum = with_product(sum, grad_output.at(dy), weight.at(w), fused);
    });
    result.at(at) = sum;
  });
  return result;
}

}  // namespace gradproof::kernel::ascendc
