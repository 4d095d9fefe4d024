#include <algorithm>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/rule.h"
#include "kernel/operators/call/conv3d_backprop.h"

// What does not fit in int64. The operators' own rules find nothing where a sum overflows.
namespace gradproof::kernel::api::graph_checks {
namespace {

using parameter_checks::text;
using parameter_checks::words;

/// True if element count and reach fit in int64, in bytes of the widest dtype. Speaks of tensors of
/// five positive lengths.
bool is_countable(const Tensor& tensor) {
  operators::Checked bytes = sizeof(float);
  for (const std::int64_t length : tensor.view_shape) bytes = bytes * length;
  const auto view = operators::view_in_order("NCDHW", numeric::Format::Binary32, tensor.view_shape,
                                             tensor.strides, tensor.offset);
  return bytes.value() && operators::touched_bytes(view);
}

Finding uncountable_tensor(const Call& call) {
  for (const auto* tensor : call.tensors()) {
    if (!tensor->value || tensor->value->view_shape.size() != 5) continue;
    const Ints& shape = tensor->value->view_shape;
    if (std::ranges::min(shape) < 1 || is_countable(*tensor->value)) continue;
    return text(tensor->name, " has shape ", words(shape), " and strides ",
                words(tensor->value->strides), "; its bytes must be countable in 64 bits");
  }
  return std::nullopt;
}

Finding uncountable(const Call& call) {
  if (Finding finding = uncountable_tensor(call)) return finding;
  for (const char name : spatial_axes) {
    const auto axis = spatial_axis(call, name);
    if (!axis || axis->sizes.windows(axis->stride)) continue;
    return text("the positions of axis ", name,
                " do not fit in 64 bits; its sizes, pads or dilation are too large");
  }
  return std::nullopt;
}

constexpr GraphRule size_rows[] = {
    {"HW-01", "limits of the device", refused, refused, uncountable},
};

}  // namespace

Rules size_rules() { return size_rows; }

}  // namespace gradproof::kernel::api::graph_checks
