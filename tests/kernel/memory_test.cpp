#include "kernel/device/memory.h"

#include "acl/acl.h"
#include "kernel/device/heap.h"
#include "kernel/device/stream.h"
#include "tests/kernel/runtime_fixture.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

class DeviceMemory : public OnDevice {
 protected:
  /// For many bytes, where gmock's Each would take seconds.
  static bool is_all(const std::vector<unsigned char>& bytes, int value) {
    return std::ranges::all_of(bytes, [value](unsigned char byte) { return byte == value; });
  }

  static unsigned char* at(void* memory, std::ptrdiff_t offset) {
    return static_cast<unsigned char*>(memory) + offset;
  }
};

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
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    void* memory = nullptr;
    aclrtMalloc(&memory, 400, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtFree(memory);
  }
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds_per_pair", std::to_string(spent.count() / rounds));
  EXPECT_LT(spent.count() / rounds, 50.0)
      << "a sanitized build on a busy machine; about 1 otherwise";
}

// ---- Copies

TEST_F(DeviceMemory, CopiesThereAndBack) {
  std::array<unsigned char, 100> sent{}, received{};
  for (std::size_t index = 0; index < sent.size(); ++index)
    sent[index] = static_cast<unsigned char>(index);
  void *first = device_memory(100), *second = device_memory(100);
  EXPECT_EQ(aclrtMemcpy(first, 100, sent.data(), 100, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(second, 100, first, 100, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(received.data(), 100, second, 100, ACL_MEMCPY_DEFAULT), ACL_SUCCESS);
  EXPECT_EQ(received, sent);
  received = {};
  EXPECT_EQ(aclrtMemcpy(received.data(), 100, sent.data(), 100, ACL_MEMCPY_HOST_TO_HOST),
            ACL_SUCCESS);
  EXPECT_EQ(received, sent);
  EXPECT_EQ(read(at(first, 40), 1)[0], 40) << "from inside";
  EXPECT_EQ(aclrtMemcpy(at(first, 1), 99, first, 50, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(read(first, 100)[50], 49) << "overlapping";
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(DeviceMemory, CopyOfNothingSucceedsBeforeAnyCheck) {
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(99)), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(nullptr, 0, 0, 0), ACL_SUCCESS);
}

TEST_F(DeviceMemory, CopyOntoItselfSucceeds) {
  char host = 3;
  EXPECT_EQ(aclrtMemcpy(&host, 1, &host, 1, ACL_MEMCPY_HOST_TO_HOST), ACL_SUCCESS);
}

TEST_F(DeviceMemory, CopiesCheckSizesAndKinds) {
  std::array<char, 16> host{};
  void* memory = device_memory(8);
  EXPECT_EQ(aclrtMemcpy(memory, 0, host.data(), 1, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_EQ(aclrtMemcpy(memory, 4, host.data(), 5, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_THAT(error_text(), HasSubstr("count is 5; destMax allows 4 bytes"));
  for (const int kind : {6, 7, 8, -1}) {
    EXPECT_EQ(aclrtMemcpy(memory, 8, host.data(), 8, static_cast<aclrtMemcpyKind>(kind)), 100000)
        << kind;
  }
}

TEST_F(DeviceMemory, CopiesStayInsideOneAllocation) {
  std::array<char, 64> host{};
  void* memory = device_memory(32);
  EXPECT_EQ(aclrtMemcpy(memory, 33, host.data(), 33, ACL_MEMCPY_HOST_TO_DEVICE), 107000)
      << "the padding that the product adds is not the program's";
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, at(memory, 1), 32, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is byte 1 of allocation"));
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, at(memory, -1), 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_THAT(error_text(), HasSubstr("lies 1 bytes before allocation"));
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, at(memory, 32), 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_THAT(error_text(), HasSubstr("lies 0 bytes past the end of allocation"));
  EXPECT_EQ(aclrtMemcpy(memory, SIZE_MAX, host.data(), SIZE_MAX, ACL_MEMCPY_HOST_TO_DEVICE),
            107000);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000)
      << "use after free";
  EXPECT_THAT(error_text(), HasSubstr("which was freed already"));
}

TEST_F(DeviceMemory, CopiesRefusePointersThatCanNotBeMemory) {
  char host = 0;
  void* memory = device_memory(8);
  aclrtStream stream = new_stream();
  EXPECT_EQ(aclrtMemcpy(memory, 8, stream, 8, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is no memory of a device"));
  EXPECT_EQ(aclrtMemcpy(reinterpret_cast<void*>(std::uintptr_t{16}), 1, memory, 1,
                        ACL_MEMCPY_DEVICE_TO_HOST),
            107000);
  EXPECT_EQ(
      aclrtMemcpy(&host, 1, reinterpret_cast<void*>(~std::uintptr_t{0}), 1, ACL_MEMCPY_DEFAULT),
      107000);
}

TEST_F(DeviceMemory, CopyOfAnotherKindThanItsPointersIsDoneAndDiagnosed) {
  std::array<char, 8> host{1, 2, 3, 4, 5, 6, 7, 8};
  void* memory = device_memory(8);
  EXPECT_EQ(aclrtMemcpy(memory, 8, host.data(), 8, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_THAT(error_text(),
              HasSubstr("says device to host, but src is host memory and dst is device memory"));
  EXPECT_EQ(read(memory, 8)[7], 8);
}

TEST_F(DeviceMemory, CopiesRowByRow) {
  std::array<unsigned char, 12> host{0, 1, 2, 9, 3, 4, 5, 9, 6, 7, 8, 9};
  void* memory = device_memory(15);
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 15),
              testing::ElementsAre(0, 1, 2, 255, 255, 3, 4, 5, 255, 255, 6, 7, 8, 255, 255));
  EXPECT_EQ(aclrtMemcpy2d(memory, 2, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 0, 3, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 3, 4, ACL_MEMCPY_HOST_TO_DEVICE), 107000)
      << "out of bounds";
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_HOST), 100000);
  EXPECT_EQ(aclrtMemcpy2dAsync(memory, 5, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(DeviceMemory, IsFilledBytewise) {
  void* memory = device_memory(10);
  EXPECT_EQ(aclrtMemset(at(memory, 2), 8, 0x1A5, 4), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 10),
              testing::ElementsAre(255, 255, 0xA5, 0xA5, 0xA5, 0xA5, 255, 255, 255, 255));
  EXPECT_EQ(aclrtMemset(memory, 3, 0, 4), 107000);
  EXPECT_EQ(aclrtMemset(memory, 11, 0, 11), 107000);
  char host = 0;
  EXPECT_EQ(aclrtMemset(&host, 1, 1, 1), 107000) << "neither the device's nor pinned";
}

// ---- Pinned host memory, pointers

TEST_F(DeviceMemory, PinnedHostMemoryIsTheHostsToUse) {
  void* pinned = nullptr;
  EXPECT_EQ(aclrtMallocHost(&pinned, 0), 100000);
  ASSERT_EQ(aclrtMallocHost(&pinned, 100), ACL_SUCCESS);
  std::memset(pinned, 3, 100);
  EXPECT_EQ(aclrtMemset(pinned, 100, 4, 100), ACL_SUCCESS);
  EXPECT_EQ(static_cast<char*>(pinned)[99], 4);
  EXPECT_EQ(aclrtFreeHost(at(pinned, 1)), 107000);
  EXPECT_EQ(aclrtFree(pinned), 107000);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(pinned), 107000);
  EXPECT_EQ(aclrtMallocHost(&pinned, SIZE_MAX), 207001);
}

TEST_F(DeviceMemory, PointersTellWhereTheyLive) {
  void *memory = device_memory(100), *pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 100), ACL_SUCCESS);
  int host = 0;
  const auto location = [](const void* pointer) {
    aclrtPtrAttributes attributes{};
    EXPECT_EQ(aclrtPointerGetAttributes(pointer, &attributes), ACL_SUCCESS);
    return attributes.location.type;
  };
  EXPECT_EQ(location(at(memory, 50)), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(location(at(pinned, 50)), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(location(&host), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(location(memory), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
}

// ---- What watches over memory

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

class GuardZones : public DeviceMemory,
                   public testing::WithParamInterface<std::tuple<std::size_t, int>> {
 protected:
  /// Writes one byte out of bounds, as a faulty operator would.
  static void damage(void* memory, std::int64_t offset) {
    device::host_view(memory, 0)[offset] = std::byte{0};
  }
};

TEST_P(GuardZones, ShowWritesOutOfBoundsAtTheNextSynchronisation) {
  const auto [size, side] = GetParam();
  const std::int64_t offset = side < 0 ? -1 : static_cast<std::int64_t>(size);
  void* memory = device_memory(size);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  damage(memory, offset);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 507043);
  EXPECT_THAT(error_text(),
              HasSubstr("written to out of bounds, first at byte " + std::to_string(offset)));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << "once is enough";
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_P(GuardZones, ShowWritesOutOfBoundsWhenTheMemoryIsFreed) {
  const auto [size, side] = GetParam();
  void* memory = device_memory(size);
  damage(memory, side < 0 ? -200 : static_cast<std::int64_t>(size) + 200);
  EXPECT_EQ(aclrtFree(memory), 507043);
  EXPECT_THAT(error_text(), HasSubstr("aclrtFree: allocation"));
  EXPECT_EQ(aclrtFree(memory), 107000) << "it was freed all the same";
}

TEST_P(GuardZones, AreNotWatchedWhenChecksAreOff) {
  open({{"GRADPROOF_CHECKS", "0"}});
  const auto [size, side] = GetParam();
  void* memory = device_memory(size);
  damage(memory, side < 0 ? -1 : static_cast<std::int64_t>(size));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  open({{"GRADPROOF_CHECKS", "1"}});
  memory = device_memory(size);
  damage(memory, side < 0 ? -1 : static_cast<std::int64_t>(size));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS)
      << "cheap checks look only when memory is freed";
  EXPECT_EQ(aclrtFree(memory), 507043);
}

INSTANTIATE_TEST_SUITE_P(OnBothSides, GuardZones,
                         testing::Combine(testing::Values(std::size_t{1}, std::size_t{100},
                                                          std::size_t{5} << 20),
                                          testing::Values(-1, 1)));

TEST_F(DeviceMemory, GuardsAreCheckedWhenTheProcessEnds) {
  void* memory = device_memory(64);
  device::host_view(memory, 64)[64] = std::byte{0};
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  testing::internal::GetCapturedStderr();
  is_open_ = false;
  EXPECT_THAT(error_text(), HasSubstr("written to out of bounds, first at byte 64"));
}

TEST_F(DeviceMemory, WritesAfterFreeAreFoundBeforeTheMemoryIsUsedAgain) {
  void* memory = device_memory(1000);
  std::byte* stale = device::host_view(memory, 1000);
  ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  stale[10] = std::byte{1};
  error_text();
  for (std::size_t freed = 0; freed < device::Heap::quarantine_bytes; freed += 1 << 19) {
    void* other = device_memory(1 << 19);
    ASSERT_EQ(aclrtFree(other), ACL_SUCCESS);
  }
  EXPECT_THAT(error_text(),
              HasSubstr("(1000 bytes, device 0) was written to after it had been freed"));
  void* again = device_memory(1000);
  EXPECT_THAT(read(again, 1000), Each(0xFF));
}

TEST_F(DeviceMemory, InUseByATaskIsNotFreed) {
  void* memory = device_memory(64);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 1, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is in use by a task or a copy that has not ended"));
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 64), Each(1));
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(DeviceMemory, LookedAtByATaskIsNotFreedUntilTheTaskEnds) {
  void* memory = device_memory(64);
  aclError freed_inside = 0;
  ASSERT_EQ(device::enqueue(nullptr,
                            [&] {
                              device::host_view(memory, 64)[0] = std::byte{9};
                              std::thread([&] { freed_inside = aclrtFree(memory); }).join();
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(freed_inside, 107000);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
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
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
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

// ---- What is left at the end

std::string report_at_the_end() {
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  return testing::internal::GetCapturedStderr();
}

TEST_F(DeviceMemory, LeaksAreReportedAtTheEnd) {
  device_memory(123);
  new_stream();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  void* pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 5), ACL_SUCCESS);
  const std::string report = report_at_the_end();
  is_open_ = false;
  EXPECT_THAT(report, HasSubstr("the program had not released 4 things"));
  EXPECT_THAT(report, HasSubstr("(123 bytes, device 0)"));
  EXPECT_THAT(report, HasSubstr("stream 0x"));
  EXPECT_THAT(report, HasSubstr("event 0x"));
  EXPECT_THAT(report, HasSubstr("1 blocks of pinned host memory"));
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS) << "the host's memory stays the host's";
}

TEST_F(DeviceMemory, LeaksOfADeviceThatWasResetAreReportedToo) {
  device_memory(321);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_THAT(report_at_the_end(), HasSubstr("(321 bytes, device 0)"));
  is_open_ = false;
}

TEST_F(DeviceMemory, LeaksAreListedCountedOrIgnoredAsTheLevelSays) {
  for (const auto& [level, listed, counted] :
       {std::tuple{"0", false, false}, std::tuple{"1", false, true}, std::tuple{"2", true, true}}) {
    open({{"GRADPROOF_CHECKS", level}});
    for (int leak = 0; leak < 30; ++leak) device_memory(7);
    const std::string report = report_at_the_end();
    is_open_ = false;
    EXPECT_EQ(report.find("not released 30 things") != std::string::npos, counted) << report;
    EXPECT_EQ(report.find("(7 bytes") != std::string::npos, listed) << report;
    EXPECT_LE(std::ranges::count(report, '\n'), 23) << "a list has an end";
  }
}

TEST_F(DeviceMemory, NothingIsReportedWhereNothingWasLeft) {
  void* memory = device_memory(64);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  aclrtStream stream = new_stream();
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(report_at_the_end(), "");
  is_open_ = false;
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
