#include "kernel/operators/convolution.h"

#include <vector>

#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::operators {
namespace {

/// The bias as FLOATs, one a channel; an accumulator that starts at -0 starts at +0.
std::vector<float> decoded(const Source& bias) {
  std::vector<float> values;
  numeric::with_codec(bias.view.format, [&](auto codec) {
    for (std::int64_t channel = 0; channel < bias.view.shape[1]; ++channel) {
      const std::int64_t place = channel * bias.view.strides[1];
      values.push_back(numeric::load<decltype(codec)>(bias.first, place) + 0.0F);
    }
  });
  return values;
}

/// A FLOAT tensor of the same shape, without gaps.
TensorView dense_floats(const Index& shape) {
  TensorView view{.shape = shape};
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; step *= shape[axis]) view.strides[axis] = step;
  return view;
}

/// Stores for each element of y, N C D H W, what `value` makes of its number and its bias.
template <typename Value>
void store_each(const std::vector<float>& bias, numeric::OverflowMode overflow,
                const Destination& y, Value value) {
  const Index& shape = y.view.shape;
  std::size_t number = 0;
  Index at{};
  for (at[0] = 0; at[0] < shape[0]; ++at[0]) {
    for (at[1] = 0; at[1] < shape[1]; ++at[1]) {
      for (at[2] = 0; at[2] < shape[2]; ++at[2]) {
        for (at[3] = 0; at[3] < shape[3]; ++at[3]) {
          for (at[4] = 0; at[4] < shape[4]; ++at[4]) {
            y.store(at, value(number++, bias[static_cast<std::size_t>(at[1])]), overflow);
          }
        }
      }
    }
  }
}

/// The chain of a transposed 3D call: sums leave the cores, then the bias is added. A FLOAT sum of
/// two numbers of 11 bits or fewer may be rounded again: nothing shows of the first time.
Outcome run_then_add(const ForwardConvolution& call, const Memory& memory,
                     const std::vector<float>& bias, const Destination& y) {
  ConvolutionBackward operation = call.sums;
  operation.grad_input = dense_floats(y.view.shape);
  std::vector<float> sums(
      static_cast<std::size_t>(y.view.shape[0] * operation.grad_input->strides[0]));
  Memory places = memory;
  places.grad_input = reinterpret_cast<std::byte*>(sums.data());
  auto outcome = run(operation, places);
  if (!outcome) return outcome;
  const numeric::OverflowMode overflow = operation.arithmetic.overflow;
  store_each(bias, overflow, y, [&](std::size_t number, float of_channel) {
    return numeric::rounded(sums[number] + of_channel, *call.bias_added_in, overflow);
  });
  return {};
}

}  // namespace

Outcome run(const ForwardConvolution& call, const ForwardMemory& memory) {
  if (!call.writes_output()) return {};
  const auto bias = call.bias ? decoded({*call.bias, memory.bias}) : std::vector<float>();
  const Destination y{*call.sums.grad_input, memory.output};
  if (call.is_bias_alone) {
    store_each(bias, call.sums.arithmetic.overflow, y,
               [](std::size_t, float of_channel) { return of_channel; });
    return {};
  }
  Memory places{.grad_output = memory.input,
                .weight = memory.weight,
                .grad_input = memory.output,
                .workspace = memory.workspace};
  if (call.bias && call.bias_added_in) return run_then_add(call, places, bias, y);
  if (call.bias) places.first_sums = bias.data();
  return run(call.sums, places);
}

}  // namespace gradproof::kernel::operators
