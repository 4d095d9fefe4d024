// What a program is told of the life of its process, devices and streams, and of failed tasks.
#include "family.h"

static aclError told_of_init(const char*, std::size_t length, void*) {
  std::printf("aclInit, %zu characters of configuration\n", length);
  return ACL_SUCCESS;
}
static aclError told_of_finalize(void*) {
  std::printf("aclFinalize\n");
  return ACL_SUCCESS;
}
static void told_of_device(std::int32_t device, aclrtDeviceState state, void*) {
  std::printf("device %d: %d\n", device, static_cast<int>(state));
}
static void told_of_stream(aclrtStream, aclrtStreamState state, void*) {
  std::printf("stream: %d\n", static_cast<int>(state));
}
static void told_of_failure(aclrtExceptionInfo* failure) {
  std::printf("failed task: %u on device %u\n", aclrtGetErrorCodeFromExceptionInfo(failure),
              aclrtGetDeviceIdFromExceptionInfo(failure));
}

static void fail_a_task() {
  const Stream stream;
  const Memory word(8);
  aclrtNotify notify = nullptr;
  CHECK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  CHECK(aclrtWaitAndResetNotify(notify, stream, 1));  // nothing sets it: it fails after 1 s
  std::printf("synchronised: %d\n", aclrtSynchronizeStream(stream));
  CHECK(aclrtDestroyNotify(notify));
}

int main() {
  CHECK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, told_of_init, nullptr));
  CHECK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, told_of_finalize, nullptr));
  {
    CHECK(aclrtRegDeviceStateCallback("program", told_of_device, nullptr));
    CHECK(aclrtRegStreamStateCallback("program", told_of_stream, nullptr));
    const Device device;
    CHECK(aclrtExceptionInfoCallbackRegister(told_of_failure));
    fail_a_task();
    CHECK(aclrtExceptionInfoCallbackUnregister(told_of_failure));
  }
  CHECK(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, told_of_init));
  return failures;
}
