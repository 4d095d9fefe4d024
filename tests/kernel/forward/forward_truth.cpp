#include <array>

#include "tests/kernel/forward/forward_call.h"

namespace gradproof::kernel {
namespace {

/// Lengths by N, C and three spatial axes.
using Five = std::array<std::int64_t, 5>;

Five lifted(const Ints& shape) {
  Five five{1, 1, 1, 1, 1};
  five[0] = shape[0];
  five[1] = shape[1];
  for (std::size_t i = 2; i < shape.size(); ++i) five[i + 5 - shape.size()] = shape[i];
  return five;
}

std::size_t place(const Five& shape, const Five& at) {
  std::int64_t place = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) place = place * shape[i] + at[i];
  return static_cast<std::size_t>(place);
}

template <typename Visit>
void for_each(const Five& shape, Visit visit) {
  Five at{};
  for (at[0] = 0; at[0] < shape[0]; ++at[0])
    for (at[1] = 0; at[1] < shape[1]; ++at[1])
      for (at[2] = 0; at[2] < shape[2]; ++at[2])
        for (at[3] = 0; at[3] < shape[3]; ++at[3])
          for (at[4] = 0; at[4] < shape[4]; ++at[4]) visit(at);
}

struct Steps {
  std::array<std::int64_t, 3> stride{1, 1, 1}, dilation{1, 1, 1}, padding{};
};

Steps steps_of(const ForwardAttributes& call, std::size_t axes) {
  Steps steps;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t to = 3 - axes + i;
    steps.stride[to] = call.stride[i];
    steps.dilation[to] = call.dilation[i];
    steps.padding[to] = call.padding[call.padding.size() == 2 * axes ? 2 * i : i];
  }
  return steps;
}

std::vector<double> tbc(const Ints& x_shape, const Ints& w_shape, const Ints& y_shape,
                        std::int64_t pad, const std::vector<float>& x, const std::vector<float>& w,
                        const std::vector<float>& bias) {
  std::vector<double> y;
  for (std::int64_t t = 0; t < y_shape[0]; ++t) {
    for (std::int64_t b = 0; b < y_shape[1]; ++b) {
      for (std::int64_t c0 = 0; c0 < y_shape[2]; ++c0) {
        double sum = double{bias[static_cast<std::size_t>(c0)]};
        for (std::int64_t k = 0; k < w_shape[0]; ++k) {
          if (t + k < pad || t + k - pad >= x_shape[0]) continue;
          for (std::int64_t c1 = 0; c1 < x_shape[2]; ++c1) {
            const auto of_x = ((t + k - pad) * x_shape[1] + b) * x_shape[2] + c1;
            const auto of_w = (k * w_shape[1] + c1) * w_shape[2] + c0;
            sum += double{x[static_cast<std::size_t>(of_x)]} *
                   double{w[static_cast<std::size_t>(of_w)]};
          }
        }
        y.push_back(sum);
      }
    }
  }
  return y;
}

}  // namespace

std::vector<double> forward_truth(const ForwardAttributes& call, const ForwardTensors& tensors,
                                  const std::vector<float>& input, const std::vector<float>& weight,
                                  const std::vector<float>& bias) {
  const Ints& x_shape = tensors.input->shape();
  if (call.function == ForwardFunction::ConvTbc) {
    return tbc(x_shape, tensors.weight->shape(), tensors.output->shape(), call.padding[0], input,
               weight, bias);
  }
  const Five x = lifted(x_shape), w = lifted(tensors.weight->shape()),
             y = lifted(tensors.output->shape());
  const Steps steps = steps_of(call, x_shape.size() - 2);
  const bool depthwise = call.function == ForwardFunction::ConvDepthwise2d;
  const std::int64_t groups = depthwise ? x[1] : call.groups;
  std::vector<double> sums(static_cast<std::size_t>(y[0] * y[1] * y[2] * y[3] * y[4]));
  for_each(y, [&](const Five& at) {
    if (!bias.empty()) sums[place(y, at)] = double{bias[static_cast<std::size_t>(at[1])]};
  });
  if (sums.empty()) return sums;
  // T = false: each (o, k) reads i = o * s - p + k * d. T = true: each (i, k) goes to that o.
  const Five& from = call.transposed ? x : y;
  const Five& to = call.transposed ? y : x;
  for_each({from[0], w[0], from[2], from[3], from[4]}, [&](const Five& at) {
    for_each({1, w[1], w[2], w[3], w[4]}, [&](const Five& tap) {
      Five other{at[0], at[1] / (w[0] / groups) * w[1] + tap[1], 0, 0, 0};
      for (std::size_t i = 0; i < 3; ++i) {
        other[i + 2] =
            at[i + 2] * steps.stride[i] - steps.padding[i] + tap[i + 2] * steps.dilation[i];
        if (other[i + 2] < 0 || other[i + 2] >= to[i + 2]) return;
      }
      const Five of_w{at[1], tap[1], tap[2], tap[3], tap[4]};
      const Five& of_x = call.transposed ? at : other;
      const Five& of_y = call.transposed ? other : at;
      sums[place(y, of_y)] += double{input[place(x, of_x)]} * double{weight[place(w, of_w)]};
    });
  });
  return sums;
}

}  // namespace gradproof::kernel
