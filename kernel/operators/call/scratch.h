#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace gradproof::kernel::operators {

/// Memory that a thread keeps from task to task, so that tasks allocate nothing once they are warm.
class Scratch {
 public:
  static constexpr std::int64_t alignment = 64;  ///< bytes; of every part

  /// Scratch memory of the calling thread, all of it free. What was taken before is gone.
  static Scratch& of_this_thread() {
    thread_local Scratch scratch;
    scratch.used_ = 0;
    return scratch;
  }

  /// FLOATs that a part of so many takes.
  static constexpr std::int64_t padded(std::int64_t count) {
    constexpr auto floats = alignment / static_cast<std::int64_t>(sizeof(float));
    return (count + floats - 1) / floats * floats;
  }

  /// Makes room for parts of so many padded FLOATs in all, before the first is taken.
  void reserve(std::int64_t count) {
    if (count <= capacity_) return;
    floats_.reset();
    capacity_ = 0;
    floats_.reset(new (std::align_val_t{alignment}) float[static_cast<std::size_t>(count)]);
    capacity_ = count;
  }

  /// The next part; it holds anything.
  float* take(std::int64_t count) {
    float* const part = floats_.get() + used_;
    used_ += padded(count);
    return part;
  }

  /// Lists of numbers, for offsets; their first contents are unspecified.
  std::vector<std::int64_t> vector_offsets, scalar_offsets;
  std::vector<const float*> rows;

 private:
  struct Release {
    void operator()(float* floats) const {
      ::operator delete[](floats, std::align_val_t{alignment});
    }
  };

  std::unique_ptr<float[], Release> floats_;
  std::int64_t capacity_ = 0, used_ = 0;
};

}  // namespace gradproof::kernel::operators
