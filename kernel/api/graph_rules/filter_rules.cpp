#include <algorithm>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/findings.h"

namespace gradproof::kernel::api::graph_checks {
namespace {

using parameter_checks::text;
using parameter_checks::words;

/// 8-bit compute has a weight gradient in HIFLOAT8 alone, and that only where GF-08 allows it.
bool is_operand_dtype(const Call& call, aclDataType type) {
  const bool is_wide = type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
  return is_wide || (type == ACL_HIFLOAT8 && call.on_a5());
}

Finding wrong_operand(const Call& call) {
  if (Finding finding = unknown_data_format(call)) return finding;
  for (const auto* tensor : call.operands()) {
    if (!tensor->value) continue;
    if (!is_operand_dtype(call, tensor->value->data_type)) {
      return text(tensor->name, " is ", words(tensor->value->data_type), "; on ",
                  device::name_of(call.product), " it must be FLOAT16, BFLOAT16",
                  call.on_a5() ? ", FLOAT or HIFLOAT8" : " or FLOAT");
    }
  }
  return other_format(call, call.feature);
}

Finding operands_differ(const Call& call) {
  if (!call.feature.value || !call.out_backprop.value) return std::nullopt;
  const Tensor& x = *call.feature.value;
  const Tensor& out_backprop = *call.out_backprop.value;
  if (x.data_type != out_backprop.data_type) {
    return text("outBackprop is ", words(out_backprop.data_type), "; it must be ",
                words(x.data_type), " as x is");
  }
  if (x.format == out_backprop.format) return std::nullopt;
  return text("outBackprop has format ", words(out_backprop.format), "; it must be ",
              words(x.format), " as that of x is");
}

Finding operand_sizes(const Call& call) {
  constexpr Range allowed{1, 2'147'483'646};
  for (const auto* tensor : call.operands()) {
    if (Finding finding = not_five_axes(*tensor)) return finding;
    if (!tensor->value) continue;
    const Ints& shape = tensor->value->view_shape;
    if (std::ranges::all_of(shape, [&](std::int64_t length) { return allowed.holds(length); })) {
      continue;
    }
    return text(tensor->name, " has shape ", words(shape), "; every length must lie in [",
                allowed.lowest, ", ", allowed.highest, "]");
  }
  return std::nullopt;
}

Finding different_operands(const Call& call) {
  Finding finding = operands_differ(call);
  return finding ? finding : operand_sizes(call);
}

Finding wrong_filter_size(const Call& call) {
  if (Finding finding = size_differs(call)) return finding;
  if (!call.size.value || std::ranges::min(*call.size.value) >= 1) return std::nullopt;
  return text("filterSize is ", words(*call.size.value), "; every length must be >= 1");
}

Finding wrong_result(const Call& call) {
  if (Finding finding = not_five_axes(call.filter)) return finding;
  if (!call.filter.value) return std::nullopt;
  if (call.filter.value->data_type != ACL_FLOAT) {
    return text("y is ", words(call.filter.value->data_type), "; it must be FLOAT whatever x is");
  }
  if (!axes_of(call.filter.value->format).empty()) return std::nullopt;
  return text("y has format ", words(call.filter.value->format),
              "; it must be NCDHW, NDHWC or DHWCN");
}

Finding groups_do_not_fit(const Call& call) {
  if (Finding finding = groups_outside(call)) return finding;
  if (Finding finding = channels_differ(call)) return finding;
  if (Finding finding = not_in_groups(call, call.filter, 'N')) return finding;
  return not_in_groups(call, call.out_backprop, 'C');
}

Finding grouped_hifloat8(const Call& call) {
  const bool is_hifloat8 = call.feature.value && call.feature.value->data_type == ACL_HIFLOAT8;
  if (!call.on_a5() || !is_hifloat8 || call.groups == 1) return std::nullopt;
  return text("groups is ", call.groups, "; HIFLOAT8 requires 1");
}

Finding counts_differ(const Call& call) {
  Finding finding = batches_differ(call);
  return finding ? finding : output_channels_differ(call);
}

constexpr GraphRule filter_rows[] = {
    {"GF-01", "supported products", refused, refused, unsupported_product, true},
    // Three rows that the specification gives as a table of parameters, without numbers.
    {"GF-IN", "parameters x and out_backprop, attribute data_format", refused, refused,
     wrong_operand},
    {"GF-SIZE", "parameter filter_size", refused, refused, wrong_filter_size},
    {"GF-OUT", "parameter y", refused, refused, wrong_result},
    {"GF-02", "parameters x and out_backprop", refused, refused, different_operands},
    {"GF-03", "parameter filter_size", refused, refused, filter_plane_outside},
    {"GF-04", "attribute strides", refused, refused, strides_outside},
    {"GF-05", "attribute pads", refused, refused, pads_outside},
    {"GF-06", "attribute dilations", refused, refused, dilations_outside},
    {"GF-07", "attribute groups", refused, refused, groups_do_not_fit},
    {"GF-08", "attribute groups", refused, refused, grouped_hifloat8},
    {"GF-09", "relation of the sizes", refused, refused, sizes_differ},
    {"GF-10", "batch and channels of out_backprop", permitted, permitted, counts_differ},
};

}  // namespace

Rules filter_rules() { return filter_rows; }

}  // namespace gradproof::kernel::api::graph_checks
