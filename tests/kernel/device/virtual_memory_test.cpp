// Reserved addresses, physical memory, and mappings of the one into the other.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr std::size_t granule = std::size_t{2} << 20;

class VirtualMemory : public OnDevice {
 protected:
  static aclrtPhysicalMemProp properties() {
    aclrtPhysicalMemProp wanted{};
    wanted.memAttr = ACL_HBM_MEM_HUGE;
    wanted.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    return wanted;
  }
  static void* reserved(std::size_t bytes, void* wish = nullptr) {
    void* start = nullptr;
    EXPECT_EQ(aclrtReserveMemAddress(&start, bytes, 0, wish, 0), ACL_SUCCESS) << error_text();
    return start;
  }
  static aclrtDrvMemHandle physical(std::size_t bytes = granule) {
    const aclrtPhysicalMemProp wanted = properties();
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_EQ(aclrtMallocPhysical(&handle, bytes, &wanted, 0), ACL_SUCCESS) << error_text();
    return handle;
  }
  static char* at(void* start, std::size_t offset) { return static_cast<char*>(start) + offset; }
};

TEST_F(VirtualMemory, IsReservedMappedWrittenAndUnmapped) {
  void* const start = reserved(3 * granule - 5);
  const aclrtDrvMemHandle handle = physical();
  EXPECT_EQ(aclrtMemset(start, 64, 1, 64), 107000) << "nothing is mapped";
  ASSERT_EQ(aclrtMapMem(at(start, granule), granule, 0, handle, 0), ACL_SUCCESS) << error_text();
  EXPECT_EQ(aclrtMemset(at(start, granule), granule, 1, granule), ACL_SUCCESS);
  EXPECT_THAT(read(at(start, 2 * granule - 8), 8), Each(1));
  EXPECT_EQ(aclrtMemset(at(start, 2 * granule - 8), 16, 1, 16), 107000) << "beyond the mapping";
  EXPECT_EQ(aclrtFree(at(start, granule)), 107000);
  EXPECT_EQ(aclrtReleaseMemAddress(start), 107000) << "something is mapped";
  ASSERT_EQ(aclrtUnmapMem(at(start, granule)), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(at(start, granule)), 107000);
  EXPECT_EQ(aclrtMemset(at(start, granule), 64, 1, 64), 107000) << "after unmapping";
  ASSERT_EQ(aclrtMapMem(start, granule, 0, handle, 0), ACL_SUCCESS);
  EXPECT_THAT(read(start, 64), Each(1)) << "the memory is the same at another address";
  ASSERT_EQ(aclrtUnmapMem(start), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), 107017);
  EXPECT_EQ(aclrtMapMem(start, granule, 0, handle, 0), 107017);
  EXPECT_EQ(aclrtReleaseMemAddress(start), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(start), 107000);
}

