#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

bool has_channels(const Argument<Tensor>& tensor) {
  return tensor.value && tensor.value->view_shape.size() >= 2;
}

/// Size that biasSizes[0] should have: for an ordinary convolution axis `axis` of `tensor`.
std::optional<std::int64_t> expected_size(const Call& call, const Argument<Tensor>& tensor,
                                          std::size_t axis) {
  if (call.transposed) {
    if (!has_channels(call.weight)) return std::nullopt;
    return (operators::Checked(length(call.weight, 1)) * call.groups).value();
  }
  if (!has_channels(tensor)) return std::nullopt;
  return length(tensor, axis);
}

Finding size_differs(const Call& call, std::optional<std::int64_t> expected) {
  const auto& sizes = call.bias_sizes.value;
  if (!sizes || sizes->size() != 1 || !expected || sizes->front() == *expected) {
    return std::nullopt;
  }
  return text("biasSizes[0] is ", sizes->front(), "; the bias has ", *expected, " elements");
}

bool checks_bias_sizes(const Call& call) {
  return call.on_empty_path() || (call.set() == ProductSet::A1 && is_empty(call.input));
}

constexpr Rule bias_rows[] = {
    // The documents attach no status to the value, and published calls pass others.
    {"BIAS-01", "parameter biasSizes", success, success,
     [](const Call& call) -> Finding {
       if (call.on_empty_path()) return std::nullopt;
       return size_differs(call, expected_size(call, call.weight, 0));
     }},
    {"BIAS-02", "parameter biasSizes, empty tensors", invalid, invalid,
     [](const Call& call) -> Finding {
       if (!call.mask().grad_bias || !checks_bias_sizes(call)) return std::nullopt;
       return size_differs(call, expected_size(call, call.grad_output, 1));
     }},
};

}  // namespace

Rules bias_rules() { return bias_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
