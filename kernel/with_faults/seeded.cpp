#include "kernel/with_faults/seeded.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kernel/include/acl/acl.h"
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

std::int64_t another_number(std::int64_t most) {
  static std::atomic<std::int64_t> calls{0};
  return 1 + calls++ % std::max<std::int64_t>(most, 1);
}

void leak_device_memory() {
  void* lost = nullptr;
  aclrtMalloc(&lost, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
}

}  // namespace gradproof::kernel

/// Of fault `index` of this build its name (field 0), the quantity that a diagnosis should name (1)
/// or its file (2); null where there is none.
extern "C" const char* gradproof_seeded_fault(std::size_t index, int field) {
  using gradproof::kernel::seeded_faults;
  if (index >= gradproof::kernel::seeded_fault_count) return nullptr;
  const auto& fault = seeded_faults[index];
  if (field == 0) return fault.name;
  return field == 1 ? fault.quantity : fault.file;
}
