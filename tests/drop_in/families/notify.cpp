// A flag that one stream sets and another waits for.
#include "family.h"

int main() {
  const Device device;
  const Stream first, second;
  const Memory memory(64);
  aclrtNotify notifies[2] = {nullptr, nullptr};
  std::uint32_t ids[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    CHECK(aclrtCreateNotify(&notifies[i], ACL_NOTIFY_DEFAULT));
    CHECK(aclrtGetNotifyId(notifies[i], &ids[i]));
  }
  std::printf("ids differ: %d\n", ids[0] != ids[1]);
  CHECK(aclrtWaitAndResetNotify(notifies[0], second, 0));
  CHECK(aclrtMemsetAsync(memory, 64, 2, 64, second));
  CHECK(aclrtMemsetAsync(memory, 64, 1, 64, first));
  CHECK(aclrtRecordNotify(notifies[0], first));
  CHECK(aclrtSynchronizeStream(second));
  std::printf("written last: %d\n", byte_at(memory));
  CHECK(aclrtRecordNotify(notifies[1], first));
  CHECK(aclrtSynchronizeStream(first));
  CHECK(aclrtNotifyBatchReset(notifies, 2));
  CHECK(aclrtWaitAndResetNotify(notifies[1], second, 1));  // reset: nothing sets it again
  std::printf("waited in vain: %d\n", aclrtSynchronizeStream(second));
  for (aclrtNotify notify : notifies) CHECK(aclrtDestroyNotify(notify));
  return failures;
}
