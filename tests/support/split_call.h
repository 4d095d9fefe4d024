// A call whose weight gradient several cores share, through the C API alone.
#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tests/support/convolution_backward_call.h"

namespace gradproof::kernel {

/// The bits of the three gradients.
struct Gradients {
  std::vector<std::uint32_t> grad_input, grad_weight, grad_bias;

  friend bool operator==(const Gradients&, const Gradients&) = default;
};

/// How many bit patterns each gradient came in.
struct Patterns {
  std::set<std::vector<std::uint32_t>> grad_input, grad_weight, grad_bias;

  void add(Gradients gradients) {
    grad_input.insert(std::move(gradients.grad_input));
    grad_weight.insert(std::move(gradients.grad_weight));
    grad_bias.insert(std::move(gradients.grad_bias));
  }
};

/// Four FLOAT samples of 16 x 16 positions on the current device, with data that round in every
/// sum: sixteen cores have 64 products of each element of gradWeight.
class SplitCall {
 public:
  explicit SplitCall(aclrtStream stream, std::int64_t side = 16)
      : stream_(stream),
        grad_output_(ACL_FLOAT, {4, 2, side, side}),
        input_(ACL_FLOAT, {4, 3, side + 2, side + 2}),
        grad_input_(ACL_FLOAT, input_.shape()) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> real(-1, 1);
    for (DeviceTensor* tensor : {&grad_output_, &input_, &weight_}) {
      std::vector<float> values(static_cast<std::size_t>(count_of(tensor->shape())));
      for (float& value : values) value = real(random);
      tensor->write(values);
    }
  }

  /// Both phases, on the calling thread.
  Gradients run() {
    Arguments call;
    set_tensors(call, grad_output_, input_, weight_, grad_input_, grad_weight_, grad_bias_);
    call.bias_sizes = {2};
    call.stride = call.dilation = {1, 1};
    call.padding = call.output_padding = {0, 0};
    const Outcome outcome = kernel::run(call, stream_);
    EXPECT_EQ(outcome.phase_one, 0);
    EXPECT_EQ(outcome.phase_two, 0);
    EXPECT_EQ(outcome.synchronised, 0);
    return {bits_of(grad_input_), bits_of(grad_weight_), bits_of(grad_bias_)};
  }

 private:
  static std::vector<std::uint32_t> bits_of(const DeviceTensor& tensor) {
    std::vector<std::uint32_t> bits;
    for (const float value : tensor.read()) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
  }

  aclrtStream stream_;
  DeviceTensor grad_output_, input_, weight_{ACL_FLOAT, {2, 3, 3, 3}};
  DeviceTensor grad_input_, grad_weight_{ACL_FLOAT, {2, 3, 3, 3}}, grad_bias_{ACL_FLOAT, {2}};
};

}  // namespace gradproof::kernel
