// Further ways to allocate, register, ask about, copy and fill memory.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

#include <array>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::ElementsAre;

class MemoryKinds : public OnDevice {};

TEST_F(MemoryKinds, ConfigurationsOfAllocationsAreChecked) {
  void* memory = nullptr;
  aclrtMallocAttribute attribute{ACL_RT_MEM_ATTR_MODULE_ID, {}};
  aclrtMallocConfig configuration{&attribute, 1};
  EXPECT_EQ(aclrtMallocWithCfg(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST, &configuration),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeWithDevSync(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeWithDevSync(memory), 107000);
  EXPECT_EQ(aclrtFreeWithDevSync(nullptr), 100000);
  attribute.attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  attribute.value.deviceId = 5;
  EXPECT_EQ(aclrtMallocWithCfg(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST, &configuration), 100000);
  attribute.attr = static_cast<aclrtMallocAttrType>(9);
  EXPECT_EQ(aclrtMallocForTaskScheduler(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST, &configuration),
            100000);
  EXPECT_EQ(aclrtMallocForTaskScheduler(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST, nullptr), 100000);
  EXPECT_EQ(aclrtMallocHostWithCfg(&memory, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHostWithDevSync(memory), ACL_SUCCESS);
}

TEST_F(MemoryKinds, IsFreedAfterTheDevicesTasks) {
  void* const memory = device_memory(64);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 1, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), 107000);
  EXPECT_EQ(aclrtFreeWithDevSync(memory), ACL_SUCCESS);
}

TEST_F(MemoryKinds, HostMemoryIsRegisteredOnce) {
  std::array<unsigned char, 256> host{};
  void *address = nullptr, *inside = nullptr;
  ASSERT_EQ(aclrtHostRegister(host.data(), host.size(), ACL_HOST_REGISTER_MAPPED, &address),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(address, 256, 3, 256), ACL_SUCCESS);
  EXPECT_THAT(host, Each(3)) << "the device writes the program's memory";
  EXPECT_EQ(aclrtHostGetDevicePointer(host.data() + 8, &inside, 0), ACL_SUCCESS);
  EXPECT_EQ(static_cast<char*>(inside) - static_cast<char*>(address), 8);
  EXPECT_EQ(aclrtHostGetDevicePointer(host.data(), &inside, 1), 100000);
  EXPECT_EQ(aclrtHostRegisterV2(host.data() + 100, 8, ACL_HOST_REG_MAPPED), 507910);
  EXPECT_EQ(aclrtMemset(address, 257, 3, 257), 107000);
  EXPECT_EQ(aclrtFree(address), 107000);
  ASSERT_EQ(aclrtMemsetAsync(address, 256, 4, 256, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(host.data()), ACL_SUCCESS);
  EXPECT_THAT(host, Each(4)) << "after what is queued on it";
  EXPECT_EQ(aclrtHostUnregister(host.data()), 507911);
  EXPECT_EQ(aclrtHostGetDevicePointer(host.data(), &inside, 0), 507911);
  EXPECT_EQ(aclrtMemset(address, 256, 3, 256), 107000);
  EXPECT_EQ(aclrtHostRegister(host.data(), 0, ACL_HOST_REGISTER_MAPPED, &address), 100000);
  EXPECT_EQ(aclrtHostRegister(nullptr, 8, ACL_HOST_REGISTER_MAPPED, &address), 100000);
  EXPECT_EQ(aclrtHostRegister(host.data(), 8, static_cast<aclrtHostRegisterType>(1), &address),
            100000);
  EXPECT_EQ(aclrtHostRegisterV2(host.data(), 8, 1), 100000);
}

TEST_F(MemoryKinds, RegisteredHostMemoryDoesNotOverlapOther) {
  std::array<unsigned char, 256> host{};
  ASSERT_EQ(aclrtHostRegisterV2(host.data() + 64, 64, ACL_HOST_REG_MAPPED), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostRegisterV2(host.data(), 65, ACL_HOST_REG_MAPPED), 507910);
  EXPECT_EQ(aclrtHostRegisterV2(host.data(), 64, ACL_HOST_REG_MAPPED), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostRegisterV2(host.data() + 127, 8, ACL_HOST_REG_MAPPED), 507910);
  EXPECT_EQ(aclrtHostRegisterV2(host.data() + 128, 128, ACL_HOST_REG_MAPPED), ACL_SUCCESS);
  for (const int start : {0, 64, 128})
    EXPECT_EQ(aclrtHostUnregister(host.data() + start), ACL_SUCCESS);
}

TEST_F(MemoryKinds, RegisteredHostMemoryIsPinned) {
  std::array<unsigned char, 64> host{};
  void* const memory = device_memory(64);
  ASSERT_EQ(aclrtHostRegisterV2(host.data(), 64, ACL_HOST_REG_PINNED), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(memory, 64, 9, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(host.data(), 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr),
            ACL_SUCCESS);
  EXPECT_THAT(host, Each(0)) << "the copy is not done before something waits";
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(host, Each(9));
  EXPECT_EQ(aclrtHostUnregister(host.data()), ACL_SUCCESS);
}

TEST_F(MemoryKinds, AnswersQuestions) {
  auto* const memory = static_cast<char*>(device_memory(100));
  void* base = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(aclrtMemGetAddressRange(memory + 7, &base, &size), ACL_SUCCESS);
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, 100U);
  EXPECT_EQ(aclrtMemGetAddressRange(&size, &base, &size), 107000);
  int on_host = 0;
  std::array<void*, 2> both{memory, memory + 99}, mixed{memory, &on_host};
  std::uint32_t answer = 9;
  EXPECT_EQ(aclrtCheckMemType(both.data(), 2, ACL_RT_MEM_TYPE_DEV, &answer, 0), ACL_SUCCESS);
  EXPECT_EQ(answer, 1U);
  EXPECT_EQ(aclrtCheckMemType(mixed.data(), 2, ACL_RT_MEM_TYPE_DEV, &answer, 0), ACL_SUCCESS);
  EXPECT_EQ(answer, 0U);
  EXPECT_EQ(aclrtCheckMemType(both.data(), 2, 1, &answer, 0), 107000);
  aclrtHostMemMapCapability capability{};
  EXPECT_EQ(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIC, &capability), ACL_SUCCESS);
  EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_SUPPORTED);
  EXPECT_EQ(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_RDMA, &capability), ACL_SUCCESS);
  EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED);
  aclrtMemUsageInfo before{}, after{};
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &before, 1, &size), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(device_memory(1 << 20)), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &after, 1, &size), ACL_SUCCESS);
  EXPECT_EQ(after.curMemSize, before.curMemSize);
  EXPECT_GE(after.memPeakSize, before.curMemSize + (1 << 20));
}

