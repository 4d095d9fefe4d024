#include "kernel/device/streams/event.h"

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

#include <thread>

namespace gradproof::kernel {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

aclrtEvent new_event() {
  aclrtEvent event = nullptr;
  EXPECT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  return event;
}

aclrtEvent new_ex_event(std::uint32_t flag = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE) {
  aclrtEvent event = nullptr;
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flag), ACL_SUCCESS);
  return event;
}

aclrtEventRecordedStatus recorded_status(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  return status;
}

class Events : public StreamsOfBothPaces {};
INSTANTIATE_TEST_SUITE_P(Pace, Events, testing::Values("deferred", "eager"));

TEST_P(Events, OrderTheTasksOfTwoStreams) {
  for (int round = 0; round < 50; ++round) {
    aclrtStream first = new_stream(), second = new_stream();
    aclrtEvent event = new_event();
    std::vector<int> order;
    ASSERT_EQ(device::enqueue(first,
                              [&] {
                                std::this_thread::sleep_for(1ms);
                                order.push_back(1);
                                return aclError{0};
                              }),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, first), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(second, event), ACL_SUCCESS);
    ASSERT_EQ(device::enqueue(second,
                              [&] {
                                order.push_back(2);
                                return aclError{0};
                              }),
              ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
    EXPECT_THAT(order, ElementsAre(1, 2));
    EXPECT_EQ(aclrtDestroyStream(first), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(second), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  }
}

TEST_P(Events, CanBeWaitedForBeforeTheyAreRecorded) {
  aclrtStream first = new_stream(), second = new_stream();
  aclrtEvent event = new_event();
  bool has_run = false;
  ASSERT_EQ(aclrtStreamWaitEvent(second, event), ACL_SUCCESS);
  aclrtEventWaitStatus waiting{};
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waiting), ACL_SUCCESS);
  EXPECT_EQ(waiting, ACL_EVENT_WAIT_STATUS_NOT_READY);
  ASSERT_EQ(device::enqueue(first,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, first), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
  EXPECT_TRUE(has_run);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waiting), ACL_SUCCESS);
  EXPECT_EQ(waiting, ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_P(Events, TellWhetherWhatTheyCapturedHasEnded) {
  aclrtStream stream = new_stream();
  aclrtEvent event = new_event();
  Gate gate;
  aclrtEventStatus status{};
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY) << "never recorded";
  ASSERT_EQ(device::enqueue(stream, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 10), 507047);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 0), 107000);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
}

TEST_P(Events, MoveTheirStreamOnWhenTheyAreAsked) {
  aclrtEvent event = new_event();
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  EXPECT_TRUE(
      becomes_true([&] { return recorded_status(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE; }));
}

TEST_P(Events, OfKindExAreCompleteBeforeTheyAreRecorded) {
  aclrtEvent event = new_ex_event();
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  aclrtEventWaitStatus waiting{};
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waiting), 207000);
}

TEST_P(Events, RecordedAgainLeaveWaitsThatWereIssuedAlone) {
  aclrtStream first = new_stream(), second = new_stream(), waiting = new_stream();
  aclrtEvent event = new_ex_event();
  Gate gate;
  ASSERT_EQ(aclrtRecordEvent(event, first), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(waiting, event), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(second, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, second), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(waiting), ACL_SUCCESS) << "waits for the first recording";
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY) << "tells of the second";
  gate.open();
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
}

TEST_P(Events, MeasureTheTimeBetweenThem) {
  aclrtStream stream = new_stream();
  aclrtEvent start = new_event(), end = new_event();
  float milliseconds = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, start, end), 107006) << "not recorded";
  ASSERT_EQ(aclrtRecordEvent(start, stream), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream,
                            [] {
                              std::this_thread::sleep_for(20ms);
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  Gate gate;
  ASSERT_EQ(device::enqueue(stream, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(end, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(start), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, start, end), 507006) << "not complete";
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, end, start), 107007) << "the wrong way round";
  EXPECT_EQ(milliseconds, -1) << "untouched by failures";
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, start, end), ACL_SUCCESS);
  EXPECT_GE(milliseconds, 20.0F);
  EXPECT_LT(milliseconds, 60000.0F);
}

