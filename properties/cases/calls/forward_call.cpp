#include "properties/cases/calls/operator_convolution.h"

#include <utility>

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;
using Lengths = std::vector<std::int64_t>;

/// aclnnConvTbc's maps are [length, batch, channels], its weight [kernel, input channels, output
/// channels].
void turn_axes(Case& call) {
  for (auto* map : {&call.grad_output, &call.grad_input}) {
    if (!*map || (*map)->shape.size() != 3) continue;
    auto& shape = (*map)->shape;
    shape = {shape[2], shape[0], shape[1]};
  }
  if (call.weight && call.weight->shape.size() == 3) {
    std::swap(call.weight->shape[0], call.weight->shape[2]);
  }
}

}  // namespace

Case forward_call(Case gradients, corpus::Api api) {
  Case call = std::move(gradients);
  call.api = api;
  call.grad_input = std::exchange(call.grad_output, std::exchange(call.input, std::nullopt));
  if (call.bias_sizes && call.grad_input) {
    call.input.emplace();
    call.input->shape = *call.bias_sizes;
    call.input->dtype = call.grad_input->dtype;
  }
  call.bias_sizes.reset();
  call.output_mask.reset();
  call.grad_weight.reset();
  call.grad_bias.reset();
  if (api == corpus::Api::ConvTbc) turn_axes(call);
  const bool has_kernel = api == corpus::Api::ConvDepthwise2d && call.weight;
  if (has_kernel && call.weight->shape.size() == 4) {
    call.kernel_size = Lengths(call.weight->shape.begin() + 2, call.weight->shape.end());
  }
  if (call.data) {
    auto& listed = call.data->listed;
    listed[InputRole::GradOutput] = std::exchange(listed[InputRole::Input], {});
    auto& fills = call.data->fills;
    if (fills) (*fills)[InputRole::GradOutput] = (*fills)[InputRole::Input];
  }
  return call;
}

}  // namespace gradproof::cases
