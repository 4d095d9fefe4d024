#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "kernel/operators/call/checked.h"

namespace gradproof::kernel::operators {

/// Hands out a workspace, part after part, in FLOATs.
class WorkspaceParts {
 public:
  static constexpr std::int64_t alignment = 64;

  /// Takes the start of the bytes that phase one asked for.
  explicit WorkspaceParts(std::byte* start) {
    void* aligned = start;
    std::size_t room = alignment;
    std::align(alignment, 0, aligned, room);
    next_ = static_cast<float*>(aligned);
  }

  /// The next `count` FLOATs; the caller has found that they fit.
  std::span<float> take(const Checked& count) {
    const std::span<float> part(next_, static_cast<std::size_t>(*count.value()));
    next_ += part.size();
    return part;
  }

 private:
  float* next_ = nullptr;
};

}  // namespace gradproof::kernel::operators
