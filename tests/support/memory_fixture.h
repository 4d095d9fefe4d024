#pragma once

// Device 0, whose memory is tested.

#include "tests/support/runtime_fixture.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gradproof::kernel {

class DeviceMemory : public OnDevice {
 protected:
  /// For many bytes, where gmock's Each would take seconds.
  static bool is_all(const std::vector<unsigned char>& bytes, int value) {
    return std::ranges::all_of(bytes, [value](unsigned char byte) { return byte == value; });
  }

  static unsigned char* at(void* memory, std::ptrdiff_t offset) {
    return static_cast<unsigned char*>(memory) + offset;
  }
};

}  // namespace gradproof::kernel