TEST_F(MemoryKinds, FillsByWords) {
  void* const memory = device_memory(16);
  EXPECT_EQ(aclrtMemsetD32(nullptr, 0, 1, 0), ACL_SUCCESS) << "no words";
  EXPECT_EQ(aclrtMemsetD32(memory, 16, 0x04030201, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetD32Async(static_cast<char*>(memory) + 4, 12, 0x08070605, 1, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 8), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(aclrtMemsetD32(memory, 15, 1, 4), 100000);
  EXPECT_EQ(aclrtMemsetD32(static_cast<char*>(memory) + 2, 12, 1, 1), 100000);
  EXPECT_EQ(aclrtMemsetD32(memory, 32, 1, 8), 107000) << "beyond the allocation";
}

TEST_F(MemoryKinds, CopiesFromOffsetsReadWhenTheTaskRuns) {
  void *const first = device_memory(32), *const second = device_memory(32);
  ASSERT_EQ(aclrtMemset(first, 32, 1, 32), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(second, 32, 2, 32), ACL_SUCCESS);
  void* to = second;
  const void* from = second;
  ASSERT_EQ(
      aclrtMemcpyAsyncWithOffset(&to, 8, 16, &from, 8, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
      ACL_SUCCESS);
  from = first;
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(static_cast<char*>(second) + 16, 8), Each(1));
  EXPECT_EQ(
      aclrtMemcpyAsyncWithOffset(nullptr, 8, 0, &from, 8, 0, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
      100000);
}

TEST_F(MemoryKinds, CopiesFromOffsetsOfAddressesInDeviceMemory) {
  void *const from = device_memory(16), *const to = device_memory(16),
              *const kept = device_memory(8);
  ASSERT_EQ(aclrtMemset(from, 16, 1, 16), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(to, 16, 2, 16), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(kept, 8, &to, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  const void* source = from;
  const auto copy = [&] {
    return aclrtMemcpyAsyncWithOffset(static_cast<void**>(kept), 8, 4, &source, 4, 8,
                                      ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, nullptr);
  };
  ASSERT_EQ(copy(), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(to, 8), ElementsAre(2, 2, 2, 2, 1, 1, 1, 1));
  ASSERT_EQ(aclrtFree(kept), ACL_SUCCESS);
  EXPECT_EQ(copy(), ACL_SUCCESS);
  EXPECT_NE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << "the address is gone";
}

TEST_F(MemoryKinds, CopiesAsDescribedInDeviceMemory) {
  std::size_t size = 0;
  ASSERT_EQ(aclrtGetMemcpyDescSize(ACL_MEMCPY_DEVICE_TO_DEVICE, &size), ACL_SUCCESS);
  EXPECT_EQ(size, 64U);
  void *const description = device_memory(size), *const from = device_memory(16),
              *const to = device_memory(16);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(description, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr), 107000)
      << "not set";
  ASSERT_EQ(aclrtMemset(from, 16, 6, 16), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetMemcpyDesc(description, ACL_MEMCPY_DEVICE_TO_DEVICE, from, to, 16, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(description, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(to, 16), Each(6));
  ASSERT_EQ(aclrtSetMemcpyDesc(description, ACL_MEMCPY_DEVICE_TO_DEVICE, from, to, 0, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(description, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
            ACL_SUCCESS)
      << "nothing to copy";
  EXPECT_EQ(aclrtSetMemcpyDesc(from, ACL_MEMCPY_DEVICE_TO_DEVICE, from, to, 16, nullptr), 107000)
      << "16 bytes only";
}

TEST_F(MemoryKinds, CopiesBatchesUpToTheFirstThatFails) {
  std::array<unsigned char, 8> host{1, 2, 3, 4, 5, 6, 7, 8};
  void *const first = device_memory(8), *const second = device_memory(4);
  std::array<void*, 2> to{first, second}, from{host.data(), host.data()};
  std::array<std::size_t, 2> rooms{8, 4}, sizes{8, 4}, indexes{0, 0};
  aclrtMemcpyBatchAttr attribute{};
  std::size_t failed = 77;
  EXPECT_EQ(aclrtMemcpyBatch(to.data(), rooms.data(), from.data(), sizes.data(), 2, &attribute,
                             indexes.data(), 1, &failed),
            ACL_SUCCESS);
  EXPECT_EQ(failed, SIZE_MAX) << "none, as a sample of the vendor wants it";
  EXPECT_THAT(read(second, 4), ElementsAre(1, 2, 3, 4));
  sizes[1] = 5;
  EXPECT_EQ(aclrtMemcpyBatch(to.data(), rooms.data(), from.data(), sizes.data(), 2, &attribute,
                             indexes.data(), 1, &failed),
            107000);
  EXPECT_EQ(failed, 1U);
  EXPECT_EQ(aclrtMemcpyBatchAsync(to.data(), rooms.data(), from.data(), sizes.data(), 0, &attribute,
                                  indexes.data(), 1, &failed, nullptr),
            100000);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(aclrtMemcpyBatchV2(to.data(), nullptr, from.data(), sizes.data(), 2, &attribute,
                               indexes.data(), 1),
            100000);
  sizes[1] = 4;
  EXPECT_EQ(aclrtMemcpyBatchAsyncV2(to.data(), rooms.data(), from.data(), sizes.data(), 2,
                                    &attribute, indexes.data(), 1, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(MemoryKinds, CacheHintsAreCheckedAndDoNothing) {
  void *const memory = device_memory(64), *const description = device_memory(64);
  EXPECT_EQ(aclrtCmoAsync(memory, 64, ACL_RT_CMO_TYPE_PREFETCH, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtCmoAsync(memory, 65, ACL_RT_CMO_TYPE_PREFETCH, nullptr), 107000);
  EXPECT_EQ(aclrtCmoAsync(memory, 64, static_cast<aclrtCmoType>(4), nullptr), 107000);
  EXPECT_EQ(aclrtCmoAsyncWithBarrier(memory, 64, ACL_RT_CMO_TYPE_FLUSH, 1, nullptr), ACL_SUCCESS);
  aclrtBarrierTaskInfo barriers{};
  EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, nullptr, 0), 107000);
  for (const std::size_t accepted : {1U, ACL_RT_CMO_MAX_BARRIER_NUM}) {
    barriers.barrierNum = accepted;
    EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, nullptr, 0), ACL_SUCCESS) << accepted;
  }
  barriers.barrierNum = ACL_RT_CMO_MAX_BARRIER_NUM + 1;
  EXPECT_EQ(aclrtCmoWaitBarrier(&barriers, nullptr, 0), 107000);
  EXPECT_EQ(aclrtCmoAsyncWithDesc(description, ACL_RT_CMO_TYPE_FLUSH, nullptr, nullptr), 107000);
  EXPECT_EQ(aclrtCmoSetDesc(description, memory, 64), ACL_SUCCESS);
  EXPECT_EQ(aclrtCmoAsyncWithDesc(description, ACL_RT_CMO_TYPE_FLUSH, nullptr, nullptr),
            ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
