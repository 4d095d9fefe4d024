// A stream's tasks captured once and run twice; another stream's between two events among them.
#include "family.h"

int main() {
  const Device device;
  const Stream first, second;
  const Memory source(64, 1), target(64);
  aclrtEvent fork = nullptr, join = nullptr;
  CHECK(aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
  CHECK(aclrtCreateEventExWithFlag(&join, ACL_EVENT_SYNC));

  CHECK(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  CHECK(aclrtRecordEvent(fork, first));
  CHECK(aclrtStreamWaitEvent(second, fork));
  CHECK(aclrtMemcpyAsync(target, 64, source, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
  CHECK(aclrtRecordEvent(join, second));
  CHECK(aclrtStreamWaitEvent(first, join));
  CHECK(aclrtMemsetAsync(source, 64, 7, 64, first));
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI model = nullptr;
  CHECK(aclmdlRICaptureGetInfo(second, &status, &model));
  std::printf("captured too: %d\n", status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  std::printf("synchronising: %d\n", aclrtSynchronizeStream(first));
  CHECK(aclmdlRICaptureEnd(first, &model));
  std::printf("before: %d %d\n", byte_at(source), byte_at(target));

  CHECK(aclmdlRIExecuteAsync(model, second));
  CHECK(aclrtSynchronizeStream(second));
  std::printf("once: %d %d\n", byte_at(source), byte_at(target));
  CHECK(aclmdlRIExecute(model, -1));
  std::printf("twice: %d %d\n", byte_at(source), byte_at(target));
  CHECK(aclmdlRIDestroy(model));
  std::printf("destroyed: %d\n", aclmdlRIExecuteAsync(model, first));

  aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  CHECK(aclmdlRICaptureThreadExchangeMode(&mode));
  std::printf("mode before: %d\n", mode);
  CHECK(aclrtDestroyEvent(fork));
  CHECK(aclrtDestroyEvent(join));
  return failures;
}
