#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/data_type.h"
#include "corpus/format.h"

namespace gradproof::corpus {

/// One tensor as it is passed: a view (shape, strides, offset) over a storage.
struct TensorCase {
  std::vector<std::int64_t> shape;  ///< elements along each axis; empty: a zero-dimensional tensor
  DataType dtype = DataType::Float;
  Format format = Format::Nd;
  std::optional<std::vector<std::int64_t>> strides;  ///< elements; absent: row-major over shape
  std::int64_t offset = 0;                           ///< elements, from the storage's begin
  std::optional<std::vector<std::int64_t>> storage_shape;  ///< absent: as shape

  friend bool operator==(const TensorCase&, const TensorCase&) = default;
};

/// Number of elements, or nullopt where the product overflows int64 or a length is negative.
std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape);

/// Row-major strides of a shape, in elements. Lengths of 0 count as 1, so that strides stay
/// positive.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

/// Elements of storage that the tensor needs: the larger of its storage shape's count and of what
/// its view reaches; nullopt where that overflows int64 or the view reaches below 0.
std::optional<std::int64_t> storage_element_count(const TensorCase& tensor);

}  // namespace gradproof::corpus
