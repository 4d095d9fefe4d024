#pragma once

// A tensor in device memory, for tests that call an operator through its C API.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "acl/acl.h"
#include "kernel/numeric/format.h"

namespace gradproof::kernel {

using Ints = std::vector<std::int64_t>;

inline std::optional<numeric::Format> format_of(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return numeric::Format::Binary32;
    case ACL_FLOAT16:
      return numeric::Format::Half;
    case ACL_BF16:
      return numeric::Format::BFloat16;
    case ACL_HIFLOAT8:
      return numeric::Format::HiFloat8;
    case ACL_FLOAT8_E4M3FN:
      return numeric::Format::Float8E4M3;
    default:
      return std::nullopt;
  }
}

inline std::int64_t count_of(const Ints& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

inline Ints row_major(const Ints& shape) {
  Ints strides(shape.size());
  std::uint64_t step = 1;  // wraps where no tensor could be
  for (std::size_t i = shape.size(); i-- > 0; step *= static_cast<std::uint64_t>(shape[i])) {
    strides[i] = static_cast<std::int64_t>(step);
  }
  return strides;
}

/// Elements in device memory. What belongs to no element, and those before anything is written,
/// hold a pattern.
class DeviceElements {
 public:
  static constexpr std::byte pattern{0x77};

  /// `order`: the axes as values are given and read, by their place in the shape. `beyond`:
  /// elements behind the last one.
  DeviceElements(aclDataType type, const Ints& shape, const Ints& strides, std::int64_t offset,
                 std::vector<std::size_t> order, std::int64_t beyond)
      : format_(*format_of(type)),
        shape_(shape),
        strides_(strides),
        offset_(offset),
        order_(std::move(order)) {
    std::int64_t end = offset;
    for (std::size_t i = 0; i < shape.size(); ++i) end += (shape[i] - 1) * strides_[i];
    const std::int64_t elements = (count_of(shape) == 0 ? offset : end + 1) + beyond;
    bytes_ = static_cast<std::size_t>(elements) * numeric::size_of(format_);
    EXPECT_EQ(aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    upload(std::vector<std::byte>(bytes_, pattern));
  }
  ~DeviceElements() { EXPECT_EQ(aclrtFree(memory_), ACL_SUCCESS); }
  DeviceElements(const DeviceElements&) = delete;
  DeviceElements& operator=(const DeviceElements&) = delete;

  void* memory() const { return memory_; }
  const Ints& shape() const { return shape_; }
  const Ints& strides() const { return strides_; }
  std::int64_t elements() const {
    return static_cast<std::int64_t>(bytes_ / numeric::size_of(format_));
  }

  void write(const std::vector<float>& values) {
    auto memory = download();
    std::size_t next = 0;
    numeric::with_codec(format_, [&](auto codec) {
      for_each_distance([&](std::int64_t distance) {
        numeric::store<decltype(codec)>(values[next++], numeric::OverflowMode::InfNan,
                                        memory.data(), distance);
      });
    });
    upload(memory);
  }

  std::vector<float> read() const {
    const auto memory = download();
    std::vector<float> values;
    numeric::with_codec(format_, [&](auto codec) {
      for_each_distance([&](std::int64_t distance) {
        values.push_back(numeric::load<decltype(codec)>(memory.data(), distance));
      });
    });
    return values;
  }

  /// Every byte, elements and others.
  std::vector<std::byte> download() const {
    std::vector<std::byte> memory(bytes_);
    EXPECT_EQ(aclrtMemcpy(memory.data(), bytes_, memory_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return memory;
  }

  /// Bytes that belong to no element.
  bool gaps_untouched() const {
    auto memory = download();
    const auto size = static_cast<std::int64_t>(numeric::size_of(format_));
    for_each_distance([&](std::int64_t distance) {
      std::fill_n(memory.begin() + distance * size, size, pattern);
    });
    return is_pattern(memory);
  }
  bool untouched() const { return is_pattern(download()); }

 private:
  static bool is_pattern(const std::vector<std::byte>& memory) {
    return std::ranges::all_of(memory, [](std::byte byte) { return byte == pattern; });
  }

  void upload(const std::vector<std::byte>& memory) {
    EXPECT_EQ(aclrtMemcpy(memory_, bytes_, memory.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_SUCCESS);
  }

  template <typename Visit>
  void for_each_distance(const Visit& visit) const {
    Ints index(shape_.size(), 0);
    for (std::int64_t turn = count_of(shape_); turn > 0; --turn) {
      std::int64_t distance = offset_;
      for (std::size_t axis = 0; axis < index.size(); ++axis)
        distance += index[axis] * strides_[axis];
      visit(distance);
      for (std::size_t i = order_.size(); i-- > 0 && ++index[order_[i]] == shape_[order_[i]];) {
        index[order_[i]] = 0;
      }
    }
  }

  numeric::Format format_;
  Ints shape_, strides_;
  std::int64_t offset_;
  std::vector<std::size_t> order_;
  std::size_t bytes_ = 0;
  void* memory_ = nullptr;
};

}  // namespace gradproof::kernel
