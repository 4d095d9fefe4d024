#include "properties/targets/session/tensor_memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "corpus/data_type_row.h"
#include "corpus/element_values.h"
#include "properties/targets/session/device_memory.h"

namespace gradproof::targets {
namespace {

using corpus::DataTypeRow;
using corpus::TensorCase;

bool is_dense(const TensorCase& tensor) {
  return !tensor.strides || *tensor.strides == corpus::row_major_strides(tensor.shape);
}

/// Copies `width` bytes, which is no call of memcpy for the widths of numbers.
void copy_element(std::byte* to, const std::byte* from, std::size_t width) {
  switch (width) {
    case 1:
      *to = *from;
      break;
    case 2:
      std::memcpy(to, from, 2);
      break;
    case 4:
      std::memcpy(to, from, 4);
      break;
    default:
      std::memcpy(to, from, width);
  }
}

/// Calls visit(dense index, storage index) for every element, in row-major order.
template <typename Visit>
void for_each_element(const TensorCase& tensor, Visit&& visit) {
  const std::int64_t count = *corpus::element_count(tensor.shape);
  const auto strides = tensor.strides.value_or(corpus::row_major_strides(tensor.shape));
  std::vector<std::int64_t> at(tensor.shape.size(), 0);
  std::int64_t place = tensor.offset;
  for (std::int64_t index = 0; index < count; ++index) {
    visit(to_size(index), to_size(place));
    for (std::size_t axis = at.size(); axis-- > 0;) {
      // Never a step beyond the last element: the stride of an axis of length 1 may be any number.
      if (at[axis] + 1 < tensor.shape[axis]) {
        ++at[axis];
        place += strides[axis];
        break;
      }
      place -= strides[axis] * at[axis];
      at[axis] = 0;
    }
  }
}

std::vector<std::byte> elements_of(const TensorCase& tensor, std::uint64_t DataTypeRow::*bits) {
  const auto count = to_size(*corpus::element_count(tensor.shape));
  const std::size_t width = corpus::size_bytes(tensor.dtype);
  const auto* row = std::ranges::find(corpus::data_type_rows, tensor.dtype, &DataTypeRow::type);
  if (row == corpus::data_type_rows.end() || row->coding == corpus::Coding::None) {
    return std::vector<std::byte>(count * width, std::byte{0xA5});
  }
  std::array<std::byte, sizeof(std::uint64_t)> one{};
  for (std::size_t i = 0; i < width; ++i) {
    one.at(i) = static_cast<std::byte>(row->*bits >> (8 * i));
  }
  return repeated(std::span(one).first(width), count * width);
}

}  // namespace

std::size_t storage_bytes(const TensorCase& tensor) {
  const auto count = corpus::storage_element_count(tensor).value_or(0);
  return to_size(count) * corpus::size_bytes(tensor.dtype);
}

void scatter(const TensorCase& tensor, const std::vector<std::byte>& dense, std::byte* storage) {
  const std::size_t width = corpus::size_bytes(tensor.dtype);
  if (dense.empty()) return;
  if (is_dense(tensor)) {
    std::memcpy(storage + to_size(tensor.offset) * width, dense.data(), dense.size());
    return;
  }
  for_each_element(tensor, [&](std::size_t from, std::size_t to) {
    copy_element(storage + to * width, dense.data() + from * width, width);
  });
}

std::vector<std::byte> gather(const TensorCase& tensor, const std::byte* storage) {
  const std::size_t width = corpus::size_bytes(tensor.dtype);
  const auto count = to_size(*corpus::element_count(tensor.shape));
  std::vector<std::byte> dense(count * width);
  if (dense.empty()) return dense;
  if (is_dense(tensor)) {
    std::memcpy(dense.data(), storage + to_size(tensor.offset) * width, dense.size());
    return dense;
  }
  for_each_element(tensor, [&](std::size_t to, std::size_t from) {
    copy_element(dense.data() + to * width, storage + from * width, width);
  });
  return dense;
}

std::vector<std::byte> sentinel_elements(const TensorCase& tensor) {
  return elements_of(tensor, &DataTypeRow::sentinel);
}

std::vector<std::byte> one_elements(const TensorCase& tensor) {
  return elements_of(tensor, &DataTypeRow::one);
}

std::vector<std::byte> operand_bytes(const corpus::Case& test_case, corpus::InputRole role,
                                     OperandLayout layout) {
  auto elements = corpus::element_values(test_case, role);
  const corpus::TensorCase& tensor = *corpus::tensor(test_case, role);
  const bool is_dense = !tensor.strides && tensor.offset == 0 && !tensor.storage_shape;
  if (layout == OperandLayout::Dense || is_dense) return elements;
  corpus::TensorCase memory;
  memory.shape = {corpus::storage_element_count(tensor).value_or(0)};
  memory.dtype = tensor.dtype;
  std::vector<std::byte> storage = sentinel_elements(memory);
  scatter(tensor, elements, storage.data());
  return storage;
}

}  // namespace gradproof::targets
