#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

/// "stride[1] is 0; every stride must be >= 1" for the first value below the bound.
Finding below(const Argument<Ints>& values, std::int64_t bound) {
  if (!values.value) return std::nullopt;
  for (std::size_t i = 0; i < values.value->size(); ++i) {
    const std::int64_t value = (*values.value)[i];
    if (value >= bound) continue;
    return text(values.name, "[", i, "] is ", value, "; every ", values.name,
                " must be >= ", bound);
  }
  return std::nullopt;
}

Finding output_padding_not_below_stride(const Call& call) {
  const auto stride = by_axis(call, call.stride);
  const auto padding = output_padding_by_axis(call);
  if (!call.transposed || !stride || !padding) return std::nullopt;
  for (std::size_t i = 0; i < stride->size(); ++i) {
    if ((*padding)[i] < (*stride)[i]) continue;
    return text("outputPadding[", i, "] is ", (*padding)[i], "; it must be smaller than stride[", i,
                "], ", (*stride)[i]);
  }
  return std::nullopt;
}

aclnnStatus released_output_padding(const Call& call) {
  return call.rank() == 5 ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding output_padding_without_transposed(const Call& call) {
  if (call.transposed || !call.output_padding.value) return std::nullopt;
  for (std::size_t i = 0; i < call.output_padding.value->size(); ++i) {
    const std::int64_t value = (*call.output_padding.value)[i];
    if (value == 0) continue;
    return text("outputPadding[", i, "] is ", value,
                "; with transposed = false every outputPadding must be 0");
  }
  return std::nullopt;
}

constexpr Rule bound_rows[] = {
    {"STRIDE-01", "parameter stride", invalid, invalid,
     [](const Call& call) { return below(call.stride, 1); }},
    {"PAD-01", "parameter padding", invalid, invalid,
     [](const Call& call) { return below(call.padding, 0); }},
    {"DIL-01", "parameter dilation", invalid, invalid,
     [](const Call& call) { return below(call.dilation, 1); }},
    {"OPAD-01", "parameter outputPadding", invalid, invalid,
     [](const Call& call) {
       return call.transposed ? below(call.output_padding, 0) : std::nullopt;
     }},
    {"OPAD-02", "parameter outputPadding", invalid, released_output_padding,
     output_padding_not_below_stride},
    {"OPAD-03", "parameter outputPadding", invalid, invalid, output_padding_without_transposed},
    {"GRP-01", "parameter groups", invalid, invalid,
     [](const Call& call) -> Finding {
       if (call.groups >= 1) return std::nullopt;
       return text("groups is ", call.groups, "; it must be >= 1");
     }},
};

}  // namespace

Rules bound_rules() { return bound_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
