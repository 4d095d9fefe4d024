// What devices say of themselves and of each other; the test simulates two.
#include <cstring>

#include "family.h"

static void peers() {
  std::int32_t can = 0, status = 0;
  std::uint64_t topology = 0;
  CHECK(aclrtDeviceCanAccessPeer(&can, 0, 1));
  CHECK(aclrtDeviceEnablePeerAccess(1, 0));
  CHECK(aclrtDevicePeerAccessStatus(0, 1, &status));
  CHECK(aclrtDeviceDisablePeerAccess(1));
  CHECK(aclrtGetDevicesTopo(0, 1, &topology));
  std::printf("peers: %d %d, topology %d\n", can, status, topology != 0);
  std::printf("of itself: %d\n", aclrtDeviceEnablePeerAccess(0, 0));
}

static void identities() {
  aclrtUuid uuids[2];
  char bus[16] = "";
  std::int32_t found = -1, logic = -1, physical = -1;
  for (int i = 0; i < 2; ++i) CHECK(aclrtDeviceGetUuid(i, &uuids[i]));
  CHECK(aclrtDeviceGetPCIBusId(1, bus, sizeof bus));
  CHECK(aclrtDeviceGetByPCIBusId(bus, &found));
  CHECK(aclrtGetLogicDevIdByUserDevId(1, &logic));
  CHECK(aclrtGetPhyDevIdByLogicDevId(logic, &physical));
  std::printf("uuids differ: %d, %s is %d, physical %d\n",
              std::memcmp(&uuids[0], &uuids[1], sizeof uuids[0]) != 0, bus, found, physical);
}

int main() {
  const Device device;
  std::uint32_t count = 0;
  CHECK(aclrtGetDeviceCount(&count));
  std::printf("devices: %u\n", count);
  peers();
  identities();
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
  std::int32_t active = -1;
  std::size_t limit = 0;
  CHECK(aclrtQueryDeviceStatus(0, &status));
  CHECK(aclrtGetPrimaryCtxState(0, nullptr, &active));
  CHECK(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 65536));
  CHECK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &limit));
  std::printf("status %d, active %d, limit %zu\n", static_cast<int>(status), active, limit);
  return failures;
}
