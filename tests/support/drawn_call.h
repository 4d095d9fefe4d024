// Random calls of convolution backward with their tensors in memory, for tests that compute them in
// more than one way.
#pragma once

#include "kernel/operators/convolution_backward.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace gradproof::kernel::operators {

using numeric::Format;
using numeric::OverflowMode;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    const auto span = static_cast<std::uint64_t>(highest - lowest + 1);
    return lowest + static_cast<std::int64_t>(engine_() % span);
  }
  bool chance(int percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937_64 engine_;
};

/// One spatial axis of the underlying convolution, valid by construction.
struct AxisDraw {
  std::int64_t big, small, kernel, stride, dilation, begin, end;
};

inline AxisDraw draw_axis(Random& random, bool symmetric) {
  for (;;) {
    AxisDraw axis{};
    axis.small = random.between(1, 5);
    axis.kernel = random.between(1, 4);
    axis.stride = random.between(1, 4);
    axis.dilation = random.between(1, 3);
    axis.begin = random.between(0, 4);
    axis.end = symmetric ? axis.begin : random.between(0, 4);
    const std::int64_t covered =
        (axis.small - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1;
    axis.big = covered - axis.begin - axis.end + random.between(0, axis.stride - 1);
    if (axis.big >= 1) return axis;
  }
}

/// A tensor in memory of its own, with whatever strides, offset and gaps; unused bytes hold a
/// pattern.
class Stored {
 public:
  Stored(Format format, const std::vector<std::int64_t>& shape, bool strided, Random& random) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (strided) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(
            order[i - 1],
            order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
      }
    }
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = strided ? random.between(1, 3) : 1;
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
      strides[*axis] = step;
      step *= shape[*axis] + (strided ? random.between(0, 2) : 0);
    }
    const std::int64_t offset = random.between(0, 5);
    view_ = shape.size() == 1 ? lifted_channels(format, shape[0], strides[0], offset)
                              : lifted(format, shape, strides, offset);
    const auto elements = static_cast<std::size_t>(offset + step + 3);
    memory_.assign(elements * numeric::size_of(format), std::byte{0xA5});
  }

  const TensorView& view() const { return view_; }
  std::byte* first() {
    return memory_.data() +
           view_.offset * static_cast<std::int64_t>(numeric::size_of(view_.format));
  }

  float at(const Index& index) {
    return numeric::with_codec(view_.format, [&](auto codec) {
      return numeric::load<decltype(codec)>(first(), view_.distance(index));
    });
  }

  template <typename Value>
  void fill(Value&& value) {
    for_each([&](const Index& index) {
      Destination{view_, first()}.store(index, value(), OverflowMode::InfNan);
    });
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    const Index& s = view_.shape;
    for (std::int64_t n = 0; n < s[0]; ++n)
      for (std::int64_t c = 0; c < s[1]; ++c)
        for (std::int64_t d = 0; d < s[2]; ++d)
          for (std::int64_t h = 0; h < s[3]; ++h)
            for (std::int64_t w = 0; w < s[4]; ++w) visit(Index{n, c, d, h, w});
  }

  /// Bytes that belong to no element still hold the pattern.
  bool gaps_untouched() {
    std::vector<bool> used(memory_.size());
    const auto size = static_cast<std::int64_t>(numeric::size_of(view_.format));
    for_each([&](const Index& index) {
      const std::int64_t start = (view_.offset + view_.distance(index)) * size;
      for (std::int64_t i = 0; i < size; ++i) used[static_cast<std::size_t>(start + i)] = true;
    });
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (!used[i] && memory_[i] != std::byte{0xA5}) return false;
    }
    return true;
  }

 private:
  TensorView view_;
  std::vector<std::byte> memory_;
};

struct Formats {
  Format grad_output, input, weight, grad_input, grad_weight, grad_bias;
};

/// A random call with its tensors.
struct Example {
  int dimensions;
  bool transposed, four_paddings;
  std::int64_t batch, groups, features, outputs;  // channels per group
  std::vector<AxisDraw> axes;
  std::vector<Stored> tensors;  // gradOutput, input, weight, gradInput, gradWeight, gradBias

