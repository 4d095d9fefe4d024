// Exceptions between a kernel and the libraries that it runs on, which may have a C++ library of
// their own linked in: an exception that a kernel does not catch ends its launch, and
// whatever ends a launch runs the kernel's handlers and destructors first.
#include <acl/acl.h>
#include <kernel_launcher.h>
#include <kernel_operator.h>

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

namespace {

int handlers = 0;
int destructors = 0;

struct Guard {
  ~Guard() { ++destructors; }
};

void lets_a_standard_one_out(const void*) {
  const Guard guard;
  throw std::runtime_error("thrown by the kernel");
}

void lets_a_number_out(const void*) {
  const Guard guard;
  throw 7;
}

void runs_out_of_memory(const void*) {
  const Guard guard;
  throw std::bad_alloc();
}

void reads_outside(const void* data) {
  const Guard guard;
  AscendC::GlobalTensor<half> tensor;
  tensor.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(data)), 16);
  try {
    tensor.GetValue(1U << 20U);
  } catch (...) {
    ++handlers;
    throw;
  }
}

void show(const char* name, void (*kernel)(const void*), const void* data) {
  handlers = destructors = 0;
  const aclError code = gradproof::launch(kernel, 1, data);
  std::printf("%s: %d, handlers %d, destructors %d, still thrown %d\n%s\n", name, code, handlers,
              destructors, std::uncaught_exceptions(), aclGetRecentErrMsg());
}

}  // namespace

int main() {
  if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  void* data = nullptr;
  if (aclrtMalloc(&data, 32, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 1;
  show("a standard exception", lets_a_standard_one_out, data);
  show("a number", lets_a_number_out, data);
  show("no memory", runs_out_of_memory, data);
  show("a read outside", reads_outside, data);
  show("once more", lets_a_standard_one_out, data);
  aclrtFree(data);
  return aclFinalize();
}
