#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gradproof::oracle {

/// Lengths or coordinates along N, C, D, H, W.
using Shape = std::array<std::int64_t, 5>;

/// The product of the lengths, which must fit int64: shapes come from geometry_of, which checks it.
inline std::int64_t element_count(const Shape& shape) {
  return shape[0] * shape[1] * shape[2] * shape[3] * shape[4];
}

/// Row-major index; every coordinate must lie inside the shape.
/// Horner's scheme in mixed radix; coordinate_of is its inverse.
inline std::size_t offset_of(const Shape& shape, const Shape& at) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) offset = offset * shape[axis] + at[axis];
  return static_cast<std::size_t>(offset);
}

/// The coordinate of an element, given its index in row-major order.
inline Shape coordinate_of(const Shape& shape, std::uint64_t index) {
  Shape at{};
  auto rest = static_cast<std::int64_t>(index);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = rest % shape[axis];
    rest /= shape[axis];
  }
  return at;
}

/// An array indexed by logical N C D H W, row-major; strides never reach the oracle.
template <typename T>
class Dense {
 public:
  Dense() = default;
  explicit Dense(const Shape& shape)
      : shape_(shape), elements_(static_cast<std::size_t>(element_count(shape))) {}
  Dense(const Shape& shape, std::vector<T> elements)
      : shape_(shape), elements_(std::move(elements)) {}

  const Shape& shape() const { return shape_; }
  std::size_t size() const { return elements_.size(); }
  const std::vector<T>& elements() const { return elements_; }
  std::vector<T>& elements() { return elements_; }

  T& operator[](std::size_t index) { return elements_[index]; }
  const T& operator[](std::size_t index) const { return elements_[index]; }
  T& at(const Shape& coordinate) { return elements_[offset_of(shape_, coordinate)]; }
  const T& at(const Shape& coordinate) const { return elements_[offset_of(shape_, coordinate)]; }

 private:
  Shape shape_{};
  std::vector<T> elements_;
};

}  // namespace gradproof::oracle
