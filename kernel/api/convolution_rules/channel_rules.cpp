#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

// Channels, groups and batch, where no input is empty.
namespace gradproof::kernel::api::parameter_checks {
namespace {

Finding output_channels_differ(const Call& call) {
  if (!call.is_computable() || length(call.small(), 1) == length(call.weight, 0)) {
    return std::nullopt;
  }
  return text(call.small().name, ".shape[1] is ", length(call.small(), 1),
              "; with transposed = ", call.transposed ? "true" : "false",
              " it must be weight.shape[0], ", length(call.weight, 0));
}

Finding feature_channels_differ(const Call& call) {
  if (!call.is_computable()) return std::nullopt;
  const auto channels = (operators::Checked(length(call.weight, 1)) * call.groups).value();
  if (!channels || length(call.big(), 1) == *channels) return std::nullopt;
  return text(call.big().name, ".shape[1] is ", length(call.big(), 1),
              "; with transposed = ", call.transposed ? "true" : "false",
              " it must be weight.shape[1] * groups, ", *channels);
}

Finding groups_do_not_divide(const Call& call) {
  if (!call.is_computable() || call.groups < 1 || length(call.weight, 0) % call.groups == 0) {
    return std::nullopt;
  }
  return text("weight.shape[0] is ", length(call.weight, 0), "; it must be a multiple of groups, ",
              call.groups);
}

aclnnStatus released_groups_do_not_divide(const Call& call) {
  const Mask mask = call.mask();
  return mask.grad_input || mask.grad_weight ? ACLNN_ERR_INNER_NULLPTR : ACLNN_SUCCESS;
}

Finding depthwise_channels(const Call& call) {
  const bool checked = call.set() == ProductSet::A1 || call.set() == ProductSet::A23;
  if (!checked || !call.is_computable() || call.groups < 1) return std::nullopt;
  const std::int64_t channels = length(call.small(), 1);
  if (length(call.big(), 1) != call.groups) return std::nullopt;
  if (channels >= call.groups && channels % call.groups == 0) return std::nullopt;
  return text(call.small().name, ".shape[1] is ", channels,
              "; in a depthwise convolution it must be a multiple of groups, ", call.groups);
}

Finding batches_differ(const Call& call) {
  if (!call.is_computable() || length(call.grad_output, 0) == length(call.input, 0)) {
    return std::nullopt;
  }
  return text("gradOutput.shape[0] is ", length(call.grad_output, 0),
              "; it must be input.shape[0], ", length(call.input, 0));
}

aclnnStatus released_batches_differ(const Call& call) {
  return call.mask().grad_input ? ACLNN_ERR_INNER_NULLPTR : ACLNN_SUCCESS;
}

constexpr Rule channel_rows[] = {
    {"CH-01", "shapes of gradOutput, input and weight", invalid, invalid, output_channels_differ},
    {"CH-02", "parameter groups", invalid, invalid, feature_channels_differ},
    {"CH-03", "parameter groups", invalid, released_groups_do_not_divide, groups_do_not_divide},
    {"CH-04", "parameter groups", invalid, invalid, depthwise_channels},
    {"CH-05", "shapes of gradOutput and input", invalid, released_batches_differ, batches_differ},
};

}  // namespace

Rules channel_rules() { return channel_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
