// Callbacks in threads of the program, and about failures, streams, devices and the process.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>
#include <pthread.h>

#include <atomic>
#include <thread>
#include <vector>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;

/// A thread of the program that runs what is due until it is told to end.
class ReportThread {
 public:
  ReportThread()
      : thread_([this] {
          id_ = static_cast<std::uint64_t>(::pthread_self());
          while (!is_over_) {
            if (aclrtProcessReport(5) != ACL_SUCCESS) std::this_thread::yield();
          }
        }) {
    while (id_ == 0) std::this_thread::yield();
  }
  ReportThread(const ReportThread&) = delete;
  ReportThread& operator=(const ReportThread&) = delete;
  ~ReportThread() {
    is_over_ = true;
    thread_.join();
  }
  std::uint64_t id() const { return id_; }

 private:
  std::atomic<bool> is_over_ = false;
  std::atomic<std::uint64_t> id_ = 0;
  std::thread thread_;
};

struct Call {
  std::vector<int>* order;
  int number;
  std::uint64_t thread = 0;
};
void note_call(void* data) {
  auto& call = *static_cast<Call*>(data);
  call.thread = static_cast<std::uint64_t>(::pthread_self());
  call.order->push_back(call.number);
}
std::uint64_t this_thread() { return static_cast<std::uint64_t>(::pthread_self()); }

class Callbacks : public StreamsOfBothPaces {};
INSTANTIATE_TEST_SUITE_P(Pace, Callbacks, testing::Values("deferred", "eager"));

