#pragma once

#include <cstring>
#include <vector>

#include "kernel/ascendc/core/core.h"

namespace gradproof::kernel::ascendc {

/// The bytes behind a pointer that the program promised to keep until End. They are copied once and
/// compared at each call, without ever touching memory that is gone: the system is asked to copy.
class WatchedBytes {
 public:
  /// Ends the block, in the name of `call`, where the pointer is null or not readable.
  void take(Core& core, const char* call, const void* source, std::size_t bytes);

  /// Ends the block where the bytes are gone or have changed.
  void require_unchanged(Core& core, const char* call) const;

  const std::byte* data() const { return copy_.data(); }

 private:
  const void* source_ = nullptr;
  std::vector<std::byte> copy_;
};

/// A tiling as Init found it.
template <typename Tiling>
class WatchedTiling {
 public:
  void take(Core& core, const char* call, const Tiling* tiling) {
    bytes_.take(core, call, tiling, sizeof(Tiling));
    std::memcpy(static_cast<void*>(&tiling_), bytes_.data(), sizeof(Tiling));
  }
  void require_unchanged(Core& core, const char* call) const {
    bytes_.require_unchanged(core, call);
  }
  const Tiling& operator*() const { return tiling_; }
  const Tiling* operator->() const { return &tiling_; }

 private:
  WatchedBytes bytes_;
  Tiling tiling_;
};

}  // namespace gradproof::kernel::ascendc
