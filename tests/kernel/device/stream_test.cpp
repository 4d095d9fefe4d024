#include "tests/support/stream_fixture.h"

#include "acl/acl.h"
#include "kernel/device/streams/pacemaker.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

namespace gradproof::kernel {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Pace, StreamsOfBothPaces, testing::Values("deferred", "eager"));

TEST_P(StreamsOfBothPaces, RunTheirTasksInOrder) {
  aclrtStream stream = new_stream();
  std::vector<int> order;
  for (int task = 0; task < 100; ++task) {
    ASSERT_EQ(device::enqueue(stream,
                              [&order, task] {
                                order.push_back(task);
                                return aclError{0};
                              }),
              ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST_P(StreamsOfBothPaces, ReturnFromALaunchBeforeItHasEnded) {
  Gate gate;
  ASSERT_EQ(device::enqueue(nullptr, gate.task()), ACL_SUCCESS);
  aclrtStreamStatus status{};
  EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
}

TEST_P(StreamsOfBothPaces, AreFinishedByDestroyingThem) {
  aclrtStream stream = new_stream();
  bool has_run = false;
  ASSERT_EQ(device::enqueue(stream,
                            [&] {
                              std::this_thread::sleep_for(20ms);
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_TRUE(has_run);
  EXPECT_EQ(aclrtDestroyStream(stream), 107017);
  EXPECT_EQ(device::enqueue(stream, [] { return aclError{0}; }), 107017);
}

TEST_P(StreamsOfBothPaces, AreFinishedByTheirDevicesReset) {
  bool has_run = false;
  ASSERT_EQ(device::enqueue(nullptr,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_TRUE(has_run);
}

TEST_P(StreamsOfBothPaces, DropWhatHasNotRunWhenDestroyedByForce) {
  aclrtStream stream = new_stream();
  Gate gate;
  bool has_run = false;
  ASSERT_EQ(device::enqueue(stream, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  gate.open();
  aclrtStreamStatus status{};
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 107017);
  if (std::string_view(GetParam()) == "deferred") {
    EXPECT_FALSE(has_run);
  }
}

TEST_P(StreamsOfBothPaces, ReportTheFirstFailureAtTheNextSynchronisationAndGoOn) {
  aclrtStream stream = new_stream();
  bool has_run = false;
  ASSERT_EQ(device::enqueue(stream, failing(507015, "EE1001: first")), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, failing(507042, "EE1001: second")), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  const std::string text = error_text();
  EXPECT_THAT(text, HasSubstr("EE1001: first"));
  EXPECT_THAT(text, HasSubstr("EE1001: second"));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 507015);
  EXPECT_TRUE(has_run);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "reported once";
}

TEST_P(StreamsOfBothPaces, StopAfterAFailureWhereTheyWereToldTo) {
  aclrtStream stream = new_stream();
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 2), 107000);
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  bool has_run = false;
  Gate gate;
  ASSERT_EQ(device::enqueue(stream, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, failing(507015, "EE1001: stop")), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_FALSE(has_run);
  EXPECT_EQ(device::enqueue(stream,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS)
      << "reported: the stream continues";
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_TRUE(has_run);
}

TEST_P(StreamsOfBothPaces, TurnWhatATaskThrowsIntoAFailure) {
  ASSERT_EQ(device::enqueue(nullptr, []() -> aclError { throw std::runtime_error("oops"); }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 507015);
  EXPECT_THAT(error_text(), HasSubstr("a task threw: oops"));
}

TEST_P(StreamsOfBothPaces, KeepTheCallersErrorTextsApartFromTheTasks) {
  aclrtFree(nullptr);
  std::string seen_by_task;
  ASSERT_EQ(device::enqueue(nullptr,
                            [&] {
                              seen_by_task = error_text();
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(seen_by_task, "");
  EXPECT_THAT(error_text(), HasSubstr("aclrtFree: devPtr is null"));
}

TEST_P(StreamsOfBothPaces, GiveUpWaitingWhenTheTimeIsOver) {
  aclrtStream stream = new_stream();
  Gate gate;
  ASSERT_EQ(device::enqueue(stream, gate.task()), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), 507046);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(10), 507046);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 0), 107000);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -2), 107000);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(0), 107000);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 60000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(60000), ACL_SUCCESS);
}

struct LastingTask {
  aclrtStream stream;
  std::chrono::milliseconds time;
};

/// Starts the tasks and waits 400 ms for their device. Nothing where the machine was so busy that
/// the wait began late.
std::optional<aclError> waited_for(const std::array<LastingTask, 2>& tasks) {
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& [stream, time] : tasks) {
    const auto last = [time = time] {
      std::this_thread::sleep_for(time);
      return aclError{0};
    };
    EXPECT_EQ(device::enqueue(stream, last), ACL_SUCCESS);
  }
  const bool is_late = std::chrono::steady_clock::now() - begin > 50ms;
  const aclError result = aclrtSynchronizeDeviceWithTimeout(400);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  return is_late ? std::nullopt : std::optional(result);
}

TEST_P(StreamsOfBothPaces, ShareTheTimeThatTheirDeviceIsWaitedFor) {
  const aclrtStream one = new_stream(), other = new_stream();
  // Whichever is waited for first: one after the other, each alone would be in time.
  for (const auto& [first, second] : {std::pair{250ms, 600ms}, std::pair{600ms, 250ms}}) {
    std::optional<aclError> result;
    for (int attempt = 0; attempt < 20 && !result; ++attempt) {
      result = waited_for({LastingTask{one, first}, LastingTask{other, second}});
    }
    EXPECT_EQ(result, std::optional<aclError>(507046));
  }
}

TEST_P(StreamsOfBothPaces, AreAllWaitedForWithTheirDevice) {
  std::atomic<int> ended = 0;
  std::vector<aclrtStream> all;
  for (int stream = 0; stream < 5; ++stream) {
    all.push_back(new_stream());
    ASSERT_EQ(device::enqueue(all.back(),
                              [&] {
                                ++ended;
                                return aclError{0};
                              }),
              ACL_SUCCESS);
  }
  ASSERT_EQ(device::enqueue(all[3], failing(507015, "EE1001: of stream 3")), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), 507015);
  EXPECT_EQ(ended, 5);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_P(StreamsOfBothPaces, CallFunctionsOfTheHost) {
  int called = 0;
  ASSERT_EQ(aclrtLaunchHostFunc(
                nullptr, [](void* count) { ++*static_cast<int*>(count); }, &called),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(called, 1);
}

TEST_P(StreamsOfBothPaces, CanNotBeWaitedForByTheirOwnTasks) {
  static std::vector<aclError> codes;
  codes.clear();
  const auto call = [](void*) {
    codes = {aclrtSetDevice(0),
             aclrtSynchronizeStream(nullptr),
             aclrtSynchronizeDevice(),
             aclrtResetDevice(0),
             aclFinalize(),
             aclFinalizeReference(nullptr),
             aclInit(nullptr)};
  };
  ASSERT_EQ(aclrtLaunchHostFunc(nullptr, call, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(codes, ElementsAre(0, 107000, 107000, 107000, 107000, 107000, 107000));
}

TEST_P(StreamsOfBothPaces, CopyAsynchronouslyFromPinnedMemoryAndAtOnceFromOther) {
  void *memory = device_memory(64), *pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 64), ACL_SUCCESS);
  aclrtStream stream = new_stream();
  Gate gate;
  ASSERT_EQ(device::enqueue(stream, gate.task()), ACL_SUCCESS);
  std::memset(pinned, 1, 64);
  ASSERT_EQ(aclrtMemcpyAsync(memory, 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream),
            ACL_SUCCESS);
  EXPECT_THAT(read(memory, 64), Each(0xFF)) << "not yet";
  std::memset(pinned, 2, 64);
  gate.open();
  std::vector<unsigned char> ordinary(64);
  ASSERT_EQ(aclrtMemcpyAsync(ordinary.data(), 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream),
            ACL_SUCCESS);
  EXPECT_THAT(ordinary, Each(2)) << "in the stream's order, and ended";
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
}

TEST_P(StreamsOfBothPaces, CheckCopiesWhenTheyAreQueued) {
  void* memory = device_memory(64);
  std::vector<char> host(64);
  EXPECT_EQ(aclrtMemcpyAsync(memory, 64, host.data(), 64, ACL_MEMCPY_HOST_TO_HOST, nullptr),
            207000);
  EXPECT_EQ(aclrtMemcpyAsync(host.data(), 64, host.data() + 1, 8, ACL_MEMCPY_DEFAULT, nullptr),
            207000);
  EXPECT_EQ(aclrtMemcpyAsync(memory, 65, host.data(), 65, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            107000);
  EXPECT_EQ(aclrtMemcpyAsync(memory, 8, host.data(), 9, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            107000);
  EXPECT_EQ(aclrtMemcpyAsync(memory, 8, host.data(), 8, static_cast<aclrtMemcpyKind>(8), nullptr),
            100000);
  EXPECT_EQ(
      aclrtMemcpyAsync(memory, 8, host.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, garbage_handle()),
      107017);
  EXPECT_EQ(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT, garbage_handle()),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetAsync(memory, 8, 0, 9, nullptr), 107000);
  EXPECT_EQ(aclrtMemsetAsync(memory, 8, 0, 8, garbage_handle()), 107017);
  EXPECT_EQ(aclrtMemsetAsync(host.data(), 8, 0, 8, nullptr), 107000);
  void* other = device_memory(64);
  EXPECT_EQ(aclrtMemcpyAsync(memory, 64, other, 64, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

// ---- Many threads, many streams

TEST_P(StreamsOfBothPaces, AreIndependentOfEachOther) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      aclrtStream stream = new_stream();
      void* memory = device_memory(256);
      for (int round = 1; round <= 100; ++round) {
        ASSERT_EQ(aclrtMemsetAsync(memory, 256, round, 256, stream), ACL_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
        ASSERT_THAT(read(memory, 256), Each(round));
      }
      EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace gradproof::kernel
