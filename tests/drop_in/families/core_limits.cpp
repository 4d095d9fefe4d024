// How many cores calls may use: of a device, of a stream, in this thread.
#include "family.h"

int main() {
  const Device device;
  const Stream stream;
  std::uint32_t chip = 0, limited = 0, in_thread = 0, after = 0;
  CHECK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &chip));
  CHECK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 4));
  CHECK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &limited));
  CHECK(aclrtSetStreamResLimit(stream, ACL_RT_DEV_RES_CUBE_CORE, 2));
  CHECK(aclrtUseStreamResInCurrentThread(stream));
  CHECK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &in_thread));
  CHECK(aclrtUnuseStreamResInCurrentThread(stream));
  CHECK(aclrtResetStreamResLimit(stream));
  CHECK(aclrtGetStreamResLimit(stream, ACL_RT_DEV_RES_CUBE_CORE, &after));
  std::printf("chip %u, device %u, stream %u, reset %u\n", chip, limited, in_thread, after);
  CHECK(aclrtResetDeviceResLimit(0));
  CHECK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &after));
  std::printf("as before: %d\n", after == chip);
  return failures;
}
