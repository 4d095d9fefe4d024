// A range of addresses, a physical block, and its mapping.
#include "family.h"

int main() {
  const Device device;
  aclrtPhysicalMemProp wanted = {};
  wanted.memAttr = ACL_HBM_MEM_HUGE;
  wanted.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  std::size_t bytes = 0;
  CHECK(aclrtMemGetAllocationGranularity(&wanted, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &bytes));
  std::printf("granularity: %zu\n", bytes);
  void* range = nullptr;
  aclrtDrvMemHandle handle = nullptr, again = nullptr;
  CHECK(aclrtReserveMemAddress(&range, 2 * bytes, 0, nullptr, 0));
  CHECK(aclrtMallocPhysical(&handle, bytes, &wanted, 0));
  void* const second = static_cast<char*>(range) + bytes;
  CHECK(aclrtMapMem(second, bytes, 0, handle, 0));
  CHECK(aclrtMemset(second, bytes, 6, bytes));
  aclrtMemLocation here = {};
  here.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  std::uint64_t access = 0;
  CHECK(aclrtMemGetAccess(second, &here, &access));
  std::printf("mapped: %d, access %d\n", byte_at(second, bytes - 1), static_cast<int>(access));
  CHECK(aclrtMemRetainAllocationHandle(second, &again));
  std::printf("still mapped: %d\n", aclrtReleaseMemAddress(range));
  CHECK(aclrtUnmapMem(second));
  CHECK(aclrtMapMem(range, bytes, 0, again, 0));
  std::printf("the same bytes elsewhere: %d\n", byte_at(range));
  CHECK(aclrtUnmapMem(range));
  CHECK(aclrtFreePhysical(again));
  CHECK(aclrtFreePhysical(handle));
  CHECK(aclrtReleaseMemAddress(range));
  return failures;
}
