#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "kernel/device/product.h"

namespace gradproof::kernel::cube {

/// Bytes of each local memory of one AI core. Source: CANN's platform configuration; NPU
/// architecture pages 2201 and 3510.
struct BufferCapacities {
  std::int64_t l1 = 0, l0a = 0, l0b = 0, l0c = 0, ub = 0;

  friend bool operator==(const BufferCapacities&, const BufferCapacities&) = default;
};

BufferCapacities capacities_of(device::Product product);

/// One local memory of a core. What is allocated is full of poison (marks.h) until something is
/// loaded; an allocation that does not fit is refused.
///
/// Elements are kept as FLOATs whatever their format, and counted in the bytes that they have on
/// the device.
class LocalBuffer {
 public:
  /// `alignment`: each allocation starts, and therefore ends, at a multiple of so many bytes.
  LocalBuffer(std::string_view name, std::int64_t capacity_bytes, std::int64_t alignment);

  /// Errors: buffer, bytes asked for, bytes free and capacity, in one sentence.
  tl::expected<std::span<float>, std::string> allocate(std::int64_t elements,
                                                       std::int64_t element_bytes);

  /// Extent of the allocations at some moment.
  struct Mark {
    std::int64_t bytes = 0, words = 0;
  };
  Mark mark() const { return used_; }

  /// Ends every allocation made since the mark, or every one.
  void release_to(const Mark& mark) { used_ = mark; }
  void release() { used_ = {}; }

  std::string_view name() const { return name_; }
  std::int64_t capacity_bytes() const { return capacity_bytes_; }
  std::int64_t free_bytes() const { return capacity_bytes_ - used_.bytes; }

 private:
  std::string_view name_;
  std::int64_t capacity_bytes_, alignment_;
  Mark used_;
  std::unique_ptr<float[]> words_;  ///< one a byte: room for elements of the smallest format
};

/// The local memories of one core.
struct LocalBuffers {
  explicit LocalBuffers(const BufferCapacities& capacities);

  void release();

  LocalBuffer l1, l0a, l0b, l0c, ub;
};

}  // namespace gradproof::kernel::cube
