#include <algorithm>

#include "kernel/api/conv_tbc/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

using parameter_checks::ProductSet;
using parameter_checks::text;
using parameter_checks::words;

bool is_vector(const Call& call, const Argument<Tensor>& tensor) {
  return &tensor == &call.bias || &tensor == &call.grad_bias;
}

/// The first live tensor of which `is_wrong` holds.
template <typename Predicate>
const Argument<Tensor>* first_tensor(const Call& call, Predicate is_wrong) {
  const auto tensors = call.tensors();
  const auto found = std::ranges::find_if(
      tensors, [&](const auto* tensor) { return tensor->value && is_wrong(*tensor); });
  return found == tensors.end() ? nullptr : *found;
}

Finding unlisted_product(const Call& call) {
  const bool is_listed = call.set() != ProductSet::X && call.product != device::Product::Ascend310P;
  if (is_listed) return std::nullopt;
  return text("the device is an ", device::name_of(call.product),
              ", which the operator's page does not list");
}

Finding absent(const Call& call) {
  std::string_view name;
  for (const auto* tensor : call.tensors()) {
    if (name.empty() && !tensor->given) name = tensor->name;
  }
  if (name.empty() && !call.has_workspace_size) name = "workspaceSize";
  if (name.empty() && !call.has_executor) name = "executor";
  if (name.empty()) return std::nullopt;
  return text(name, " is null; it is required");
}

Finding dead_descriptor(const Call& call) {
  for (const auto* tensor : call.tensors()) {
    if (!tensor->given || tensor->value) continue;
    return text(tensor->name, " is no live descriptor; it was destroyed or never created");
  }
  return std::nullopt;
}

Finding negative_size(const Call& call) {
  const auto is_negative = [](std::int64_t length) { return length < 0; };
  const auto* found = first_tensor(call, [&](const Argument<Tensor>& tensor) {
    return std::ranges::any_of(tensor.value->view_shape, is_negative) ||
           std::ranges::any_of(tensor.value->storage_shape, is_negative);
  });
  if (!found) return std::nullopt;
  return text(found->name, " has shape ", words(found->value->view_shape), " in a storage of ",
              words(found->value->storage_shape), "; no size may be negative");
}

/// bias may be BFLOAT16 on every product.
Finding odd_dtype(const Call& call) {
  const auto* found = first_tensor(call, [&](const Argument<Tensor>& tensor) {
    const aclDataType type = tensor.value->data_type;
    if (type == ACL_FLOAT || type == ACL_FLOAT16) return false;
    return type != ACL_BF16 || (call.set() == ProductSet::A1 && &tensor != &call.bias);
  });
  if (!found) return std::nullopt;
  return text(found->name, " has dtype ", words(found->value->data_type),
              "; it must be FLOAT, FLOAT16 or, on newer products, BFLOAT16");
}

Finding odd_format(const Call& call) {
  const auto* found = first_tensor(call, [&](const Argument<Tensor>& tensor) {
    const aclFormat format = tensor.value->format;
    return format != ACL_FORMAT_ND && (format != ACL_FORMAT_NCL || is_vector(call, tensor));
  });
  if (!found) return std::nullopt;
  return text(found->name, " has format ", words(found->value->format), "; it must be ",
              is_vector(call, *found) ? "ND" : "ND or NCL");
}

Finding empty_self(const Call& call) {
  if (!parameter_checks::is_empty(call.self)) return std::nullopt;
  return text("self has shape ", words(call.self.value->view_shape), "; it must not be empty");
}

Finding odd_rank(const Call& call) {
  const auto* found = first_tensor(call, [&](const Argument<Tensor>& tensor) {
    return tensor.value->view_shape.size() != (is_vector(call, tensor) ? 1U : 3U);
  });
  if (!found) return std::nullopt;
  return text(found->name, " has shape ", words(found->value->view_shape), "; it must have ",
              is_vector(call, *found) ? "one axis" : "three axes");
}

constexpr ConvTbcRule tensor_rows[] = {
    // Our id: the page's list of products has no number.
    {"TBC-00", "supported products", invalid, success, unlisted_product},
    {"TBC-01", "required parameters", null_pointer, null_pointer, absent},
    // No rules of the documents: a destroyed descriptor and a negative size are undefined there.
    {"LIVE-01", "simulator", refused, refused, dead_descriptor},
    {"SIZE-01", "simulator", invalid, invalid, negative_size},
    // The page lists 8-bit types for gradWeight, the checks refuse them.
    {"TBC-02", "dtypes of the parameters", invalid, invalid, odd_dtype},
    {"TBC-03", "formats of the parameters", invalid, invalid, odd_format},
    {"TBC-04", "parameter self", invalid, invalid, empty_self},
    {"TBC-05", "shapes of the parameters", invalid, invalid, odd_rank},
};

}  // namespace

Rules tensor_rules() { return tensor_rows; }

}  // namespace gradproof::kernel::api::conv_tbc
