// One small use of each family of the runtime's functions, in C++11: what a program prints that has
// them all.
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/acl_tdt.h"

namespace {

int failures = 0;

void check(aclError code, const char* call) {
  if (code == ACL_SUCCESS) return;
  ++failures;
  std::printf("%s: %d\n", call, code);
}
#define CHECK(call) check(call, #call)

void* device_memory(std::size_t bytes) {
  void* memory = nullptr;
  CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return memory;
}

int first_byte(const void* memory) {
  unsigned char byte = 0;
  CHECK(aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  return byte;
}

void add_one(void* number) { ++*static_cast<int*>(number); }

void versions() {
  char package[] = "runtime";
  std::int32_t number = 0;
  CHECK(aclsysGetVersionNum(package, &number));
  std::printf("version: %s\n", number > 0 ? "a number" : "none");
}

void notifies(aclrtStream first, aclrtStream second) {
  aclrtNotify notify = nullptr;
  void* const memory = device_memory(64);
  CHECK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  CHECK(aclrtWaitAndResetNotify(notify, second, 0));
  CHECK(aclrtMemsetAsync(memory, 64, 2, 64, second));
  CHECK(aclrtMemsetAsync(memory, 64, 1, 64, first));
  CHECK(aclrtRecordNotify(notify, first));
  CHECK(aclrtSynchronizeStream(second));
  std::printf("notify: the second stream wrote %d\n", first_byte(memory));
  CHECK(aclrtDestroyNotify(notify));
  CHECK(aclrtFree(memory));
}

void words(aclrtStream first, aclrtStream second) {
  void* const word = device_memory(8);
  CHECK(aclrtMemset(word, 8, 0, 8));
  CHECK(aclrtValueWait(word, 3, ACL_STREAM_WAIT_VALUE_GEQ, second));
  CHECK(aclrtValueWrite(word, 3, 0, first));
  CHECK(aclrtSynchronizeStream(second));
  std::printf("word: %d\n", first_byte(word));
  CHECK(aclrtFree(word));
}

void reductions(aclrtStream stream) {
  const float a[] = {1, 2}, b[] = {3, 4};
  float sum[] = {0, 0};
  void *const to = device_memory(sizeof a), *const from = device_memory(sizeof b);
  CHECK(aclrtMemcpy(to, sizeof a, a, sizeof a, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtMemcpy(from, sizeof b, b, sizeof b, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtReduceAsync(to, from, sizeof a, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream,
                         nullptr));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtMemcpy(sum, sizeof sum, to, sizeof sum, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("reduction: %g %g\n", sum[0], sum[1]);
  CHECK(aclrtFree(to));
  CHECK(aclrtFree(from));
}

void callbacks(aclrtStream stream) {
  int calls = 0;
  const std::uint64_t thread = static_cast<std::uint64_t>(pthread_self());
  CHECK(aclrtSubscribeReport(thread, stream));
  CHECK(aclrtLaunchCallback(add_one, &calls, ACL_CALLBACK_BLOCK, stream));
  CHECK(aclrtProcessReport(-1));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtUnSubscribeReport(thread, stream));
  std::printf("callbacks: %d\n", calls);
}

void events(aclrtStream stream) {
  aclrtEvent event = nullptr;
  std::uint64_t time = 0;
  CHECK(aclrtCreateEvent(&event));
  CHECK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT));
  CHECK(aclrtSynchronizeEvent(event));
  CHECK(aclrtEventGetTimestamp(event, &time));
  std::printf("event: %s\n", time > 0 ? "a time" : "none");
  CHECK(aclrtDestroyEvent(event));
}

void limits() {
  std::uint32_t cores = 0;
  CHECK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 4));
  CHECK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores));
  CHECK(aclrtResetDeviceResLimit(0));
  std::printf("cores: %u\n", cores);
}

void registered(aclrtStream stream) {
  std::vector<unsigned char> host(64);
  void* address = nullptr;
  CHECK(aclrtHostRegister(host.data(), host.size(), ACL_HOST_REGISTER_MAPPED, &address));
  CHECK(aclrtMemsetAsync(address, 64, 5, 64, stream));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtHostUnregister(host.data()));
  std::printf("registered: %d\n", host[63]);
}

void mapped() {
  const std::size_t bytes = std::size_t(2) << 20;
  aclrtPhysicalMemProp wanted;
  std::memset(&wanted, 0, sizeof wanted);
  wanted.memAttr = ACL_HBM_MEM_HUGE;
  wanted.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  void* start = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  CHECK(aclrtReserveMemAddress(&start, bytes, 0, nullptr, 0));
  CHECK(aclrtMallocPhysical(&handle, bytes, &wanted, 0));
  CHECK(aclrtMapMem(start, bytes, 0, handle, 0));
  CHECK(aclrtMemset(start, bytes, 6, bytes));
  std::printf("mapped: %d\n", first_byte(start));
  CHECK(aclrtUnmapMem(start));
  CHECK(aclrtFreePhysical(handle));
  CHECK(aclrtReleaseMemAddress(start));
}

void exported() {
  void* const memory = device_memory(64);
  char key[65] = "";
  CHECK(aclrtIpcMemGetExportKey(memory, 64, key, sizeof key,
                                ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  std::printf("key: %d characters\n", static_cast<int>(std::strlen(key)));
  CHECK(aclrtIpcMemClose(key));
  CHECK(aclrtFree(memory));
}

void not_simulated() {
  aclrtCntNotify notify = nullptr;
  std::printf("counting notify: %d\n", aclrtCntNotifyCreate(&notify, 0));
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream first = nullptr, second = nullptr;
  CHECK(aclrtCreateStream(&first));
  CHECK(aclrtCreateStream(&second));
  versions();
  notifies(first, second);
  words(first, second);
  reductions(first);
  callbacks(first);
  events(first);
  limits();
  registered(first);
  mapped();
  exported();
  not_simulated();
  CHECK(aclrtDestroyStream(first));
  CHECK(aclrtDestroyStream(second));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  std::printf("failures: %d\n", failures);
  return failures;
}
