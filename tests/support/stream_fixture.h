#pragma once

// What tests of streams and events share: tasks that wait or fail, and both paces.

#include "kernel/device/error_text.h"
#include "kernel/device/streams/stream.h"
#include "tests/support/runtime_fixture.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace gradproof::kernel {

/// A gate that tasks wait at until the test opens it.
class Gate {
 public:
  void open() { is_open_ = true; }
  device::Task task() {
    return [this] {
      while (!is_open_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return aclError{0};
    };
  }

 private:
  std::atomic<bool> is_open_ = false;
};

inline device::Task failing(aclError code, const char* text) {
  return [=] {
    device::report_error(text);
    return code;
  };
}

template <class Condition>
bool becomes_true(Condition condition) {
  for (int attempt = 0; attempt < 5000; ++attempt) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// Every claim about order and results holds under both paces.
class StreamsOfBothPaces : public OnDevice, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override { open({{"GRADPROOF_STREAMS", GetParam()}}); }
};

}  // namespace gradproof::kernel
