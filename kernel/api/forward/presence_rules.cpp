#include "kernel/api/forward/rule.h"

namespace gradproof::kernel::api::forward {
namespace {

using parameter_checks::text;
using parameter_checks::words;

Finding null(std::string_view name) { return text(name, " is null; it is required"); }

/// The first of these that is null.
template <typename... Arguments>
Finding any_null(const Arguments&... arguments) {
  Finding found;
  const auto look = [&](const auto& argument) {
    if (!found && !argument.given) found = null(argument.name);
  };
  (look(arguments), ...);
  return found;
}

Finding unlisted_product(const ForwardCall& call) {
  const bool is_supported = call.on_a23() || call.on_a5() ||
                            (call.is_convolution() && (call.on_310p() || call.on_310b()));
  if (is_supported) return std::nullopt;
  return text("the device is an ", device::name_of(call.product),
              ", which the operator's page does not list as supported");
}

aclnnStatus invalid_where_checked(const ForwardCall& call) {
  if (call.product == device::Product::Ascend310) return ACLNN_ERR_PARAM_INVALID;
  return call.on_310b() && call.is_tbc() ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

/// Number of axes of x, 0 where the function knows none of its rank.
std::size_t axes_of(const ForwardCall& call) { return spatial_axes_of(call).value_or(0); }

Finding other_than_2d_on_310b(const ForwardCall& call) {
  if (!call.on_310b() || !call.is_convolution() || axes_of(call) == 0) return std::nullopt;
  if (axes_of(call) == 2 && !call.transposed) return std::nullopt;
  return text("input has ", axes_of(call), " spatial axes and transposed is ",
              call.transposed ? "true" : "false", "; Ascend310B supports 2D with false alone");
}

Finding transposed_3d_on_310p(const ForwardCall& call) {
  if (!call.on_310p() || !call.transposed || axes_of(call) != 3) return std::nullopt;
  return "transposed is true in 3D; Ascend310P supports 3D with false alone";
}

Finding wide_3d_on_310p(const ForwardCall& call) {
  if (!call.on_310p() || axes_of(call) != 3) return std::nullopt;
  for (const auto* tensor : {&call.input, &call.weight, &call.output, &call.bias}) {
    if (!tensor->value || tensor->value->data_type == ACL_FLOAT16) continue;
    return text(tensor->name, " has dtype ", words(tensor->value->data_type),
                "; Ascend310P supports 3D in FLOAT16 alone");
  }
  return std::nullopt;
}

Finding null_tensor(const ForwardCall& call) {
  return any_null(call.input, call.weight, call.output);
}

Finding null_array(const ForwardCall& call) {
  if (call.is_tbc()) return std::nullopt;
  return any_null(call.stride, call.padding, call.dilation);
}

Finding null_output_padding(const ForwardCall& call) {
  return call.transposed ? any_null(call.output_padding) : std::nullopt;
}

Finding null_bias(const ForwardCall& call) {
  return call.is_tbc() ? any_null(call.bias) : std::nullopt;
}

Finding null_kernel_size(const ForwardCall& call) {
  return call.is_depthwise() ? any_null(call.kernel_size) : std::nullopt;
}

Finding null_result(const ForwardCall& call) {
  if (!call.has_workspace_size) return null("workspaceSize");
  if (!call.has_executor) return null("executor");
  return std::nullopt;
}

Finding dead_descriptor(const ForwardCall& call) {
  Finding found;
  const auto look = [&](const auto& argument) {
    if (found || !argument.given || argument.value) return;
    found = text(argument.name, " is no live descriptor; it was destroyed or never created");
  };
  for (const auto* tensor : {&call.input, &call.weight, &call.bias, &call.output}) look(*tensor);
  for (const auto* array : {&call.stride, &call.padding, &call.dilation}) look(*array);
  if (call.is_depthwise()) look(call.kernel_size);
  if (call.transposed) look(call.output_padding);
  return found;
}

constexpr ForwardRule presence_rows[] = {
    {"FW-NULL-01", "required parameters", null_pointer, null_pointer, null_tensor},
    {"FW-NULL-02", "parameters stride, padding, dilation", null_pointer, null_pointer, null_array},
    {"FW-NULL-03", "parameter outputPadding", null_pointer, null_pointer, null_output_padding},
    {"FW-NULL-06", "parameter bias", null_pointer, null_pointer, null_bias},
    {"FW-NULL-07", "parameter kernelSize", null_pointer, null_pointer, null_kernel_size},
    // The released aclnnConvTbc does not ask and writes through the pointer.
    {"FW-NULL-08", "parameters workspaceSize, executor", null_pointer, null_pointer, null_result},
    // No rule of the documents: a destroyed descriptor is undefined there.
    {"LIVE-01", "simulator", invalid, invalid, dead_descriptor},
    {"FW-PROD-01", "supported products", invalid, invalid_where_checked, unlisted_product},
    {"FW-PROD-02", "supported products", invalid, invalid, other_than_2d_on_310b},
    {"FW-PROD-03", "supported products", invalid, success, transposed_3d_on_310p},
    {"FW-PROD-04", "supported products", invalid, success, wide_3d_on_310p},
};

}  // namespace

Rules presence_rules() { return presence_rows; }

}  // namespace gradproof::kernel::api::forward
