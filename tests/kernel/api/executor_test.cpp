#include "kernel/api/objects/executor.h"

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "tests/kernel/api/phase_two.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

TEST_F(PhaseTwo, OnlyEnqueues) {
  EXPECT_EQ(run(executor()), OK);
  EXPECT_THAT(read(output_, elements), Each(0xFF)) << "PH-11";
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(output_, elements), Each(2));
}

TEST_F(PhaseTwo, ReadsItsInputsWhenItRuns) {
  aclOpExecutor* prepared = executor();
  ASSERT_EQ(aclrtMemset(input_, elements, 7, elements), ACL_SUCCESS);
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(output_, elements), Each(8)) << "PH-13";
}

TEST_F(PhaseTwo, OfANullExecutorIs161001) {
  EXPECT_EQ(run(nullptr), 161001);
  EXPECT_THAT(error_text(), HasSubstr("[PH-03]"));
}

TEST_F(PhaseTwo, WithoutTheWorkspaceItClaimsIs161001AndEndsTheExecutor) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(run(prepared, nullptr, 1), 161001);
  EXPECT_THAT(error_text(), HasSubstr("[PH-04]"));
  EXPECT_EQ(AddOne::alive, 0);
  EXPECT_EQ(run(prepared), 161002);
}

TEST_F(PhaseTwo, IgnoresTheWorkspaceWhereNoneIsNeeded) {
  EXPECT_EQ(run(executor(), garbage_handle(), 0), OK) << "PH-05";
  EXPECT_EQ(run(executor(), garbage_handle(), 64), OK) << "PH-07";
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(PhaseTwo, WithLessWorkspaceThanPhaseOneAskedForIs161002AndEndsTheExecutor) {
  void* workspace = device_memory(100);
  for (const std::uint64_t size : {0UL, 1UL, 99UL}) {
    aclOpExecutor* prepared = executor(100);
    EXPECT_EQ(run(prepared, workspace, size), 161002) << size;
    EXPECT_THAT(error_text(), HasSubstr("[PH-06]"));
    EXPECT_EQ(run(prepared, workspace, 100), 161002) << "it was destroyed";
  }
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(output_, elements), Each(0xFF)) << "nothing was written";
  EXPECT_THAT(read(workspace, 100), Each(0xFF));
  EXPECT_EQ(run(executor(100), workspace, 100), OK);
  EXPECT_EQ(run(executor(99), workspace, 100), OK) << "PH-07";
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
}

TEST_F(PhaseTwo, ASecondTimeIs161002) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(run(prepared), 161002);
  EXPECT_THAT(error_text(), HasSubstr("[PH-08]"));
  EXPECT_EQ(run(garbage_handle<aclOpExecutor*>()), 161002)
      << "an executor that phase one never gave";
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), 161002) << "PH-09: phase two has destroyed it";
}

TEST_F(PhaseTwo, OfTwoThreadsAtOnceSucceedsForOne) {
  for (int round = 0; round < 100; ++round) {
    aclOpExecutor* prepared = executor();
    aclrtContext context = nullptr;
    ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
    std::atomic<int> succeeded = 0;
    const auto attempt = [&] {
      ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      const aclnnStatus status = run(prepared);
      EXPECT_TRUE(status == OK || status == 161002) << status;
      succeeded += status == OK ? 1 : 0;
    };
    std::thread first(attempt), second(attempt);
    first.join();
    second.join();
    ASSERT_EQ(succeeded, 1);
  }
}

TEST_F(PhaseTwo, OfManyPendingExecutorsRunsInAnyOrder) {
  std::vector<aclOpExecutor*> pending;
  for (int index = 0; index < 50; ++index) pending.push_back(executor());
  EXPECT_EQ(AddOne::alive, 50) << "PH-10";
  while (!pending.empty()) {
    const auto middle = pending.begin() + static_cast<std::ptrdiff_t>(pending.size() / 2);
    EXPECT_EQ(run(*middle), OK);
    pending.erase(middle);
  }
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(PhaseTwo, NeverRunEndsByDestroyingItsExecutor) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(AddOne::alive, 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), 161002);
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), 561103);
}

