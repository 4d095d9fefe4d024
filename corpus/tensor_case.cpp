#include "corpus/tensor_case.h"

#include <algorithm>
#include <cstddef>

namespace gradproof::corpus {

std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape) {
  // A length of 0 makes the count 0 however large the others are.
  if (std::ranges::any_of(shape, [](std::int64_t length) { return length < 0; })) {
    return std::nullopt;
  }
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(count, length, &count)) return std::nullopt;
  }
  return count;
}

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    if (__builtin_mul_overflow(strides[axis], std::max<std::int64_t>(shape[axis], 1),
                               &strides[axis - 1])) {
      strides[axis - 1] = 0;  // no such tensor can be allocated; element_count says so
    }
  }
  return strides;
}

std::optional<std::int64_t> storage_element_count(const TensorCase& tensor) {
  const auto count = element_count(tensor.shape);
  const auto stored = tensor.storage_shape ? element_count(*tensor.storage_shape) : count;
  if (!count || !stored || tensor.offset < 0) return std::nullopt;
  if (*count == 0) return stored;
  std::int64_t needed = 0;
  if (!tensor.strides) {  // one behind the other
    if (__builtin_add_overflow(tensor.offset, *count, &needed)) return std::nullopt;
    return std::max(*stored, needed);
  }
  const auto& strides = *tensor.strides;
  if (strides.size() != tensor.shape.size()) return std::nullopt;
  std::int64_t last = tensor.offset;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    std::int64_t reach = 0;
    if (strides[axis] < 0 ||
        __builtin_mul_overflow(strides[axis], tensor.shape[axis] - 1, &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      return std::nullopt;
    }
  }
  if (__builtin_add_overflow(last, 1, &needed)) return std::nullopt;
  return std::max(*stored, needed);
}

}  // namespace gradproof::corpus
