
#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

/// Spatial axes, by the rank of input.
std::int64_t axis_count(const Call& call) { return *call.rank() - 2; }

bool has_length(const Argument<Ints>& values, std::int64_t length) {
  return static_cast<std::int64_t>(values.value->size()) == length;
}

std::string wrong_length_words(const Argument<Ints>& values, const std::string& allowed) {
  return text(values.name, " has ", values.value->size(), " values, ", words(*values.value), "; ",
              allowed);
}

Finding wrong_length(const Call& call, const Argument<Ints>& values) {
  if (!call.rank() || !values.value || has_length(values, axis_count(call))) return std::nullopt;
  return wrong_length_words(
      values, text("input has rank ", *call.rank(), ", which requires ", axis_count(call)));
}

Finding wrong_padding_length(const Call& call) {
  const Finding finding = wrong_length(call, call.padding);
  if (!finding || has_four_paddings(call)) return std::nullopt;
  return call.rank() == 4 ? text(*finding, " or 4: top, bottom, left, right") : finding;
}

bool has_four_output_paddings(const Call& call) {
  return call.rank() == 4 && call.output_padding.value && call.output_padding.value->size() == 4;
}

Finding wrong_output_padding_length(const Call& call) {
  const Finding finding = wrong_length(call, call.output_padding);
  if (!finding || output_padding_by_axis(call)) return std::nullopt;
  return has_four_output_paddings(call) ? text(*finding, "; 4 only if all are 0") : finding;
}

/// The released library takes four values in 2D, whatever they are.
aclnnStatus released_output_padding_length(const Call& call) {
  return has_four_output_paddings(call) ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

Finding wrong_bias_sizes_length(const Call& call) {
  if (!call.bias_sizes.value || has_length(call.bias_sizes, 1)) return std::nullopt;
  return wrong_length_words(call.bias_sizes, "it must have 1, the length of gradBias");
}

aclnnStatus released_bias_sizes_length(const Call& call) {
  const bool any_empty =
      is_empty(call.grad_output) || is_empty(call.input) || is_empty(call.weight);
  return any_empty && call.mask().grad_bias ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

constexpr Rule length_rows[] = {
    {"LEN-01", "parameter stride", invalid, invalid,
     [](const Call& call) { return wrong_length(call, call.stride); }},
    {"LEN-02", "parameter dilation", invalid, invalid,
     [](const Call& call) { return wrong_length(call, call.dilation); }},
    {"LEN-03", "parameter padding", invalid, invalid, wrong_padding_length},
    {"LEN-04", "parameter outputPadding", invalid, released_output_padding_length,
     wrong_output_padding_length},
    {"LEN-05", "parameter biasSizes", invalid, released_bias_sizes_length, wrong_bias_sizes_length},
};

}  // namespace

Rules length_rules() { return length_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
