#include "properties/advice/tolerance/gradient_tolerance.h"

#include <utility>

#include "corpus/tensor_case.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::OutputRole;
using corpus::TensorCase;

constexpr std::size_t batch = 0, channels = 1;  ///< axes of maps; of the weight: its first two

void make_contiguous(TensorCase& tensor) {
  tensor.strides.reset();
  tensor.storage_shape.reset();
  tensor.offset = 0;
}

void set_shape(std::optional<TensorCase>& tensor, std::vector<std::int64_t> shape) {
  if (!tensor) return;
  tensor->shape = std::move(shape);
  make_contiguous(*tensor);
}

/// gradInput's sums run over gradOutput's channels of a group, which are the weight's first axis,
/// or its second where the convolution is transposed.
void narrow_for_input(Case& call) {
  auto& weight = call.weight->shape;
  weight[call.transposed ? 0 : 1] = 1;
  const std::int64_t groups = call.groups;
  if (!call.transposed) weight[0] /= groups;
  call.grad_output->shape[channels] /= groups;
  call.input->shape[channels] = 1;
  call.grad_output->shape[batch] = call.input->shape[batch] = 1;
}

void narrow_for_the_others(Case& call) {
  call.weight->shape[0] = call.weight->shape[1] = 1;
  call.grad_output->shape[channels] = call.input->shape[channels] = 1;
}

}  // namespace

Case narrow_call(const Case& test_case, OutputRole role) {
  Case call = test_case;
  call.data.reset();
  call.expect.reset();
  if (role == OutputRole::GradInput) {
    narrow_for_input(call);
  } else {
    narrow_for_the_others(call);
  }
  call.groups = 1;
  for (auto* tensor : {&call.grad_output, &call.input, &call.weight}) make_contiguous(**tensor);
  const std::int64_t outputs = call.grad_output->shape[channels];
  set_shape(call.grad_input, call.input->shape);
  set_shape(call.grad_weight, call.weight->shape);
  set_shape(call.grad_bias, {outputs});
  if (call.bias_sizes) call.bias_sizes = std::vector{outputs};
  call.output_mask = {role == OutputRole::GradInput, role == OutputRole::GradWeight,
                      role == OutputRole::GradBias};
  return call;
}

}  // namespace gradproof::advice
