#include "kernel/operators/call/tensor_view.h"

#include <algorithm>

#include "kernel/operators/call/checked.h"

namespace gradproof::kernel::operators {
namespace {

/// Calls `visit` with every index of a shape, W fastest.
template <typename Visit>
void for_each_index(const Index& shape, Visit&& visit) {
  Index index{};
  if (std::ranges::any_of(shape, [](std::int64_t length) { return length <= 0; })) return;
  for (std::size_t axis = shape.size(); axis != 0;) {
    visit(index);
    for (axis = shape.size(); axis != 0 && ++index[axis - 1] == shape[axis - 1]; --axis) {
      index[axis - 1] = 0;
    }
  }
}

}  // namespace

bool TensorView::is_empty() const {
  return std::ranges::any_of(shape, [](std::int64_t length) { return length == 0; });
}

std::int64_t TensorView::distance(const Index& index) const {
  std::int64_t distance = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) distance += index[axis] * strides[axis];
  return distance;
}

TensorView lifted(numeric::Format format, std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> strides, std::int64_t offset) {
  TensorView view{.format = format, .offset = offset};
  const std::size_t missing = view.shape.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::size_t target = axis < 2 ? axis : axis + missing;
    view.shape[target] = shape[axis];
    view.strides[target] = strides[axis];
    // The stride of an axis of length 1 is never used and may be any number: a loop that added it
    // could overflow.
    if (shape[axis] == 1) view.strides[target] = 0;
  }
  return view;
}

TensorView lifted_channels(numeric::Format format, std::int64_t length, std::int64_t stride,
                           std::int64_t offset) {
  return {.format = format,
          .shape = {1, length, 1, 1, 1},
          .strides = {0, stride, 0, 0, 0},
          .offset = offset};
}

std::optional<ByteRange> touched_bytes(const TensorView& view) {
  if (view.is_empty()) return ByteRange{};
  Checked lowest = view.offset;
  Checked highest = view.offset;
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    const Checked reach = Checked(view.shape[axis] - 1) * view.strides[axis];
    if (view.strides[axis] < 0) lowest = lowest + reach;
    if (view.strides[axis] > 0) highest = highest + reach;
  }
  const auto element_size = static_cast<std::int64_t>(numeric::size_of(view.format));
  const auto begin = (lowest * element_size).value();
  const auto size = ((highest - lowest + 1) * element_size).value();
  if (!begin || !size) return std::nullopt;
  return ByteRange{*begin, *size};
}

void Destination::store(const Index& index, float value, numeric::OverflowMode mode) const {
  numeric::with_codec(view.format, [&](auto codec) {
    numeric::store<decltype(codec)>(value, mode, first, view.distance(index));
  });
}

void Destination::store_zeros() const {
  for_each_index(view.shape,
                 [&](const Index& index) { store(index, 0.0F, numeric::OverflowMode::InfNan); });
}

}  // namespace gradproof::kernel::operators
