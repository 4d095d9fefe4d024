#pragma once

#include "acl/acl.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace gradproof::kernel {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Sets environment variables for as long as it lives.
class Environment {
 public:
  explicit Environment(const Variables& variables) {
    for (const auto& [name, value] : variables) {
      const char* before = std::getenv(name.c_str());
      before_.emplace_back(name, before == nullptr ? "" : before, before != nullptr);
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value, was_set] : before_) {
      if (was_set) {
        ::setenv(name.c_str(), value.c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }

 private:
  struct Before {
    Before(std::string variable, std::string text, bool set)
        : name(std::move(variable)), value(std::move(text)), was_set(set) {}
    std::string name, value;
    bool was_set;
  };
  std::vector<Before> before_;
};

/// The texts of the calling thread since the last call, newest first, one a line.
inline std::string error_text() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

/// An initialised process without a device; ends with nothing left behind.
class Initialised : public testing::Test {
 protected:
  void SetUp() override { initialise({}); }
  void TearDown() override {
    // Tests leave objects behind on purpose; the report of them has tests of its own.
    testing::internal::CaptureStderr();
    if (is_open_) aclFinalize();
    testing::internal::GetCapturedStderr();
    error_text();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }

  /// Begins again, on the machine that the variables describe.
  void initialise(const Variables& variables) {
    testing::internal::CaptureStderr();
    const bool is_closed = !is_open_ || aclFinalize() == ACL_SUCCESS;
    testing::internal::GetCapturedStderr();
    ASSERT_TRUE(is_closed) << error_text();
    const Environment environment(variables);
    is_open_ = aclInit(nullptr) == ACL_SUCCESS;
    ASSERT_TRUE(is_open_) << error_text();
    error_text();
  }

  bool is_open_ = false;
};

/// Device 0, set on the test's thread.
class OnDevice : public Initialised {
 protected:
  void SetUp() override { open({}); }

  void open(const Variables& variables) {
    initialise(variables);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  }

  static void* device_memory(std::size_t bytes) {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    return memory;
  }

  static std::vector<unsigned char> read(const void* from, std::size_t bytes) {
    std::vector<unsigned char> read(bytes);
    EXPECT_EQ(aclrtMemcpy(read.data(), bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
    return read;
  }

  static aclrtStream new_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    return stream;
  }
};

/// A handle that was never given out: what an uninitialised variable may hold.
template <class Handle = void*>
Handle garbage_handle() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x7ffdeadbeef8});
}

}  // namespace gradproof::kernel
