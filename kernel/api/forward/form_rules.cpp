#include "kernel/api/forward/rule.h"

namespace gradproof::kernel::api::forward {
namespace {

using parameter_checks::text;
using parameter_checks::words;

/// Format of maps and weights that names their axes.
aclFormat format_due(std::size_t axes) {
  return axes == 1 ? ACL_FORMAT_NCL : axes == 2 ? ACL_FORMAT_NCHW : ACL_FORMAT_NCDHW;
}

std::string_view ranks_of(const ForwardCall& call) {
  return call.is_tbc() ? "3" : call.is_depthwise() ? "4" : "3, 4 or 5";
}

Finding odd_rank(const ForwardCall& call) {
  if (!call.input.value) return std::nullopt;
  const std::size_t rank = call.input.value->view_shape.size();
  if (!spatial_axes_of(call)) {
    return text(call.input.name, " has shape ", words(call.input.value->view_shape),
                "; its rank must be ", ranks_of(call));
  }
  for (const auto* tensor : call.maps()) {
    if (!tensor->value || tensor->value->view_shape.size() == rank) continue;
    return text(tensor->name, " has shape ", words(tensor->value->view_shape),
                "; it must have rank ", rank, ", as ", call.input.name);
  }
  return std::nullopt;
}

/// Finds the first map or weight whose format is none of two.
Finding other_format(const ForwardCall& call, aclFormat one, aclFormat other) {
  for (const auto* tensor : call.maps()) {
    if (!tensor->value) continue;
    const aclFormat format = tensor->value->format;
    if (format == one || format == other) continue;
    return text(tensor->name, " has format ", words(format), "; it must be ", words(one),
                one == other ? "" : " or ", one == other ? "" : words(other));
  }
  return std::nullopt;
}

Finding odd_format(const ForwardCall& call) {
  const auto axes = spatial_axes_of(call);
  if (call.is_tbc() || !axes) return std::nullopt;
  return other_format(call, format_due(*axes), format_due(*axes));
}

/// The released library also takes NDHWC of 3D maps on products of A1 and A23, and on Ascend310P a
/// FRACTAL_Z weight in 2D. What it computes then is not documented: here axes are those of NCDHW.
aclnnStatus invalid_unless_taken(const ForwardCall& call) {
  const auto axes = spatial_axes_of(call);
  if (!call.input.value || !call.output.value || !call.weight.value) return ACLNN_ERR_PARAM_INVALID;
  const aclFormat due = format_due(*axes), maps = call.input.value->format;
  const bool are_alike = maps == call.output.value->format;
  const aclFormat weight = call.weight.value->format;
  const bool takes_rows = *axes == 3 && (call.on_a23() || call.on_a1());
  if (takes_rows && are_alike && maps == ACL_FORMAT_NDHWC && weight == due) return ACLNN_SUCCESS;
  const bool takes_fractals = *axes == 2 && call.on_310p();
  const bool is_taken =
      takes_fractals && are_alike && maps == due && weight == ACL_FORMAT_FRACTAL_Z;
  return is_taken ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

Finding odd_tbc_format(const ForwardCall& call) {
  return call.is_tbc() ? other_format(call, ACL_FORMAT_ND, ACL_FORMAT_NCL) : std::nullopt;
}

bool is_plain(aclFormat format) {
  return format == ACL_FORMAT_ND || format == ACL_FORMAT_NCL || format == ACL_FORMAT_NCHW ||
         format == ACL_FORMAT_NCDHW;
}

Finding odd_bias_format(const ForwardCall& call) {
  if (!call.is_convolution() || !call.bias.value || is_plain(call.bias.value->format)) {
    return std::nullopt;
  }
  return text("bias has format ", words(call.bias.value->format),
              "; it must be ND, NCL, NCHW or NCDHW");
}

Finding odd_bias_format_of_others(const ForwardCall& call) {
  if (call.is_convolution() || !call.bias.value) return std::nullopt;
  const aclFormat format = call.bias.value->format;
  const bool is_legal =
      call.is_depthwise() ? is_plain(format)
                          : format == ACL_FORMAT_ND || (format == ACL_FORMAT_NCL && !call.on_a5());
  if (is_legal) return std::nullopt;
  return text("bias has format ", words(format), "; it must be ",
              call.is_depthwise() ? "ND, NCL, NCHW or NCDHW"
              : call.on_a5()      ? "ND"
                                  : "ND or NCL");
}

aclnnStatus invalid_if_checked(const ForwardCall& call) {
  return call.is_tbc() && call.on_a5() ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding odd_bias_rank(const ForwardCall& call) {
  if (!call.bias.value || call.bias.value->view_shape.size() == 1) return std::nullopt;
  return text("bias has shape ", words(call.bias.value->view_shape), "; it must have one axis");
}

Finding other_length(const Argument<Ints>& values, std::size_t due) {
  if (!values.value || values.value->size() == due) return std::nullopt;
  return text(values.name, " has ", values.value->size(), " values; it must have ", due);
}

Finding odd_step_lengths(const ForwardCall& call) {
  const auto axes = spatial_axes_of(call);
  if (!axes) return std::nullopt;
  auto found = other_length(call.stride, *axes);
  return found ? found : other_length(call.dilation, *axes);
}

Finding odd_padding_length(const ForwardCall& call) {
  const auto axes = spatial_axes_of(call);
  if (!axes || !call.padding.value || has_padding_for(call, *axes)) return std::nullopt;
  const bool may_have_sides =
      call.is_convolution() && (*axes == 2 || (*axes == 1 && !call.transposed));
  return text("padding has ", call.padding.value->size(), " values; it must have ", *axes,
              may_have_sides ? " or twice as many" : "");
}

Finding odd_output_padding_length(const ForwardCall& call) {
  const auto axes = spatial_axes_of(call);
  if (!axes || !call.transposed) return std::nullopt;
  return other_length(call.output_padding, *axes);
}

Finding odd_kernel_size_length(const ForwardCall& call) {
  return call.is_depthwise() ? other_length(call.kernel_size, 2) : std::nullopt;
}

/// The released library reads the first two.
aclnnStatus invalid_if_short(const ForwardCall& call) {
  return call.kernel_size.value->size() < 2 ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

constexpr ForwardRule form_rows[] = {
    {"FW-RANK-01", "shapes of the parameters", invalid, invalid, odd_rank},
    {"FW-FMT-01", "formats of the parameters", invalid, invalid_unless_taken, odd_format},
    {"FW-FMT-02", "formats of the parameters", invalid, invalid, odd_tbc_format},
    {"FW-FMT-03", "format of bias", invalid, invalid, odd_bias_format},
    {"FW-FMT-04", "format of bias", invalid, invalid_if_checked, odd_bias_format_of_others},
    {"FW-BIAS-01", "shape of bias", invalid, invalid, odd_bias_rank},
    {"FW-LEN-01", "parameters stride, dilation", invalid, invalid, odd_step_lengths},
    {"FW-LEN-02", "parameter padding", invalid, invalid, odd_padding_length},
    {"FW-LEN-03", "parameter outputPadding", invalid, invalid, odd_output_padding_length},
    {"FW-LEN-04", "parameter kernelSize", invalid, invalid_if_short, odd_kernel_size_length},
};

}  // namespace

Rules form_rules() { return form_rows; }

}  // namespace gradproof::kernel::api::forward
