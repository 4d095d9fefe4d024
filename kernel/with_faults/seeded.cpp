#include "kernel/with_faults/seeded.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>

#include "kernel/device/memory/memory.h"
#include "kernel/include/acl/acl.h"
#include "kernel/numeric/bfloat16.h"
#include "kernel/numeric/format.h"
#include "kernel/numeric/half.h"

namespace gradproof::kernel {
namespace {

/// Files whose code only one path runs.
struct PathOf {
  std::string_view beginning;
  const char* path;
};
constexpr PathOf paths[] = {
    {"operators/plain/", "plain"},
    {"operators/call/operand.", "plain"},
    {"numeric/adding.", "plain"},
    {"operators/call/arithmetic.", "plain"},
    {"operators/call/tensor_view.", "plain"},
    {"operators/convolution_backward.", "plain"},
    {"cube/", "scalar"},
    {"operators/device/device_", "scalar"},
};

/// A fault that the default path never or rarely reaches also selects the path that does, unless
/// the environment names one.
void choose_path(const SeededFault& fault) {
  constexpr int keep_what_the_user_set = 0;
  for (const PathOf& row : paths) {
    if (!std::string_view(fault.file).starts_with(row.beginning)) continue;
    ::setenv("GRADPROOF_PATH", row.path, keep_what_the_user_set);
  }
}

std::size_t fault_from_environment() {
  const char* name = std::getenv("GRADPROOF_FAULT");
  if (name == nullptr || *name == '\0') return 0;
  for (std::size_t i = 0; i < seeded_fault_count; ++i) {
    if (std::string_view(name) != seeded_faults[i].name) continue;
    choose_path(seeded_faults[i]);
    return i + 1;
  }
  std::fprintf(stderr,
               "GRADPROOF_FAULT: there is no fault '%s'; kernel/with_faults/faults names them\n",
               name);
  _exit(2);
}

}  // namespace

std::size_t seeded_fault = fault_from_environment();

float rounded_to_float16(float value) {
  return numeric::Half::decode(numeric::Half::encode(value, numeric::OverflowMode::InfNan));
}

void round_to_bfloat16(std::span<float> sums) {
  for (float& sum : sums) {
    sum = numeric::BFloat16::decode(numeric::BFloat16::encode(sum, numeric::OverflowMode::InfNan));
  }
}

void pass_through_float16(std::byte* elements, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = numeric::load<numeric::BFloat16>(elements, i);
    numeric::store<numeric::BFloat16>(rounded_to_float16(value), numeric::OverflowMode::InfNan,
                                      elements, i);
  }
}

std::int64_t another_number(std::int64_t most) {
  static std::atomic<std::int64_t> calls{0};
  return 1 + calls++ % std::max<std::int64_t>(most, 1);
}

void leak_device_memory() {
  void* lost = nullptr;
  aclrtMalloc(&lost, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
}

void* copied_to_another_place(void* data) {
  constexpr std::size_t most = std::size_t{1} << 16;
  constexpr std::size_t step = 32;
  constexpr std::size_t places = 64;
  std::size_t bytes = 0;
  while (bytes < most && device::host_view(data, bytes + step) != nullptr) bytes += step;
  if (bytes == 0 || bytes == most) return data;
  static std::byte* const ring = [] {
    void* memory = nullptr;
    aclrtMalloc(&memory, places * most, ACL_MEM_MALLOC_HUGE_FIRST);
    return static_cast<std::byte*>(memory);
  }();
  static std::atomic<std::size_t> copies{0};
  std::byte* const copy = ring + copies++ % places * most;
  std::memcpy(device::host_view(copy, bytes), device::host_view(data, bytes), bytes);
  return copy;
}

bool is_of_another_thread(const void* handle) {
  static std::mutex mutex;
  static std::map<const void*, std::thread::id> first;
  const std::scoped_lock lock(mutex);
  return first.try_emplace(handle, std::this_thread::get_id()).first->second !=
         std::this_thread::get_id();
}

void* pointer_after_a_moment_in_a_static(void* pointer) {
  static std::atomic<void*> shared;
  shared = pointer;
  constexpr std::chrono::microseconds moment{20};
  const auto end = std::chrono::steady_clock::now() + moment;
  while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return shared;
}

}  // namespace gradproof::kernel

/// Returns, for fault `index` of this build, its name (field 0), the quantity that a diagnosis
/// should name (1), its file (2), its profile (3) or its functions (4); null where there is
/// none.
extern "C" const char* gradproof_seeded_fault(std::size_t index, int field) {
  using gradproof::kernel::seeded_faults;
  if (index >= gradproof::kernel::seeded_fault_count) return nullptr;
  const auto& fault = seeded_faults[index];
  const char* const fields[] = {fault.name, fault.quantity, fault.file, fault.profile, fault.api};
  return fields[std::clamp(field, 0, 4)];
}
