#include "tests/support/stream_fixture.h"

#include "acl/acl.h"
#include "kernel/device/streams/pacemaker.h"

#include <gmock/gmock.h>

#include <chrono>

namespace gradproof::kernel {
namespace {

using namespace std::chrono_literals;
using testing::Each;

class Streams : public OnDevice {};

// ---- The deferred pace

TEST_F(Streams, AnUnsynchronisedReadSeesPoison) {
  void* memory = device_memory(64);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 3, 64, nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 64), Each(0xFF));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 64), Each(3));
}

TEST_F(Streams, SynchronisingOneStreamDoesNotSynchroniseAnother) {
  void* memory = device_memory(64);
  aclrtStream first = new_stream(), second = new_stream();
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 3, 64, first), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 64), Each(0xFF));
  EXPECT_EQ(aclrtSynchronizeStream(first), ACL_SUCCESS);
}

TEST_F(Streams, MoveOnAfterAWhileEvenWithoutAWait) {
  std::atomic<bool> has_run = false;
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(device::enqueue(nullptr,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_TRUE(becomes_true([&] { return has_run.load(); }));
  EXPECT_GE(std::chrono::steady_clock::now() - start, device::grace);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(Streams, MoveOnWhenTheyAreAskedWhetherTheyAreDone) {
  ASSERT_EQ(device::enqueue(nullptr, [] { return aclError{0}; }), ACL_SUCCESS);
  EXPECT_TRUE(becomes_true([] {
    aclrtStreamStatus status{};
    EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_SUCCESS);
    return status == ACL_STREAM_STATUS_COMPLETE;
  }));
}

TEST_F(Streams, RefuseTasksWhileTheyAreStopped) {
  open({{"GRADPROOF_STREAMS", "eager"}});
  aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, failing(507015, "EE1001: stop")), ACL_SUCCESS);
  EXPECT_TRUE(
      becomes_true([&] { return device::enqueue(stream, [] { return aclError{0}; }) == 507015; }));
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  EXPECT_EQ(aclrtRecordEvent(event, stream), 507015);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
}

// ---- Creating

TEST_F(Streams, AreLimitedInNumberByTheProduct) {
  for (const auto& [soc, limit] : {std::pair{"Ascend910B1", 1984}, std::pair{"Ascend310P3", 1024},
                                   std::pair{"Ascend910A", 2048}, std::pair{"Ascend310B1", 512}}) {
    open({{"GRADPROOF_DEVICES", soc}, {"GRADPROOF_CHECKS", "0"}});
    std::vector<aclrtStream> all;
    for (int stream = 0; stream < limit; ++stream) all.push_back(new_stream());
    aclrtStream one_more = nullptr;
    EXPECT_EQ(aclrtCreateStream(&one_more), 207008) << soc;
    EXPECT_EQ(one_more, nullptr);
    EXPECT_EQ(aclrtDestroyStream(all.back()), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateStream(&one_more), ACL_SUCCESS);
  }
}

TEST_F(Streams, TakePrioritiesAndFlags) {
  aclrtStream stream = nullptr;
  for (const std::uint32_t flag : {0U, ACL_STREAM_FAST_LAUNCH, ACL_STREAM_PERSISTENT,
                                   ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC}) {
    EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 7, flag), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
  stream = nullptr;
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 8, 0), 107000);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, 0x40), 107000);
  EXPECT_EQ(stream, nullptr);
}

TEST_F(Streams, OfTheDefaultKindStayWithTheirContext) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), 107000);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

// ---- Overflow

TEST_F(Streams, AnswerForOverflowsInSaturationModeOnly) {
  aclrtStream infnan = new_stream();
  void* status = device_memory(64);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 64, infnan), 207000);
  EXPECT_EQ(aclrtResetOverflowStatus(infnan), 207000);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(infnan, 1), 207000);
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetOverflowStatus(infnan), 207000) << "a stream keeps the mode it was made in";
  aclrtStream saturating = new_stream();
  std::uint32_t is_on = 9;
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(saturating, 2), 107000);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(saturating, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetStreamOverflowSwitch(saturating, &is_on), ACL_SUCCESS);
  EXPECT_EQ(is_on, 1U);
  aclrtFloatOverflowMode seen = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_EQ(device::running_overflow_mode(), ACL_RT_OVERFLOW_MODE_UNDEF);
  ASSERT_EQ(device::enqueue(saturating,
                            [&] {
                              seen = device::running_overflow_mode();
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtGetOverflowStatus(status, 64, saturating), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(saturating), ACL_SUCCESS);
  EXPECT_EQ(seen, ACL_RT_OVERFLOW_MODE_SATURATION);
  EXPECT_EQ(read(status, 64), std::vector<unsigned char>(64, 0));
  ASSERT_EQ(aclrtResetOverflowStatus(saturating), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetOverflowStatus(status, 64, saturating), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(saturating), ACL_SUCCESS);
  EXPECT_EQ(read(status, 64)[0], 0);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 65, saturating), 107000);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 0, saturating), 107000);
}

}  // namespace
}  // namespace gradproof::kernel
