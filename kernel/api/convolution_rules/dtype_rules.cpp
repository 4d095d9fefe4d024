#include <algorithm>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

bool is_supported(const Call& call, aclDataType type) {
  if (type == ACL_FLOAT || type == ACL_FLOAT16) return true;
  if (type == ACL_BF16) return call.set() != ProductSet::A1;
  return is_eight_bit(type) && call.on_a5();
}

std::string supported_words(const Call& call) {
  if (call.set() == ProductSet::A1) return "FLOAT, FLOAT16";
  const std::string wide = "FLOAT, FLOAT16, BFLOAT16";
  return call.on_a5() ? wide + eight_bit_words(", ") : wide;
}

Finding unsupported(const Call& call, const std::array<const Argument<Tensor>*, 3>& tensors) {
  for (const auto* tensor : tensors) {
    if (!tensor->value || is_supported(call, tensor->value->data_type)) continue;
    return text(tensor->name, " has dtype ", words(tensor->value->data_type), "; ",
                product_words(call), " supports ", supported_words(call));
  }
  return std::nullopt;
}

Finding unsupported_input(const Call& call) { return unsupported(call, call.inputs()); }
Finding unsupported_output(const Call& call) { return unsupported(call, call.outputs()); }

Finding no_promotion(const Call& call) {
  if (!call.on_a5() || unsupported_input(call) || promoted(call)) return std::nullopt;
  const auto inputs = call.inputs();
  if (std::ranges::any_of(inputs, [](const auto* tensor) { return !tensor->value; })) {
    return std::nullopt;
  }
  return text("gradOutput, input, weight have dtypes ", words(inputs[0]->value->data_type), ", ",
              words(inputs[1]->value->data_type), ", ", words(inputs[2]->value->data_type),
              "; an 8-bit type cannot be promoted with another type");
}

Finding differs(const Argument<Tensor>& output, const Argument<Tensor>& input) {
  if (!output.value || !input.value) return std::nullopt;
  if (output.value->data_type == input.value->data_type) return std::nullopt;
  return text(output.name, " has dtype ", words(output.value->data_type), "; it must be that of ",
              input.name, ", ", words(input.value->data_type));
}

constexpr Rule dtype_rows[] = {
    {"DTYPE-01", "parameters gradOutput, input, weight", invalid, invalid, unsupported_input},
    {"DTYPE-02", "parameters gradInput, gradWeight, gradBias", invalid, invalid,
     unsupported_output},
    // The released library finds such mixes by F8-03.
    {"DTYPE-03", "dtype deduction", invalid, success, no_promotion},
    {"DTYPE-04", "parameter gradInput", invalid, invalid_on_a5,
     [](const Call& call) { return differs(call.grad_input, call.input); }},
    {"DTYPE-05", "parameter gradWeight", invalid_on_a5, invalid_on_a5,
     [](const Call& call) -> Finding {
       if (call.weight.value && is_eight_bit(call.weight.value->data_type)) return std::nullopt;
       return differs(call.grad_weight, call.weight);
     }},
    {"DTYPE-06", "parameter gradBias", invalid, invalid_on_a5,
     [](const Call& call) { return differs(call.grad_bias, call.grad_output); }},
};

}  // namespace

Rules dtype_rules() { return dtype_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