TEST_P(Callbacks, RunInTheBoundThreadAndInOrder) {
  const ReportThread thread;
  const aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtSubscribeReport(thread.id(), stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(thread.id(), stream), 107011);
  std::vector<int> order;
  Call first{&order, 1}, third{&order, 3};
  ASSERT_EQ(aclrtLaunchCallback(note_call, &first, ACL_CALLBACK_BLOCK, stream), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream,
                            [&] {
                              order.push_back(2);
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchCallback(note_call, &third, ACL_CALLBACK_BLOCK, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
  EXPECT_EQ(first.thread, thread.id());
  EXPECT_EQ(aclrtUnSubscribeReport(thread.id() + 1, stream), 107012);
  EXPECT_EQ(aclrtUnSubscribeReport(thread.id(), stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(thread.id(), stream), 107012);
  EXPECT_EQ(aclrtLaunchCallback(note_call, &first, ACL_CALLBACK_BLOCK, stream), 107015);
}

/// As CANN runtime's example 0_simple_callback has it.
TEST_P(Callbacks, AndHostFunctionsOfOneStreamHaveAThreadEach) {
  const ReportThread reports;
  const aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtSubscribeReport(reports.id(), stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSubscribeHostFunc(this_thread(), stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeHostFunc(reports.id(), stream), 107011);
  std::vector<int> order;
  Call first{&order, 1}, second{&order, 2}, third{&order, 3};
  ASSERT_EQ(aclrtLaunchCallback(note_call, &first, ACL_CALLBACK_BLOCK, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(stream, note_call, &second), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchCallback(note_call, &third, ACL_CALLBACK_BLOCK, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessHostFunc(-1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
  EXPECT_EQ(first.thread, reports.id());
  EXPECT_EQ(second.thread, this_thread());
  EXPECT_EQ(aclrtUnSubscribeReport(reports.id(), stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(reports.id(), stream), 107012);
  EXPECT_EQ(aclrtUnSubscribeHostFunc(this_thread(), stream), ACL_SUCCESS) << "still bound";
}

TEST_P(Callbacks, ThatDoNotBlockRunBeforeTheStreamIsUnbound) {
  const aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), stream), ACL_SUCCESS);
  std::vector<int> order;
  Call call{&order, 1};
  ASSERT_EQ(aclrtLaunchCallback(note_call, &call, ACL_CALLBACK_NO_BLOCK, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "it does not wait for this thread";
  EXPECT_THAT(order, ElementsAre());
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread(), stream), ACL_SUCCESS);
  EXPECT_THAT(order, ElementsAre(1));
}

TEST_P(Callbacks, RefuseWhatTheyCanNotTake) {
  std::vector<int> order;
  Call call{&order, 1};
  EXPECT_EQ(aclrtProcessReport(0), 100000);
  EXPECT_EQ(aclrtProcessReport(-2), 100000);
  EXPECT_EQ(aclrtProcessReport(1), 107012);
  EXPECT_EQ(aclrtProcessHostFunc(1), 107012);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, &call, ACL_CALLBACK_BLOCK, nullptr), 107000);
  EXPECT_EQ(aclrtLaunchCallback(note_call, &call, static_cast<aclrtCallbackBlockType>(2), nullptr),
            100000);
  EXPECT_EQ(aclrtLaunchCallback(note_call, &call, ACL_CALLBACK_BLOCK, nullptr), 107015);
  EXPECT_EQ(aclrtSubscribeReport(this_thread(), garbage_handle()), 107017);
  EXPECT_EQ(aclrtSubscribeHostFunc(this_thread(), nullptr), 107000);
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessReport(5), 507012);
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread(), nullptr), ACL_SUCCESS);
}

TEST_P(Callbacks, HostFunctionsRunInTheThreadBoundToThem) {
  const aclrtStream stream = new_stream();
  std::vector<int> order;
  Call call{&order, 1};
  ASSERT_EQ(aclrtSubscribeHostFunc(this_thread(), stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(stream, note_call, &call), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessHostFunc(-1), ACL_SUCCESS);
  EXPECT_EQ(call.thread, this_thread());
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeHostFunc(this_thread(), stream), ACL_SUCCESS);
}

TEST_P(Callbacks, ThatNoThreadRunsLetTheirStreamEnd) {
  std::vector<int> order;
  Call call{&order, 1};
  const aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchCallback(note_call, &call, ACL_CALLBACK_BLOCK, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_TRUE(becomes_true([] { return aclrtProcessReport(1) == 107012; }))
      << "no stream is bound any more";
}

// ---- Failures

std::vector<std::uint32_t> seen;
void note_exception(aclrtExceptionInfo* info) {
  seen = {aclrtGetErrorCodeFromExceptionInfo(info), aclrtGetDeviceIdFromExceptionInfo(info),
          aclrtGetTaskIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info)};
}

TEST_P(Callbacks, LearnOfEachFailedTask) {
  const aclrtStream stream = new_stream();
  std::int32_t id = -1;
  std::uint32_t task = 0;
  ASSERT_EQ(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(note_exception), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, failing(507015, "EE1001: it failed")), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetThreadLastTaskId(&task), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_THAT(seen, ElementsAre(507015U, 0U, task, static_cast<std::uint32_t>(id)));
  seen.clear();
  ASSERT_EQ(aclrtSetExceptionInfoCallback(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(note_exception), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, failing(507014, "EE1001: it failed")), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507014);
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(aclrtExceptionInfoCallbackUnregister(note_exception), ACL_SUCCESS);
  EXPECT_EQ(aclrtExceptionInfoCallbackUnregister(note_exception), 107000);
  EXPECT_EQ(aclrtExceptionInfoCallbackRegister(nullptr), 107000);
  EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetArgsFromExceptionInfo(nullptr, nullptr, nullptr), -1);
  aclrtFuncHandle function = nullptr;
  EXPECT_EQ(aclrtGetFuncHandleFromExceptionInfo(nullptr, &function), 107017);
}

// ---- States

std::vector<int> states;
void note_stream_state(aclrtStream, aclrtStreamState state, void*) { states.push_back(10 + state); }
void note_device_state(std::int32_t, aclrtDeviceState state, void*) { states.push_back(state); }
std::int32_t note_abort(std::int32_t, aclrtDeviceTaskAbortStage stage, std::uint32_t, void*) {
  states.push_back(20 + stage);
  return 0;
}

TEST_P(Callbacks, LearnOfStreamsDevicesAndAborts) {
  states.clear();
  ASSERT_EQ(aclrtRegStreamStateCallback("s", note_stream_state, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegStreamStateCallback("s", note_stream_state, nullptr), 107000);
  EXPECT_EQ(aclrtRegStreamStateCallback(nullptr, note_stream_state, nullptr), 100000);
  ASSERT_EQ(aclrtRegDeviceStateCallback("d", note_device_state, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDeviceTaskAbortCallback("a", note_abort, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(new_stream()), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), 107022);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_THAT(states, ElementsAre(11, 12, 0, 1, 20, 21, 2, 3));
  EXPECT_EQ(aclrtRegStreamStateCallback("s", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegStreamStateCallback("s", nullptr, nullptr), 107000);
  EXPECT_EQ(aclrtRegDeviceStateCallback("d", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDeviceTaskAbortCallback("a", nullptr, nullptr), ACL_SUCCESS);
}

aclError answer_of_init = 0;
aclError at_init(const char* text, std::size_t length, void*) {
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(length, 0U);
  return answer_of_init;
}
int finalisations = 0;
aclError at_finalisation(void*) {
  ++finalisations;
  return 0;
}

TEST(ProcessCallbacks, RunAtTheBeginningAndTheEnd) {
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, at_init, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, at_finalisation, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr), 100000);
  answer_of_init = 4711;
  EXPECT_EQ(aclInit(nullptr), 4711);
  EXPECT_NE(aclrtSetDevice(0), ACL_SUCCESS) << "the process is not initialised";
  answer_of_init = 0;
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(finalisations, 1);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, at_init), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, at_init), 100000);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_OP_COMPILER, at_finalisation), 100000);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, at_finalisation), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
