#ifndef GRADPROOF_TESTS_DROP_IN_FAMILY_H
#define GRADPROOF_TESTS_DROP_IN_FAMILY_H

// What the programs of the families share: checks that say what failed, device memory, a first
// byte.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "acl/acl.h"

static int failures = 0;

inline void check(int code, const char* call) {
  if (code == ACL_SUCCESS) return;
  ++failures;
  const char* text = aclGetRecentErrMsg();
  std::printf("%s: %d %s\n", call, code, text == nullptr ? "" : text);
}
#define CHECK(call) check(call, #call)

/// Device 0 of the process, for as long as it lives.
class Device {
 public:
  Device() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }
};

/// A stream of the current device.
class Stream {
 public:
  Stream() { CHECK(aclrtCreateStream(&stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { CHECK(aclrtDestroyStream(stream_)); }
  operator aclrtStream() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

/// Device memory, each byte the same at first.
class Memory {
 public:
  explicit Memory(std::size_t bytes, int value = 0) : bytes_(bytes) {
    CHECK(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemset(memory_, bytes, value, bytes));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { CHECK(aclrtFree(memory_)); }

  operator void*() const { return memory_; }
  void write(const void* from) {
    CHECK(aclrtMemcpy(memory_, bytes_, from, bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  void read(void* to) const {
    CHECK(aclrtMemcpy(to, bytes_, memory_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
  }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

inline int byte_at(const void* memory, std::size_t at = 0) {
  unsigned char byte = 0;
  CHECK(aclrtMemcpy(&byte, 1, static_cast<const unsigned char*>(memory) + at, 1,
                    ACL_MEMCPY_DEVICE_TO_HOST));
  return byte;
}

#endif
