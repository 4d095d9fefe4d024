#pragma once

// Part of the program library_host, which is one source.

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

namespace {

int requests = -1, answers = -1;

void read_exactly(void* to, std::size_t size) {
  for (auto* at = static_cast<char*>(to); size > 0;) {
    const ssize_t count = ::read(requests, at, size);
    if (count <= 0) ::_exit(0);  // the other side has closed its end
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

void write_exactly(const void* from, std::size_t size) {
  for (const auto* at = static_cast<const char*>(from); size > 0;) {
    const ssize_t count = ::write(answers, at, size);
    if (count <= 0) ::_exit(0);
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

[[noreturn]] void leave(const std::string& greeting, const std::string& why) {
  const std::string line = greeting + " !" + why.substr(0, 200) + "\n";
  write_exactly(line.data(), line.size());
  ::_exit(3);
}

/// Ends the process with the code that the filter of system calls says.
void end_at_barred_call(int, siginfo_t* info, void*) { ::_exit(info->si_errno); }

bool handles_barred_calls() {
  struct sigaction now {};
  ::sigaction(SIGSYS, nullptr, &now);
  return now.sa_sigaction == end_at_barred_call;
}

void handle_barred_calls() {
  struct sigaction action {};
  action.sa_sigaction = end_at_barred_call;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSYS, &action, nullptr);
}

struct Head {
  std::uint32_t number, axes, transposed, mask, cube_math_type, text_bytes;
  std::int64_t groups;
  std::array<std::int64_t, 3> stride, padding, dilation, output_padding;
};
struct __attribute__((packed)) Tensor {
  std::uint32_t dtype, rank;
  std::array<std::int64_t, 5> shape;

  bool is_there() const { return dtype != ~0U; }
  std::size_t elements() const {
    std::size_t count = 1;
    for (std::uint32_t i = 0; i < rank; ++i) count *= static_cast<std::size_t>(shape.at(i));
    return count;
  }
  std::size_t bytes() const {
    const std::size_t width = dtype == ACL_DOUBLE ? 8 : dtype == ACL_FLOAT ? 4 : 2;
    return is_there() ? elements() * (dtype >= ACL_HIFLOAT8 ? 1 : width) : 0;
  }
};
struct HostAnswer {
  std::uint32_t number = 0, outcome = 0;
  std::int32_t status = 0;
  std::uint32_t text_bytes = 0;
  std::array<std::int64_t, 3> changed{-1, -1, -1};
};
constexpr std::uint32_t computed = 0, returned = 1, failed = 2;

/// CANN's functions, from the first library that has each.
struct Functions {
  std::vector<void*> libraries;
  std::string missing;

  template <typename Function>
  Function* named(const char* name, Function*) {
    for (void* library : libraries) {
      if (void* address = ::dlsym(library, name)) return reinterpret_cast<Function*>(address);
    }
    missing += (missing.empty() ? "" : ", ") + std::string(name);
    return nullptr;
  }
};
#define TAKE(name) name = functions.named(#name, name)

struct Api {
  decltype(&::aclInit) aclInit = nullptr;
  decltype(&::aclrtSetDevice) aclrtSetDevice = nullptr;
  decltype(&::aclrtCreateStream) aclrtCreateStream = nullptr;
  decltype(&::aclrtSynchronizeStream) aclrtSynchronizeStream = nullptr;
  decltype(&::aclrtMalloc) aclrtMalloc = nullptr;
  decltype(&::aclrtFree) aclrtFree = nullptr;
  decltype(&::aclrtMemcpy) aclrtMemcpy = nullptr;
  decltype(&::aclrtMemcpy) vendors_memcpy = nullptr;  ///< where the candidate has its own, too
  decltype(&::aclCreateTensor) aclCreateTensor = nullptr;
  decltype(&::aclDestroyTensor) aclDestroyTensor = nullptr;
  decltype(&::aclCreateIntArray) aclCreateIntArray = nullptr;
  decltype(&::aclDestroyIntArray) aclDestroyIntArray = nullptr;
  decltype(&::aclCreateBoolArray) aclCreateBoolArray = nullptr;
  decltype(&::aclDestroyBoolArray) aclDestroyBoolArray = nullptr;
  decltype(&::aclnnConvolutionBackwardGetWorkspaceSize) aclnnConvolutionBackwardGetWorkspaceSize =
      nullptr;
  decltype(&::aclnnConvolutionBackward) aclnnConvolutionBackward = nullptr;

  void take(Functions& functions) {
    TAKE(aclInit), TAKE(aclrtSetDevice), TAKE(aclrtCreateStream), TAKE(aclrtSynchronizeStream);
    TAKE(aclrtMalloc), TAKE(aclrtFree), TAKE(aclrtMemcpy), TAKE(aclCreateTensor);
    TAKE(aclDestroyTensor), TAKE(aclCreateIntArray), TAKE(aclDestroyIntArray);
    TAKE(aclCreateBoolArray), TAKE(aclDestroyBoolArray);
    TAKE(aclnnConvolutionBackwardGetWorkspaceSize), TAKE(aclnnConvolutionBackward);
    for (std::size_t i = functions.libraries.size(); i-- > 1 && vendors_memcpy == nullptr;) {
      void* const found = ::dlsym(functions.libraries[i], "aclrtMemcpy");
      vendors_memcpy = reinterpret_cast<decltype(vendors_memcpy)>(found);
    }
  }
} api;

}  // namespace
