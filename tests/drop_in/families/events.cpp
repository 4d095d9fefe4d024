// Ids, times and waits of events.
#include "family.h"

int main() {
  const Device device;
  const Stream first, second;
  const Memory memory(64);
  aclrtEvent begin = nullptr, end = nullptr;
  std::uint32_t before = 0, after = 0, ids[2] = {0, 0};
  std::uint64_t times[2] = {0, 0};
  CHECK(aclrtGetEventAvailNum(&before));
  CHECK(aclrtCreateEvent(&begin));
  CHECK(aclrtCreateEvent(&end));
  CHECK(aclrtGetEventAvailNum(&after));
  CHECK(aclrtGetEventId(begin, &ids[0]));
  CHECK(aclrtGetEventId(end, &ids[1]));
  std::printf("taken: %u, ids differ: %d\n", before - after, ids[0] != ids[1]);
  std::printf("not recorded: %d\n", aclrtEventGetTimestamp(begin, &times[0]));
  CHECK(aclrtRecordEventWithFlag(begin, first, ACL_EVENT_RECORD_DEFAULT));
  CHECK(aclrtMemsetAsync(memory, 64, 1, 64, first));
  CHECK(aclrtRecordEventWithFlag(end, first, ACL_EVENT_RECORD_EXTERNAL));
  CHECK(aclrtStreamWaitEventWithTimeout(second, end, 5));
  CHECK(aclrtMemsetAsync(memory, 64, 2, 64, second));
  CHECK(aclrtSynchronizeStream(second));
  CHECK(aclrtEventGetTimestamp(begin, &times[0]));
  CHECK(aclrtEventGetTimestamp(end, &times[1]));
  std::printf("in order: %d, the second stream wrote %d\n", times[0] <= times[1], byte_at(memory));
  CHECK(aclrtDestroyEvent(begin));
  CHECK(aclrtDestroyEvent(end));
  return failures;
}
