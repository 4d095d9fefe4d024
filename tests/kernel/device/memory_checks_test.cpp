#include "tests/support/memory_fixture.h"

#include "acl/acl.h"
#include "kernel/device/memory/heap.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/streams/stream.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

// ---- Guard zones

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

TEST_F(DeviceMemory, CopiesMayRoundASizeUpTo32BytesOnlyWhereNothingIsChecked) {
  constexpr std::size_t size = 100, rounded = 128;
  std::vector<std::byte> host(rounded + 1, std::byte{7}), back(rounded);
  const auto to_device = [&](void* memory, std::size_t bytes) {
    return aclrtMemcpy(memory, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  };
  for (const char* level : {"1", "2"}) {
    open({{"GRADPROOF_CHECKS", level}});
    void* memory = device_memory(size);
    EXPECT_EQ(to_device(memory, size + 1), 107000) << level;
    EXPECT_EQ(to_device(memory, size), ACL_SUCCESS) << level;
    EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS) << level;
  }
  open({{"GRADPROOF_CHECKS", "0"}});
  void* memory = device_memory(size);
  auto* const from_4 = static_cast<std::byte*>(memory) + 4;
  EXPECT_EQ(to_device(memory, rounded), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(back.data(), rounded, memory, rounded, ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
  EXPECT_EQ(back, std::vector(rounded, std::byte{7}));
  EXPECT_EQ(to_device(memory, rounded + 1), 107000);
  EXPECT_EQ(to_device(from_4, rounded - 4), ACL_SUCCESS);
  EXPECT_EQ(to_device(from_4, rounded - 3), 107000);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
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

}  // namespace
}  // namespace gradproof::kernel
