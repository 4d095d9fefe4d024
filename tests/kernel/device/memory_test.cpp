#include "tests/support/memory_fixture.h"

#include "acl/acl.h"
#include "kernel/device/memory/heap.h"
#include "kernel/device/memory/memory.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <set>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

// ---- Allocating and freeing

TEST_F(DeviceMemory, IsAlignedAndFullOfPoison) {
  for (const std::size_t size :
       {1UL, 31UL, 64UL, 100UL, 4096UL, 70000UL, 1UL << 20, (1UL << 20) + 1, 40UL << 20}) {
    void* memory = device_memory(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U) << size;
    EXPECT_TRUE(is_all(read(memory, std::min<std::size_t>(size, 1 << 20)), 0xFF)) << size;
    EXPECT_EQ(read(at(memory, static_cast<std::ptrdiff_t>(size) - 1), 1)[0], 0xFF) << size;
    EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  }
}

TEST_F(DeviceMemory, IsFullOfPoisonAgainWhenItIsUsedAgain) {
  // Far more than the quarantine holds back, in a size that slabs serve.
  for (int round = 0; round < 2000; ++round) {
    void* memory = device_memory(10000);
    ASSERT_TRUE(is_all(read(memory, 10000), 0xFF));
    ASSERT_EQ(aclrtMemset(memory, 10000, 0, 10000), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  }
}

TEST_F(DeviceMemory, OfManyGigabytesCostsNothingUntilItIsUsed) {
  void* memory = device_memory(std::size_t{48} << 30);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(read(at(memory, std::ptrdiff_t{47} << 30), 1)[0], 0xFF);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(DeviceMemory, CanNotBeReadByTheHost) {
  void* memory = device_memory(64);
  EXPECT_DEATH({ static_cast<volatile char*>(memory)[0] = 1; }, "");
}

TEST_F(DeviceMemory, SizesAndPoliciesThatAreNotAllowedAreRefused) {
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMallocAlign32(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMallocCached(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT_EQ(aclrtMalloc(&memory, 8, static_cast<aclrtMemMallocPolicy>(8)), 107000);
  EXPECT_EQ(aclrtMalloc(&memory, 8, static_cast<aclrtMemMallocPolicy>(-1)), 107000);
  EXPECT_EQ(memory, nullptr) << "untouched by failures";
  const auto combined =
      static_cast<aclrtMemMallocPolicy>(ACL_MEM_MALLOC_NORMAL_ONLY | ACL_MEM_TYPE_HIGH_BAND_WIDTH);
  EXPECT_EQ(aclrtMalloc(&memory, 8, combined), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(DeviceMemory, ThatTheDeviceDoesNotHaveIs207001) {
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, (std::size_t{64} << 30) + 1, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_EQ(aclrtMalloc(&memory, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_EQ(aclrtMalloc(&memory, SIZE_MAX - 4096, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_THAT(error_text(),
              HasSubstr("device 0 (Ascend910B1) has 68719476736 in all and 0 in use"));
  EXPECT_EQ(memory, nullptr);
  void* first = device_memory(std::size_t{40} << 30);
  EXPECT_EQ(aclrtMalloc(&memory, std::size_t{40} << 30, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_EQ(aclrtFree(first), ACL_SUCCESS);
  void* second = device_memory(std::size_t{40} << 30);
  EXPECT_EQ(aclrtFree(second), ACL_SUCCESS);
}

struct AccountedSize {
  const char* soc;
  std::size_t size, malloc_cost, align32_cost;
};

TEST_F(DeviceMemory, IsAccountedForAsTheProductPadsIt) {
  const AccountedSize sizes[] = {{"Ascend910B1", 1, 64, 32},      {"Ascend910B1", 32, 64, 32},
                                 {"Ascend910B1", 33, 96, 64},     {"Ascend310P3", 100, 160, 128},
                                 {"Ascend950PR_9579", 1, 32, 32}, {"Ascend950PR_9579", 33, 64, 64}};
  for (const auto& [soc, size, malloc_cost, align32_cost] : sizes) {
    open({{"GRADPROOF_DEVICES", soc}});
    const auto used = [] {
      std::size_t free = 0, total = 0;
      EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
      return total - free;
    };
    EXPECT_EQ(used(), 0U);
    void *padded = nullptr, *aligned = nullptr;
    ASSERT_EQ(aclrtMalloc(&padded, size, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    EXPECT_EQ(used(), malloc_cost) << soc << " " << size;
    ASSERT_EQ(aclrtMallocAlign32(&aligned, size, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    EXPECT_EQ(used(), malloc_cost + align32_cost) << soc << " " << size;
    EXPECT_EQ(aclrtFree(padded), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(aligned), ACL_SUCCESS);
    EXPECT_EQ(used(), 0U);
  }
  std::size_t free = 0, total = 0;
  EXPECT_EQ(aclrtGetMemInfo(static_cast<aclrtMemAttr>(18), &free, &total), 100000);
}

TEST_F(DeviceMemory, IsFreedOnceAndFromItsStart) {
  void* memory = device_memory(64);
  EXPECT_EQ(aclrtFree(at(memory, 8)), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is byte 8 of allocation"));
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), 107000);
  EXPECT_THAT(error_text(), HasSubstr("which was freed already"));
  int host = 0;
  EXPECT_EQ(aclrtFree(&host), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is no memory of a device"));
  EXPECT_EQ(aclrtFree(at(memory, 1 << 20)), 107000);
  EXPECT_THAT(error_text(), HasSubstr("where nothing is allocated"));
}

TEST_F(DeviceMemory, OfLargeBlocksIsFreedOnceAsWell) {
  void* memory = device_memory(3 << 20);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), 107000);
  EXPECT_THAT(error_text(), HasSubstr("(3145728 bytes, device 0), which was freed already"));
  // As long as fewer large blocks have been freed since than are kept from use.
  for (std::size_t freed = 0; freed < device::Heap::quarantined_mappings; ++freed) {
    void* other = device_memory(3 << 20);
    EXPECT_NE(other, memory);
    EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtFree(memory), 107000);
}

TEST_F(DeviceMemory, AddressesOfLiveAllocationsAreDisjoint) {
  std::set<std::uintptr_t> starts;
  std::vector<void*> all;
  for (int index = 0; index < 500; ++index) {
    all.push_back(device_memory(1 + static_cast<std::size_t>(index) * 97));
    EXPECT_TRUE(starts.insert(reinterpret_cast<std::uintptr_t>(all.back())).second);
    const auto value = static_cast<std::int32_t>(index % 250);
    EXPECT_EQ(aclrtMemset(all.back(), 1 + index * 97, value, 1 + index * 97), ACL_SUCCESS);
  }
  for (int index = 0; index < 500; ++index) {
    ASSERT_TRUE(is_all(read(all[index], 1 + index * 97), index % 250)) << index;
    ASSERT_EQ(aclrtFree(all[index]), ACL_SUCCESS);
  }
}

TEST_F(DeviceMemory, CanBeFreedWithoutAContext) {
  void* memory = device_memory(64);
  std::thread([memory] { EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS); }).join();
}

TEST_F(DeviceMemory, EndsWithItsDevice) {
  void* memory = device_memory(64);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), 107000);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), 107000);
}

TEST_F(DeviceMemory, OutlivesTheDefaultContextWhileAnotherOneUsesTheDevice) {
  void* memory = device_memory(64);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 64), Each(0xFF));
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(DeviceMemory, SmallBlocksTakeMicroseconds) {
  constexpr int rounds = 20000;
  const std::clock_t start = std::clock();
  for (int round = 0; round < rounds; ++round) {
    void* memory = nullptr;
    aclrtMalloc(&memory, 400, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtFree(memory);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("microseconds_per_pair", std::to_string(seconds * 1e6 / rounds));
  EXPECT_LT(seconds * 1e6 / rounds, 50.0)
      << "of processor time; about 1 where nothing is sanitized";
}

TEST_F(DeviceMemory, HostViewIsWhereTheBytesAre) {
  void* memory = device_memory(64);
  std::byte* view = device::host_view(memory, 64);
  ASSERT_NE(view, nullptr);
  view[63] = std::byte{7};
  EXPECT_EQ(read(memory, 64)[63], 7);
  EXPECT_EQ(device::host_view(at(memory, 10), 54), view + 10);
  EXPECT_EQ(device::host_view(at(memory, 64), 0), view + 64);
  EXPECT_EQ(device::host_view(at(memory, 10), 55), nullptr);
  EXPECT_EQ(device::host_view(at(memory, -1), 1), nullptr);
  EXPECT_EQ(device::host_view(view, 1), nullptr);
  EXPECT_EQ(device::host_view(nullptr, 0), nullptr);
  EXPECT_EQ(device::host_view(memory, SIZE_MAX), nullptr);
}

// ---- Little room

/// What a process finds whose address space is limited: exit code 0 if all is as it should be.
int allocate_with_few_addresses() {
  const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
  void *small = nullptr, *large = nullptr, *too_large = nullptr;
  if (::setrlimit(RLIMIT_AS, &limit) != 0 || aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0)
    return 1;
  if (aclrtMalloc(&small, 100, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 2;
  if (aclrtMalloc(&large, 64 << 20, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 3;
  if (aclrtMalloc(&too_large, std::size_t{8} << 30, ACL_MEM_MALLOC_HUGE_FIRST) != 207001) return 4;
  if (aclrtFree(large) != ACL_SUCCESS || aclrtFree(small) != ACL_SUCCESS) return 5;
  return aclFinalize() == ACL_SUCCESS ? 0 : 6;
}

TEST(LimitedProcess, GetsItsMemoryOrACodeAndNeverCrashes) {
#if defined(GRADPROOF_EMULATED)
  GTEST_SKIP() << "QEMU limits no addresses, and its programs can't start themselves again";
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more addresses themselves";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers need more addresses themselves";
#endif
#endif
  // In a process of its own, that has not reserved any addresses yet.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(allocate_with_few_addresses()), testing::ExitedWithCode(0), "");
}

// ---- Threads

TEST_F(DeviceMemory, IsSafeToAllocateCopyAndFreeFromManyThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      std::vector<unsigned char> sent(3000, static_cast<unsigned char>(thread)), received(3000);
      for (int round = 0; round < 500; ++round) {
        void* memory = device_memory(sent.size());
        ASSERT_EQ(aclrtMemcpy(memory, 3000, sent.data(), 3000, ACL_MEMCPY_HOST_TO_DEVICE),
                  ACL_SUCCESS);
        ASSERT_EQ(aclrtMemcpy(received.data(), 3000, memory, 3000, ACL_MEMCPY_DEVICE_TO_HOST),
                  ACL_SUCCESS);
        ASSERT_EQ(received, sent);
        ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
      }
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace gradproof::kernel
