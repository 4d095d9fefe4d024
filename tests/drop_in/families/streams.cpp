// Priorities, attributes and failures of streams.
#include "family.h"

static void attributes_of(aclrtStream stream) {
  std::uint32_t priority = 9, flags = 9;
  std::int32_t first = -1, second = -1;
  const Stream other;
  CHECK(aclrtStreamGetPriority(stream, &priority));
  CHECK(aclrtStreamGetFlags(stream, &flags));
  CHECK(aclrtStreamGetId(stream, &first));
  CHECK(aclrtStreamGetId(other, &second));
  std::printf("priority %u, flags %u, ids differ: %d\n", priority, flags, first != second);
  aclrtStreamAttrValue tag = {}, read = {};
  tag.userCustomTag = 7;
  CHECK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &tag));
  CHECK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &read));
  std::printf("tag %u\n", read.userCustomTag);
}

int main() {
  const Device device;
  std::int32_t least = -1, greatest = -1;
  std::uint32_t before = 0, after = 0, priority = 3;
  std::size_t flag = ACL_STREAM_FAST_LAUNCH;
  CHECK(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
  std::printf("priorities %d to %d\n", least, greatest);
  CHECK(aclrtGetStreamAvailableNum(&before));
  aclrtStreamConfigHandle* const config = aclrtCreateStreamConfigHandle();
  CHECK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  CHECK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, sizeof flag));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStreamV2(&stream, config));
  CHECK(aclrtDestroyStreamConfigHandle(config));
  CHECK(aclrtGetStreamAvailableNum(&after));
  std::printf("taken: %u\n", before - after);
  attributes_of(stream);
  const Memory memory(64, 1);
  CHECK(aclrtSetStreamFailureMode(stream, 1));
  CHECK(aclrtMemsetAsync(memory, 64, 2, 64, stream));
  CHECK(aclrtStreamAbort(stream));
  std::printf("aborted: %d, byte %d\n", aclrtSynchronizeStream(stream), byte_at(memory));
  CHECK(aclrtDestroyStream(stream));
  return failures;
}
