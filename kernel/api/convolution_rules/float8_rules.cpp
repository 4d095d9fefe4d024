#include <algorithm>
#include <initializer_list>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

using Tensors = std::initializer_list<const Argument<Tensor>*>;

/// The first of the tensors that has an 8-bit dtype, on a product that knows those.
const Argument<Tensor>* eight_bit_among(const Call& call, Tensors tensors) {
  if (!call.on_a5()) return nullptr;
  for (const auto* tensor : tensors) {
    if (tensor->value && is_eight_bit(tensor->value->data_type)) return tensor;
  }
  return nullptr;
}

const Argument<Tensor>* eight_bit_operand(const Call& call) {
  return eight_bit_among(call, {&call.grad_output, &call.input, &call.weight, &call.grad_input});
}

bool is_e4m3(const Argument<Tensor>* tensor) {
  return tensor->value && tensor->value->data_type == ACL_FLOAT8_E4M3FN;
}

bool any_e4m3(Tensors tensors) { return std::ranges::any_of(tensors, is_e4m3); }

bool mask_is_known(const Call& call) {
  return call.output_mask.value && call.output_mask.value->size() == 3;
}

Finding outside_transposed_grad_input(const Call& call) {
  const auto* tensor = eight_bit_operand(call);
  if (tensor == nullptr || !mask_is_known(call)) return std::nullopt;
  if (call.transposed && call.mask().grad_input) return std::nullopt;
  return text(tensor->name, " has dtype ", words(tensor->value->data_type),
              "; 8-bit types require transposed = true and gradInput requested");
}

/// The released library looks only where both outputs exist; with transposed = true its list lacks
/// FLOAT8_E4M3FN anyway.
aclnnStatus released_outside_transposed_grad_input(const Call& call) {
  const bool requested = call.mask().grad_input || call.mask().grad_weight;
  const bool intercepted = requested && call.grad_input.given && call.grad_weight.given;
  const bool unlisted =
      call.transposed && any_e4m3({&call.grad_output, &call.input, &call.weight, &call.grad_input});
  return intercepted || unlisted ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding transposed_e4m3(const Call& call) {
  const Mask mask = call.mask();
  const bool e4m3 = any_e4m3({&call.grad_output, &call.input, &call.weight, &call.grad_input,
                              &call.grad_weight, &call.grad_bias});
  if (!call.on_a5() || !e4m3 || !call.transposed || !mask.grad_input) return std::nullopt;
  return "FLOAT8_E4M3FN with transposed = true and gradInput requested";
}

/// A tensor of another type than the 8-bit one among them, or null.
const Argument<Tensor>* odd_one(const Call& call, Tensors tensors) {
  const auto* eight_bit = eight_bit_among(call, tensors);
  if (eight_bit == nullptr) return nullptr;
  for (const auto* tensor : tensors) {
    if (tensor->value && tensor->value->data_type != eight_bit->value->data_type) return tensor;
  }
  return nullptr;
}

Finding mixed(const Call& call) {
  const auto* odd = odd_one(
      call, {&call.grad_output, &call.input, &call.weight, &call.grad_input, &call.grad_bias});
  if (odd == nullptr) return std::nullopt;
  return text(odd->name, " has dtype ", words(odd->value->data_type),
              "; with an 8-bit tensor, gradOutput, input, weight, gradInput and gradBias must all "
              "have that type");
}

aclnnStatus released_mixed(const Call& call) {
  if (call.mask().grad_input) return ACLNN_ERR_PARAM_INVALID;
  const bool compared =
      call.mask().grad_weight &&
      odd_one(call, {&call.grad_output, &call.input, &call.weight, &call.grad_bias}) != nullptr;
  return compared ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

/// Types of gradWeight, whatever the 8-bit type of the operands.
bool holds_sums(aclDataType type) {
  return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
}

/// The released library has FLOAT of HIFLOAT8 only.
Finding grad_weight_type(const Call& call) {
  const auto* tensor = eight_bit_operand(call);
  if (tensor == nullptr || !call.mask().grad_weight || !call.grad_weight.value) return std::nullopt;
  const aclDataType type = call.grad_weight.value->data_type;
  const bool e4m3 = any_e4m3({&call.grad_output, &call.input, &call.weight, &call.grad_input});
  if (type == ACL_FLOAT && !e4m3) return std::nullopt;
  return text("gradWeight has dtype ", words(type), ", ", tensor->name, " ",
              words(tensor->value->data_type),
              "; of 8-bit tensors it must be FLOAT, FLOAT16 or BFLOAT16, and released libraries "
              "have FLOAT of HIFLOAT8 only");
}

aclnnStatus documented_grad_weight_type(const Call& call) {
  return holds_sums(call.grad_weight.value->data_type) ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

/// Legal by the documents; the released library computes neither.
Finding grad_weight_attributes(const Call& call) {
  if (eight_bit_among(call, {&call.input}) == nullptr || !call.mask().grad_weight) {
    return std::nullopt;
  }
  if (call.groups != 1) {
    return text("groups is ", call.groups, "; gradWeight of 8-bit tensors is released with 1 only");
  }
  const auto& padding = call.output_padding.value;
  const bool padded =
      padding && std::ranges::any_of(*padding, [](std::int64_t value) { return value != 0; });
  if (!call.transposed || !padded) return std::nullopt;
  return text("outputPadding is ", words(*padding),
              "; gradWeight of 8-bit tensors is released with 0 only");
}

Finding eight_bit_bias(const Call& call) {
  if (eight_bit_among(call, {&call.grad_output}) == nullptr || !call.mask().grad_bias) {
    return std::nullopt;
  }
  return text("gradBias is requested and gradOutput has dtype ",
              words(call.grad_output.value->data_type),
              "; the bias gradient sums FLOAT, FLOAT16 or BFLOAT16 only");
}

constexpr Rule float8_rows[] = {
    {"F8-01", "8-bit floats on Ascend950", invalid, released_outside_transposed_grad_input,
     outside_transposed_grad_input},
    {"F8-02", "8-bit floats on Ascend950", success, invalid, transposed_e4m3},
    {"F8-03", "8-bit floats on Ascend950", invalid, released_mixed, mixed},
    {"F8-04", "8-bit floats on Ascend950, parameter gradWeight", documented_grad_weight_type,
     invalid, grad_weight_type},
    {"F8-05", "8-bit floats on Ascend950, parameter groups", success, invalid,
     grad_weight_attributes},
    {"F8-06", "8-bit floats on Ascend950, parameter gradBias", refused, refused_unless_empty,
     eight_bit_bias},
};

}  // namespace

Rules float8_rules() { return float8_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
