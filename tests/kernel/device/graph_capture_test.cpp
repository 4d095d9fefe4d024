// Captured tasks: what is stored and run again, which streams join, and what a capture forbids.

#include "kernel/device/streams/graph_capture.h"

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

#include <functional>
#include <thread>
#include <vector>

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto global = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
constexpr auto of_thread = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
constexpr auto relaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

class GraphCaptures : public StreamsOfBothPaces {
 protected:
  void SetUp() override {
    StreamsOfBothPaces::SetUp();
    first_ = new_stream();
    second_ = new_stream();
  }
  void note(aclrtStream stream, int number) {
    ASSERT_EQ(device::enqueue(stream,
                              [this, number] {
                                order_.push_back(number);
                                return aclError{0};
                              }),
              ACL_SUCCESS);
  }
  static aclrtEvent recorded(aclrtStream stream) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    return event;
  }
  static aclError follow(aclrtStream stream, aclrtStream other) {
    return aclrtStreamWaitEvent(stream, recorded(other));
  }
  /// Returns what a call answers to another thread of the same context.
  static aclError elsewhere(const std::function<aclError()>& call) {
    aclrtContext context = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
    aclError code = 0;
    std::thread([&] {
      EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      code = call();
    }).join();
    return code;
  }
  aclmdlRI ended(aclError expected = ACL_SUCCESS) {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(first_, &model), expected);
    return model;
  }

  aclrtStream first_ = nullptr, second_ = nullptr;
  std::vector<int> order_;
};
INSTANTIATE_TEST_SUITE_P(Pace, GraphCaptures, testing::Values("deferred", "eager"));

TEST_P(GraphCaptures, RunWhatWasStoredAsOftenAsAsked) {
  ASSERT_EQ(aclmdlRICaptureBegin(first_, global), ACL_SUCCESS);
  note(first_, 1);
  note(first_, 2);
  const aclmdlRI model = ended();
  EXPECT_EQ(aclrtSynchronizeStream(first_), ACL_SUCCESS);
  EXPECT_THAT(order_, ElementsAre());
  EXPECT_EQ(aclmdlRIExecuteAsync(model, second_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_SUCCESS);
  EXPECT_THAT(order_, ElementsAre(1, 2, 1, 2));
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, second_), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_P(GraphCaptures, TakeInTheStreamsThatWaitForThem) {
  ASSERT_EQ(aclmdlRICaptureBegin(first_, global), ACL_SUCCESS);
  note(first_, 1);
  ASSERT_EQ(follow(second_, first_), ACL_SUCCESS);
  note(second_, 2);
  ASSERT_EQ(follow(first_, second_), ACL_SUCCESS);
  const aclmdlRI model = ended();
  note(second_, 3);  // captured no more
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, second_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second_), ACL_SUCCESS);
  EXPECT_THAT(order_, ElementsAre(3, 1, 2));
}

/// A third stream's work is seen through the second, and work after the last event is not.
TEST_P(GraphCaptures, AskThatEachStreamIsJoinedBack) {
  for (const bool is_late : {false, true}) {
    aclrtStream third = new_stream();
    ASSERT_EQ(aclmdlRICaptureBegin(first_, global), ACL_SUCCESS);
    ASSERT_EQ(follow(second_, first_), ACL_SUCCESS);
    ASSERT_EQ(follow(third, second_), ACL_SUCCESS);
    note(third, 1);
    ASSERT_EQ(follow(second_, third), ACL_SUCCESS);
    if (is_late) note(third, 2);
    ASSERT_EQ(follow(first_, second_), ACL_SUCCESS);
    ended(is_late ? ACL_ERROR_RT_STREAM_UNJOINED : ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(third), ACL_SUCCESS) << "captured no more";
  }
}