  Stored& grad_output() { return tensors[0]; }
  Stored& input() { return tensors[1]; }
  Stored& weight() { return tensors[2]; }
  Stored& grad_input() { return tensors[3]; }
  Stored& grad_weight() { return tensors[4]; }
  Stored& grad_bias() { return tensors[5]; }
  Stored& big() { return transposed ? grad_output() : input(); }
  Stored& small() { return transposed ? input() : grad_output(); }
};

inline std::vector<std::int64_t> shape_of(std::int64_t n, std::int64_t c, const Example& example,
                                          std::int64_t AxisDraw::*length) {
  std::vector<std::int64_t> shape{n, c};
  for (const AxisDraw& axis : example.axes) shape.push_back(axis.*length);
  return shape;
}

/// Gives an example whose numbers are set its tensors, some of them strided.
inline void allocate(Example& example, const Formats& formats, Random& random,
                     int percent_strided) {
  const auto big =
      shape_of(example.batch, example.groups * example.features, example, &AxisDraw::big);
  const auto small =
      shape_of(example.batch, example.groups * example.outputs, example, &AxisDraw::small);
  const auto weight =
      shape_of(example.groups * example.outputs, example.features, example, &AxisDraw::kernel);
  const auto& grad_output = example.transposed ? big : small;
  const auto& input = example.transposed ? small : big;
  const auto make = [&](Format format, const std::vector<std::int64_t>& shape) {
    example.tensors.emplace_back(format, shape, random.chance(percent_strided), random);
  };
  make(formats.grad_output, grad_output);
  make(formats.input, input);
  make(formats.weight, weight);
  make(formats.grad_input, input);
  make(formats.grad_weight, weight);
  make(formats.grad_bias, {grad_output[1]});
}

inline Example draw_example(Random& random, const Formats& formats, std::int64_t most_channels) {
  Example example{.dimensions = static_cast<int>(random.between(1, 3)),
                  .transposed = random.chance(40),
                  .four_paddings = false,
                  .batch = random.between(1, 3),
                  .groups = random.chance(50) ? 1 : random.between(2, 3),
                  .features = random.between(1, most_channels),
                  .outputs = random.between(1, most_channels),
                  .axes = {},
                  .tensors = {}};
  example.four_paddings = example.dimensions == 2 && random.chance(50);
  for (int i = 0; i < example.dimensions; ++i) {
    example.axes.push_back(draw_axis(random, !example.four_paddings));
  }
  allocate(example, formats, random, 50);
  return example;
}

inline constexpr Formats all(Format format) {
  return {format, format, format, format, format, format};
}

/// Gradients that a call asks for.
struct Requested {
  bool grad_input = true, grad_weight = true, grad_bias = true;
};

/// The call of an example, as phase two receives it.
inline ConvolutionBackward call_of(Example& example, const Arithmetic& arithmetic,
                                   const Launch& launch = {}, const Requested& requested = {}) {
  std::vector<std::int64_t> stride, padding, dilation;
  for (const AxisDraw& axis : example.axes) {
    stride.push_back(axis.stride);
    dilation.push_back(axis.dilation);
    padding.push_back(axis.begin);
    if (example.four_paddings) padding.push_back(axis.end);
  }
  ConvolutionBackward call;
  call.grad_output = example.grad_output().view();
  call.input = example.input().view();
  call.weight = example.weight().view();
  if (requested.grad_input) call.grad_input = example.grad_input().view();
  if (requested.grad_weight) call.grad_weight = example.grad_weight().view();
  if (requested.grad_bias) call.grad_bias = example.grad_bias().view();
  call.arithmetic = arithmetic;
  call.launch = launch;
  call.problem = normalised(call.grad_output, call.input, call.weight,
                            {.stride = stride,
                             .padding = padding,
                             .dilation = dilation,
                             .groups = example.groups,
                             .transposed = example.transposed});
  return call;
}

}  // namespace gradproof::kernel::operators
