// Events' times and ids, and events of two processes.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace gradproof::kernel {
namespace {

class EventSettings : public OnDevice {
 protected:
  static aclrtEvent new_event() {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    return event;
  }
};

TEST_F(EventSettings, TimesAreThoseOfTheRecordedTasksEnd) {
  const aclrtEvent first = new_event(), second = new_event();
  std::uint64_t before = 0, after = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(first, &before), 107006);
  ASSERT_EQ(aclrtRecordEventWithFlag(first, nullptr, ACL_EVENT_RECORD_DEFAULT), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(first, &before), 507006);
  ASSERT_EQ(device::enqueue(nullptr,
                            [] {
                              std::this_thread::sleep_for(std::chrono::milliseconds(3));
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEventWithFlag(second, nullptr, ACL_EVENT_RECORD_EXTERNAL), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(first, &before), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(second, &after), ACL_SUCCESS);
  EXPECT_GE(after, before + 3000);
  EXPECT_EQ(aclrtEventGetTimestamp(first, nullptr), 100000);
  EXPECT_EQ(aclrtEventGetTimestamp(garbage_handle(), &before), 107017);
  EXPECT_EQ(aclrtRecordEventWithFlag(first, nullptr, 2), 100000);
}

/// A task that takes long enough for what is queued meanwhile, then notes that it has ended.
aclError enqueue_slow(aclrtStream stream, std::atomic<bool>& has_ended) {
  return device::enqueue(stream, [&has_ended] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    has_ended = true;
    return aclError{0};
  });
}

TEST_F(EventSettings, AWaitForASharedEventIsForTheRecordingBeforeIt) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  std::atomic<bool> has_ended = false;
  ASSERT_EQ(enqueue_slow(nullptr, has_ended), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(nullptr, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 5000), ACL_SUCCESS)
      << "the stream waits for what it records only later";
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(EventSettings, AWaitForASharedEventOutlastsALaterRecordingThatIsSooner) {
  aclrtEvent event = nullptr;
  aclrtStream slow = nullptr, quick = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&slow), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&quick), ACL_SUCCESS);
  std::atomic<bool> has_ended = false, had_ended = false;
  ASSERT_EQ(enqueue_slow(slow, has_ended), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, slow), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(nullptr, event), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(nullptr,
                            [&] {
                              had_ended = has_ended.load();
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, quick), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 5000), ACL_SUCCESS);
  EXPECT_TRUE(had_ended);
  for (const aclrtStream stream : {slow, quick}) {
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(EventSettings, IdsAreOfLiveEvents) {
  std::uint32_t available = 0, left = 0, first_id = 0, second_id = 0;
  ASSERT_EQ(aclrtGetEventAvailNum(&available), ACL_SUCCESS);
  EXPECT_EQ(available, 65536U);
  const aclrtEvent first = new_event(), second = new_event();
  EXPECT_EQ(aclrtGetEventAvailNum(&left), ACL_SUCCESS);
  EXPECT_EQ(left, available - 2);
  EXPECT_EQ(aclrtGetEventId(first, &first_id), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetEventId(second, &second_id), ACL_SUCCESS);
  EXPECT_NE(first_id, second_id);
  EXPECT_EQ(aclrtDestroyEvent(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetEventId(first, &first_id), 107017);
}

/// The child: makes an event, records it behind a host function that waits for a word from the
/// test.
[[noreturn]] void make_event_and_record(int in, int out) {
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle handle{};
  const auto wait = [](void* file) {
    char word = 0;
    [[maybe_unused]] const auto count = ::read(*static_cast<int*>(file), &word, 1);
  };
  const bool is_ready = aclInit(nullptr) == 0 && aclrtSetDevice(0) == 0 &&
                        aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC) == 0 &&
                        aclrtIpcGetEventHandle(event, &handle) == 0 &&
                        aclrtLaunchHostFunc(nullptr, wait, &in) == 0 &&
                        aclrtRecordEvent(event, nullptr) == 0;
  [[maybe_unused]] const auto sent = ::write(out, &handle, sizeof handle);
  aclrtSynchronizeStream(nullptr);
  ::pause();
  ::_exit(is_ready ? 0 : 1);
}

class SharedEvents : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::pipe(to_child_.data()), 0);
    ASSERT_EQ(::pipe(from_child_.data()), 0);
    child_ = ::fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) make_event_and_record(to_child_[0], from_child_[1]);
    ASSERT_EQ(::read(from_child_[0], &handle_, sizeof handle_),
              static_cast<ssize_t>(sizeof handle_));
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtIpcOpenEventHandle(handle_, &event_), ACL_SUCCESS) << error_text();
  }
  void TearDown() override {
    end_child();
    testing::internal::CaptureStderr();
    aclFinalize();
    testing::internal::GetCapturedStderr();
    error_text();
  }
  void end_child() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
  }
  void let_child_continue() const { ASSERT_EQ(::write(to_child_[1], "x", 1), 1); }
  aclrtEventRecordedStatus status() const {
    aclrtEventRecordedStatus found{};
    EXPECT_EQ(aclrtQueryEventStatus(event_, &found), ACL_SUCCESS);
    return found;
  }

  std::array<int, 2> to_child_{}, from_child_{};
  pid_t child_ = -1;
  aclrtIpcEventHandle handle_{};
  aclrtEvent event_ = nullptr;
};

TEST_F(SharedEvents, AreWaitedForInTheOtherProcess) {
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event_, 20), 507047);
  ASSERT_EQ(aclrtStreamWaitEvent(nullptr, event_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 20), 507046);
  let_child_continue();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event_), ACL_SUCCESS);
  EXPECT_EQ(status(), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  ASSERT_EQ(aclrtRecordEvent(event_, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event_), ACL_SUCCESS);
}

TEST_F(SharedEvents, DoNotWaitForAProcessThatIsGone) {
  ASSERT_EQ(aclrtStreamWaitEvent(nullptr, event_), ACL_SUCCESS);
  end_child();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 507022);
  EXPECT_EQ(aclrtSynchronizeEvent(event_), 507022);
  aclrtEvent again = nullptr;
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle_, &again), 507899);
}

TEST_F(SharedEvents, AreRefusedToTheirOwnProcess) {
  aclrtEvent own = nullptr, plain = nullptr, again = nullptr;
  aclrtIpcEventHandle handle{};
  ASSERT_EQ(aclrtCreateEvent(&plain), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcGetEventHandle(plain, &handle), 107000);
  ASSERT_EQ(aclrtCreateEventExWithFlag(&own, ACL_EVENT_IPC), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcGetEventHandle(own, nullptr), 100000);
  ASSERT_EQ(aclrtIpcGetEventHandle(own, &handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle, &again), 107000);
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle_, nullptr), 100000);
  handle_.reserved[50] = 'z';
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle_, &again), 507899);
  EXPECT_EQ(again, nullptr);
}

}  // namespace
}  // namespace gradproof::kernel