TEST_F(PhaseTwo, NeverRunIsReportedAtTheEnd) {
  aclOpExecutor* prepared = executor();
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  is_open_ = false;
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("1 aclOpExecutor"));
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
}

TEST_F(PhaseTwo, WithoutInitialisationIs361001) {
  aclOpExecutor* prepared = executor();
  testing::internal::CaptureStderr();
  ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  testing::internal::GetCapturedStderr();
  is_open_ = false;
  EXPECT_EQ(run(prepared), 361001);
  EXPECT_THAT(error_text(), HasSubstr("[PH-18]"));
  EXPECT_EQ(run(prepared), 161002) << "it was destroyed";
}

TEST_F(PhaseTwo, OnAStreamThatIsNoneIs361001) {
  EXPECT_EQ(api::run_executor(nullptr, 0, executor(), garbage_handle()), 361001);
  EXPECT_THAT(error_text(), HasSubstr("no stream to launch on (107017)"));
  std::thread([this] {
    EXPECT_EQ(run(executor()), 361001) << "no context on this thread, so no default stream";
    EXPECT_THAT(error_text(), HasSubstr("(107002)"));
  }).join();
}

TEST_F(PhaseTwo, OnMemoryThatIsNoneIsDiagnosedAtOnce) {
  void* freed = device_memory(elements);
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  int host = 0;
  EXPECT_EQ(run(executor(0, freed)), 361001);
  EXPECT_THAT(error_text(), HasSubstr("of input 0 is the start of allocation"));
  EXPECT_EQ(run(executor(0, nullptr, freed)), 361001);
  EXPECT_THAT(error_text(), HasSubstr("of output 0"));
  EXPECT_EQ(run(executor(0, &host)), 361001);
  EXPECT_THAT(error_text(), HasSubstr("is no memory of a device (107000)"));
  EXPECT_EQ(run(executor(8), &host, 8), 361001);
  EXPECT_EQ(run(executor(8), freed, 8), 361001);
  EXPECT_EQ(run(executor(elements + 1), input_, elements + 1), 361001)
      << "the workspace's memory ends too early";
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << "nothing was enqueued";
  EXPECT_THAT(read(output_, elements), Each(0xFF));
}

TEST_F(PhaseTwo, TouchesOnlyWhatTheOperatorUses) {
  auto made = std::make_unique<AddOne>(0);
  made->inputs = {tensor(input_), tensor(garbage_handle(), {elements}, false)};
  made->outputs = {tensor(output_), tensor(nullptr, {0, 4})};
  EXPECT_EQ(run(api::register_executor(std::move(made))), OK)
      << "an input it does not read, an output without elements";
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(PhaseTwo, KeepsItsMemoryUntilItHasRun) {
  void* workspace = device_memory(32);
  ASSERT_EQ(run(executor(32), workspace, 32), OK);
  EXPECT_EQ(aclrtFree(input_), 107000);
  EXPECT_EQ(aclrtFree(output_), 107000);
  EXPECT_EQ(aclrtFree(workspace), 107000);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
}

TEST_F(PhaseTwo, OnUnalignedTensorsRunsAndSaysSo) {
  void* memory = device_memory(64);
  error_text();
  EXPECT_EQ(run(executor(0, nullptr, static_cast<char*>(memory) + 8)), OK);
  EXPECT_THAT(error_text(), HasSubstr("of output 0 is not aligned to 32 bytes"));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(PhaseTwo, ThatFailsOnTheDeviceFailsAtSynchronisation) {
  EXPECT_EQ(run(executor(0, static_cast<char*>(input_) + 1)), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 507042);
}

TEST_F(PhaseTwo, OnAStoppedStreamIs361001) {
  open({{"GRADPROOF_STREAMS", "eager"}});
  input_ = device_memory(elements);
  output_ = device_memory(elements);
  aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, [] { return aclError{507015}; }), ACL_SUCCESS);
  while (device::enqueue(stream, [] { return aclError{0}; }) != 507015) std::this_thread::yield();
  EXPECT_EQ(api::run_executor(nullptr, 0, executor(), stream), 361001);
  EXPECT_THAT(error_text(), HasSubstr("the stream takes no task (507015)"));
}

}  // namespace
}  // namespace gradproof::kernel
