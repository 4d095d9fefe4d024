#include <algorithm>
#include <cmath>
#include <tuple>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/numeric/format.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

/// True if the elements are row-major without gaps; the stride of an axis of length 1 does not
/// matter, nor any of an empty tensor.
bool is_contiguous(const Tensor& tensor) {
  operators::Checked expected = 1;
  if (tensor.is_row_major || std::ranges::count(tensor.view_shape, 0) != 0) return true;
  for (std::size_t axis = tensor.view_shape.size(); axis-- > 0;) {
    const std::int64_t length = tensor.view_shape[axis];
    if (length != 1 && tensor.strides[axis] != expected.value()) return false;
    expected = expected * length;
  }
  return true;
}

Finding strided(const Argument<Tensor>& tensor) {
  if (!tensor.value || is_contiguous(*tensor.value)) return std::nullopt;
  return text(tensor.name, " of shape ", words(tensor.value->view_shape), " has strides ",
              words(tensor.value->strides), "; it must be contiguous");
}

template <typename Tensors>
Finding strided_among(const Tensors& tensors) {
  for (const auto* tensor : tensors) {
    if (Finding finding = strided(*tensor)) return finding;
  }
  return std::nullopt;
}

bool has_negative(const Ints& lengths) {
  return std::ranges::any_of(lengths, [](std::int64_t length) { return length < 0; });
}

Finding negative_size_of(const Argument<Tensor>& tensor) {
  if (!tensor.value) return std::nullopt;
  const auto& [shape, storage] = std::tie(tensor.value->view_shape, tensor.value->storage_shape);
  if (has_negative(shape)) {
    return text(tensor.name, " has shape ", words(shape), "; no size may be negative");
  }
  if (!has_negative(storage)) return std::nullopt;
  return text(tensor.name, " has a storage of shape ", words(storage), "; no size may be negative");
}

Finding negative_size(const Call& call) {
  for (const auto& tensors : {call.inputs(), call.outputs()}) {
    for (const auto* tensor : tensors) {
      if (Finding finding = negative_size_of(*tensor)) return finding;
    }
  }
  return std::nullopt;
}

/// A type that no tensor may have breaks another rule.
std::int64_t element_bytes(const Tensor& tensor) {
  const auto format = format_of(tensor.data_type);
  return format ? static_cast<std::int64_t>(numeric::size_of(*format)) : 1;
}

/// True if element count and farthest element are so far below 2^63 that rounding does not matter.
/// Most tensors are counted so; the others exactly.
bool is_small(const Tensor& tensor, std::int64_t bytes) {
  constexpr double small = 0x1p60;
  double count = 1, reach = std::abs(static_cast<double>(tensor.offset)) + 1;
  for (std::size_t axis = 0; axis < tensor.view_shape.size(); ++axis) {
    const auto length = static_cast<double>(tensor.view_shape[axis]);
    count *= length;
    reach += length * std::abs(static_cast<double>(tensor.strides[axis]));
  }
  return std::max(count, reach) * static_cast<double>(bytes) < small;
}

/// True if element count and the farthest element fit in int64, in bytes. No length is negative.
bool is_countable(const Tensor& tensor) {
  const std::int64_t bytes = element_bytes(tensor);
  if (is_small(tensor, bytes)) return true;
  if (std::ranges::count(tensor.view_shape, 0) != 0) return true;
  operators::Checked count = bytes;
  operators::Checked lowest = tensor.offset;
  operators::Checked highest = tensor.offset;
  for (std::size_t axis = 0; axis < tensor.view_shape.size(); ++axis) {
    const auto reach = (operators::Checked(tensor.view_shape[axis]) - 1) * tensor.strides[axis];
    count = count * tensor.view_shape[axis];
    (tensor.strides[axis] < 0 ? lowest : highest) =
        (tensor.strides[axis] < 0 ? lowest : highest) + reach;
  }
  return count.value() && (lowest * bytes).value() && ((highest + 1) * bytes).value() &&
         ((highest - lowest + 1) * bytes).value();
}

Finding uncountable_tensor(const Call& call) {
  for (const auto& tensors : {call.inputs(), call.outputs()}) {
    for (const auto* tensor : tensors) {
      if (!tensor->value || is_countable(*tensor->value)) continue;
      return text(tensor->name, " has shape ", words(tensor->value->view_shape), " and strides ",
                  words(tensor->value->strides), "; its bytes must be countable in 64 bits");
    }
  }
  return std::nullopt;
}

/// The sums that the size relations are made of fit in int64.
Finding uncountable_axis(const Call& call) {
  const auto stride = by_axis(call, call.stride);
  const auto axes = spatial_axes(call);
  for (std::size_t i = 0; stride && i < axes.size(); ++i) {
    const auto room = (axes[i].padded() - axes[i].window()).value();
    const auto reach = ((operators::Checked(axes[i].small) - 1) * (*stride)[i] + axes[i].window() -
                        axes[i].padding_begin - axes[i].padding_end)
                           .value();
    if (room && reach) continue;
    return text("the positions of spatial axis ", i,
                " do not fit in 64 bits; its sizes, stride, padding or dilation are too large");
  }
  return std::nullopt;
}

Finding uncountable(const Call& call) {
  Finding finding = uncountable_tensor(call);
  if (!finding && call.is_computable()) finding = uncountable_axis(call);
  // Asked last, because findings are rare.
  return finding && negative_size(call) ? std::nullopt : finding;
}

constexpr Rule memory_rows[] = {
    {"LAYOUT-01", "non-contiguous tensors", success, success,
     [](const Call& call) { return strided_among(call.inputs()); }},
    {"LAYOUT-02", "non-contiguous tensors", invalid, success,
     [](const Call& call) { return strided_among(call.outputs()); }},
    // Overlapping outputs are unspecified, and not looked for.
    {"LAYOUT-03", "non-contiguous tensors", success, success,
     [](const Call&) -> Finding { return std::nullopt; }},
    // No rule of the documents: they do not speak of negative sizes.
    {"SIZE-01", "simulator", invalid, invalid, negative_size},
    // The device never lacks memory; what it cannot do is count beyond int64. Of an empty problem
    // it counts nothing.
    {"HW-01", "limits of the device", refused_if_planned, refused_if_planned, uncountable},
};

}  // namespace

Rules memory_rules() { return memory_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
