// Overflow, task ids, architectures, data buffers.
#include "family.h"

int main() {
  const Device device;
  CHECK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
  const Stream stream;
  std::uint32_t task = 0;
  std::int32_t fits = -1;
  std::size_t attributes = 0;
  const aclCannAttr* list = nullptr;
  const Memory memory(64), status(64, 1);
  CHECK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
  CHECK(aclrtGetThreadLastTaskId(&task));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtCheckArchCompatibility("Ascend910B1", &fits));
  CHECK(aclGetCannAttributeList(&list, &attributes));
  std::printf("a task: %d, this chip: %d, attributes: %zu\n", task > 0, fits, attributes);
  CHECK(aclrtResetFloatOverflowStatus(stream));
  CHECK(aclrtGetFloatOverflowStatus(status, 64, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("overflow: %d\n", byte_at(status));
  aclDataBuffer* const buffer = aclCreateDataBuffer(memory, 64);
  CHECK(aclUpdateDataBuffer(buffer, memory, 32));
  std::printf("buffer: %d %zu\n", aclGetDataBufferAddr(buffer) == memory,
              aclGetDataBufferSizeV2(buffer));
  CHECK(aclDestroyDataBuffer(buffer));
  return failures;
}