TEST_F(VirtualMemory, GoesWithItsLastHandleAndMapping) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), ACL_SUCCESS);
  const auto is_used = [&] {
    aclrtGetMemInfo(ACL_HBM_MEM, &after, &total);
    return after == before - granule;
  };
  void* const start = reserved(granule);
  const aclrtDrvMemHandle handle = physical();
  aclrtDrvMemHandle retained = nullptr;
  ASSERT_EQ(aclrtMapMem(start, granule, 0, handle, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  EXPECT_TRUE(is_used()) << "it is mapped";
  ASSERT_EQ(aclrtMemRetainAllocationHandle(start, &retained), ACL_SUCCESS);
  aclrtPhysicalMemProp found{};
  EXPECT_EQ(aclrtMemGetAllocationPropertiesFromHandle(retained, &found), ACL_SUCCESS);
  EXPECT_EQ(found.memAttr, ACL_HBM_MEM_HUGE);
  ASSERT_EQ(aclrtUnmapMem(start), ACL_SUCCESS);
  EXPECT_TRUE(is_used()) << "a handle is retained";
  EXPECT_EQ(aclrtFreePhysical(retained), ACL_SUCCESS);
  EXPECT_FALSE(is_used());
  EXPECT_EQ(after, before);
  EXPECT_EQ(aclrtMemRetainAllocationHandle(start, &retained), 107000);
}

TEST_F(VirtualMemory, IsNotUnmappedWhileATaskUsesIt) {
  void* const start = reserved(granule);
  ASSERT_EQ(aclrtMapMem(start, granule, 0, physical(), 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(start, 64, 3, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(start), 107000);
  EXPECT_THAT(error_text(), HasSubstr("in use by a task"));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(start), ACL_SUCCESS);
}

TEST_F(VirtualMemory, HasAccessRights) {
  void* const start = reserved(granule);
  ASSERT_EQ(aclrtMemMapNoAccess(start, granule, 0, physical(), 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(start, 64, 3, 64), 107000) << "mapped without access";
  aclrtMemLocation here{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  std::uint64_t flags = 99;
  EXPECT_EQ(aclrtMemGetAccess(start, &here, &flags), ACL_SUCCESS);
  EXPECT_EQ(flags, ACL_RT_MEM_ACCESS_FLAGS_NONE);
  aclrtMemAccessDesc access{ACL_RT_MEM_ACCESS_FLAGS_READWRITE, here, {}};
  EXPECT_EQ(aclrtMemSetAccess(start, granule / 2, &access, 1), 107000);
  EXPECT_EQ(aclrtMemSetAccess(start, granule, &access, 0), 107000);
  EXPECT_EQ(aclrtMemSetAccess(start, granule, &access, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemGetAccess(start, &here, &flags), ACL_SUCCESS);
  EXPECT_EQ(flags, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  EXPECT_EQ(aclrtMemset(start, 64, 3, 64), ACL_SUCCESS);
  access.flags = static_cast<aclrtMemAccessFlags>(2);
  EXPECT_EQ(aclrtMemSetAccess(start, granule, &access, 1), 107000);
}

TEST_F(VirtualMemory, TakesTheAddressThatIsWishedWhereItIsFree) {
  void* const start = reserved(4 * granule);
  void* other = nullptr;
  EXPECT_EQ(aclrtReserveMemAddress(&other, granule, 0, at(start, granule), 0), 107000);
  ASSERT_EQ(aclrtReleaseMemAddress(start), ACL_SUCCESS);
  EXPECT_EQ(reserved(granule, at(start, granule)), at(start, granule));
  EXPECT_EQ(aclrtReserveMemAddress(&other, granule, 0, at(start, 5), 0), 107000);
  int on_host = 0;
  EXPECT_EQ(aclrtReserveMemAddress(&other, granule, 0, &on_host, 0), 107000);
  EXPECT_EQ(other, nullptr);
}

TEST_F(VirtualMemory, RefusesWhatItCanNotTake) {
  void* start = nullptr;
  EXPECT_EQ(aclrtReserveMemAddress(nullptr, granule, 0, nullptr, 0), 100000);
  EXPECT_EQ(aclrtReserveMemAddress(&start, 0, 0, nullptr, 0), 100000);
  EXPECT_EQ(aclrtReserveMemAddress(&start, granule, 0, nullptr, 2), 100000);
  EXPECT_EQ(aclrtReserveMemAddress(&start, granule, 1, nullptr, 0), 107000);
  EXPECT_EQ(aclrtReserveMemAddress(&start, SIZE_MAX, 0, nullptr, 0), 107000);
  aclrtDrvMemHandle handle = nullptr;
  aclrtPhysicalMemProp wanted = properties();
  EXPECT_EQ(aclrtMallocPhysical(nullptr, granule, &wanted, 0), 100000);
  EXPECT_EQ(aclrtMallocPhysical(&handle, granule + 1, &wanted, 0), 107000);
  EXPECT_EQ(aclrtMallocPhysical(&handle, granule, &wanted, 1), 100000);
  EXPECT_EQ(aclrtMallocPhysical(&handle, std::size_t{1} << 45, &wanted, 0), 207001);
  wanted.memAttr = ACL_DDR_MEM;
  EXPECT_EQ(aclrtMallocPhysical(&handle, granule, &wanted, 0), 100000);
  wanted = properties();
  wanted.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  EXPECT_EQ(aclrtMallocPhysical(&handle, granule, &wanted, 0), 100000);
  wanted = properties();
  wanted.location.id = 7;
  EXPECT_EQ(aclrtMallocPhysical(&handle, granule, &wanted, 0), 107001);
  wanted.memAttr = ACL_HBM_MEM_HUGE1G;
  std::size_t granularity = 0;
  EXPECT_EQ(
      aclrtMemGetAllocationGranularity(&wanted, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
      ACL_SUCCESS);
  EXPECT_EQ(granularity, std::size_t{1} << 30);
  EXPECT_EQ(
      aclrtMemGetAllocationGranularity(&wanted, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &granularity),
      107000);
  start = reserved(2 * granule);
  EXPECT_EQ(aclrtMapMem(start, granule, 1, physical(), 0), 107000);
  EXPECT_EQ(aclrtMapMem(start, 2 * granule, 0, physical(), 0), 107000) << "not the handle's size";
  EXPECT_EQ(aclrtMapMem(at(start, 2 * granule), granule, 0, physical(), 0), 107000) << "outside";
  EXPECT_EQ(aclrtMapMem(device_memory(granule), granule, 0, physical(), 0), 107000);
  EXPECT_EQ(aclrtMapMem(start, granule, 0, garbage_handle(), 0), 107017);
  ASSERT_EQ(aclrtMapMem(start, granule, 0, physical(), 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMapMem(start, granule, 0, physical(), 0), 107000) << "not free";
}

TEST_F(VirtualMemory, EndsWithTheDevice) {
  void* const start = reserved(granule);
  const aclrtDrvMemHandle handle = physical();
  ASSERT_EQ(aclrtMapMem(start, granule, 0, handle, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(start), 107000);
  EXPECT_EQ(aclrtFreePhysical(handle), 107017);
  EXPECT_EQ(aclrtReleaseMemAddress(start), 107000);
}

}  // namespace
}  // namespace gradproof::kernel