TEST_P(Events, TakeTimesOnlyWhereTheirFlagSaysSo) {
  aclrtEvent with = nullptr, without = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&with, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventWithFlag(&without, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(with, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(without, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  float milliseconds = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, with, with), ACL_SUCCESS);
  EXPECT_EQ(milliseconds, 0.0F);
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, with, without), 107006);
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, with, garbage_handle()), 107017);
}

TEST_P(Events, AreResetInTheirStreamsOrder) {
  aclrtEvent event = nullptr, plain = new_event();
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  ASSERT_EQ(aclrtResetEvent(event, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(recorded_status(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtResetEvent(plain, nullptr), 107000);
}

TEST_P(Events, CanBeDestroyedWhileTheyArePending) {
  aclrtStream first = new_stream(), second = new_stream();
  aclrtEvent event = new_event();
  Gate gate;
  ASSERT_EQ(device::enqueue(first, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, first), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(second, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), 107017);
  EXPECT_EQ(aclrtRecordEvent(event, first), 107017);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
}

TEST_P(Events, EndWithTheStreamThatDropsThem) {
  aclrtStream first = new_stream(), second = new_stream();
  aclrtEvent event = new_event();
  Gate gate;
  ASSERT_EQ(device::enqueue(first, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, first), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(second, event), ACL_SUCCESS);
  gate.open();
  EXPECT_EQ(aclrtDestroyStreamForce(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS) << "waits for a capture that never runs";
}

TEST_P(Events, NeverRecordedDoNotHoldUpAReset) {
  aclrtStream stream = new_stream();
  aclrtEvent event = new_event();
  ASSERT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), 507046);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 107000);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_P(Events, RecordedLaterByTheSameStreamFailInsteadOfHanging) {
  aclrtStream stream = new_stream();
  aclrtEvent event = new_event();
  ASSERT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 107020);
  EXPECT_THAT(error_text(), HasSubstr("records only later itself"));
}

/// As CANN runtime's examples have it: outside of captures it is an event like others.
TEST_P(Events, OfTheExternalKindOrderStreams) {
  const aclrtStream first = new_stream(), second = new_stream();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL), ACL_SUCCESS);
  bool is_first_done = false, was_first_done = false;
  ASSERT_EQ(device::enqueue(first,
                            [&] {
                              is_first_done = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, first), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(second, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetEvent(event, second), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(second,
                            [&] {
                              was_first_done = is_first_done;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
  EXPECT_TRUE(was_first_done);
}

class EventsOfADevice : public OnDevice {};

TEST_F(EventsOfADevice, TakeTheDocumentedFlags) {
  aclrtEvent event = nullptr;
  for (const std::uint32_t flag :
       {0U, 0x4U, 0x80U, ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_SYNC | 0x100U}) {
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flag), 107000) << flag;
  }
  for (const std::uint32_t flag : {0U, 0x4U, 0x80U})
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flag), 107000) << flag;
  EXPECT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL | ACL_EVENT_SYNC), 107000);
  EXPECT_THAT(error_text(), HasSubstr("goes with no other"));
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_DEVICE_USE_ONLY), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateEventWithFlag(
                &event, ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE),
            ACL_SUCCESS);
}

TEST_F(EventsOfADevice, AreLimitedInNumberByTheProduct) {
  open({{"GRADPROOF_DEVICES", "Ascend310P3"}, {"GRADPROOF_CHECKS", "0"}});
  for (int event = 0; event < 1023; ++event) new_event();
  aclrtEvent one_more = nullptr;
  EXPECT_EQ(aclrtCreateEvent(&one_more), 207007);
  EXPECT_EQ(one_more, nullptr);
}

}  // namespace
}  // namespace gradproof::kernel