TEST_P(GraphCaptures, AreEndedByWhoBeganThem) {
  ended(ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  for (const auto mode : {global, of_thread, relaxed}) {
    ASSERT_EQ(aclmdlRICaptureBegin(first_, mode), ACL_SUCCESS);
    ASSERT_EQ(follow(second_, first_), ACL_SUCCESS);
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(second_, &model), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
    ASSERT_EQ(follow(first_, second_), ACL_SUCCESS);
    EXPECT_EQ(elsewhere([&] { return aclmdlRICaptureEnd(first_, &model); }),
              mode == relaxed ? ACL_SUCCESS : ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD);
    if (mode != relaxed) ended();
  }
}

TEST_P(GraphCaptures, HaveNothingToWaitForMeanwhile) {
  const aclrtEvent before = recorded(second_);
  ASSERT_EQ(aclmdlRICaptureBegin(first_, relaxed), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureBegin(first_, relaxed), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeStream(first_), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtDestroyStream(first_), ACL_ERROR_RT_STREAM_CAPTURED);
  aclrtStreamStatus status{};
  EXPECT_EQ(aclrtStreamQuery(first_, &status), ACL_ERROR_RT_STREAM_CAPTURED);
  const aclrtEvent event = recorded(first_);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_EVENT_CAPTURED);
  aclrtEventRecordedStatus recorded_status{};
  EXPECT_EQ(aclrtQueryEventStatus(event, &recorded_status), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtStreamWaitEvent(first_, before), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  ended();
  EXPECT_EQ(aclrtStreamWaitEvent(second_, event), ACL_ERROR_RT_EVENT_CAPTURED);
  ASSERT_EQ(aclrtRecordEvent(event, second_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS) << "recorded again, and run";
}

TEST_P(GraphCaptures, TakeNeitherDefaultStreamsNorTwoCaptures) {
  EXPECT_EQ(aclmdlRICaptureBegin(nullptr, global), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRICaptureBegin(first_, static_cast<aclmdlRICaptureMode>(3)),
            ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclmdlRICaptureBegin(first_, global), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRICaptureBegin(second_, global), ACL_SUCCESS);
  EXPECT_EQ(follow(second_, first_), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(follow(nullptr, first_), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  aclmdlRICaptureStatus status{};
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureGetInfo(first_, &status, &model), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_CAPTURED);
}

TEST_P(GraphCaptures, ForbidWhatActsAtOnce) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  const auto fill = [&] { return aclrtMemset(memory, 64, 1, 64); };
  constexpr aclError refused = ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT;
  struct Row {
    aclmdlRICaptureMode mode;
    aclError here, elsewhere;
  };
  for (const Row& row : {Row{global, refused, refused}, Row{of_thread, refused, ACL_SUCCESS},
                         Row{relaxed, ACL_SUCCESS, ACL_SUCCESS}}) {
    ASSERT_EQ(aclmdlRICaptureBegin(first_, row.mode), ACL_SUCCESS);
    EXPECT_EQ(fill(), row.here) << row.mode;
    EXPECT_EQ(elsewhere(fill), row.elsewhere) << row.mode;
    auto mode = relaxed;
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), ACL_SUCCESS);
    EXPECT_EQ(fill(), ACL_SUCCESS) << row.mode;
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), ACL_SUCCESS);
    ended();
  }
  EXPECT_EQ(fill(), ACL_SUCCESS);
}

TEST_P(GraphCaptures, StopAtMemoryThatWasFreedSince) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRICaptureBegin(first_, global), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 5, 64, first_), ACL_SUCCESS);
  const aclmdlRI model = ended();
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS) << "a model holds no memory";
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_THAT(aclGetRecentErrMsg(), HasSubstr("was freed after the task"));
  // Other memory that is given the same address later is not what was captured.
  void* other = nullptr;
  for (int tries = 0; other != memory && tries < 1'000'000; ++tries) {
    aclrtFree(other);
    ASSERT_EQ(aclrtMalloc(&other, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  ASSERT_EQ(other, memory);
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
