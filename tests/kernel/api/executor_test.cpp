#include "kernel/api/objects/executor.h"

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "kernel/device/memory.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr std::int64_t elements = 16;  // of one byte

/// An operator as simple as can be: output 0 becomes input 0 plus one, through the workspace if
/// there is one.
class AddOne : public api::Executor {
 public:
  explicit AddOne(std::uint64_t workspace, bool uses_second_input = true)
      : uses_second_input_(uses_second_input) {
    workspace_size = workspace;
    ++alive;
  }
  ~AddOne() override { --alive; }

  device::Task make_task(void* workspace) override {
    return [from = inputs[0]->data, to = outputs[0]->data, workspace, size = workspace_size] {
      const std::byte* source = device::host_view(from, elements);
      std::byte* result = device::host_view(to, elements);
      if (source == nullptr || result == nullptr)
        return aclError{ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW};
      if (size > 0) std::fill_n(device::host_view(workspace, size), size, std::byte{1});
      for (std::int64_t index = 0; index < elements; ++index) {
        result[index] = std::byte(std::to_integer<int>(source[index]) + 1);
      }
      return aclError{0};
    };
  }
  bool uses_input(std::size_t index) const override { return index == 0 || uses_second_input_; }

  static inline std::atomic<int> alive = 0;

 private:
  bool uses_second_input_;
};

class PhaseTwo : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    input_ = device_memory(elements);
    output_ = device_memory(elements);
    ASSERT_EQ(aclrtMemset(input_, elements, 1, elements), ACL_SUCCESS);
    tensor_ = descriptor(input_);
  }
  void TearDown() override {
    aclrtSynchronizeDevice();
    EXPECT_EQ(aclDestroyTensor(tensor_), OK);
    aclrtFree(input_);
    aclrtFree(output_);
    OnDevice::TearDown();
    EXPECT_EQ(AddOne::alive, 0);
  }

  static aclTensor* descriptor(void* data) {
    return aclCreateTensor(&elements, 1, ACL_UINT8, nullptr, 0, ACL_FORMAT_ND, &elements, 1, data);
  }

  /// What phase one would give: two inputs, of which the second is null, and one output.
  aclOpExecutor* executor(std::uint64_t workspace = 0, void* input = nullptr,
                          void* output = nullptr) const {
    auto made = std::make_unique<AddOne>(workspace);
    made->inputs = {tensor(input == nullptr ? input_ : input), std::nullopt};
    made->outputs = {tensor(output == nullptr ? output_ : output)};
    return api::register_executor(std::move(made));
  }

  static api::Operand tensor(void* data, std::vector<std::int64_t> shape = {elements}) {
    api::Tensor described;
    described.view_shape = described.storage_shape = shape;
    described.strides.assign(shape.size(), 1);
    described.data_type = ACL_UINT8;
    described.data = data;
    return *api::operand_of(described);
  }

  static aclnnStatus run(aclOpExecutor* executor, void* workspace = nullptr,
                         std::uint64_t size = 0) {
    return api::run_executor(workspace, size, executor, nullptr);
  }

  void *input_ = nullptr, *output_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

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

TEST_F(PhaseTwo, OfARepeatableExecutorMayBeRepeated) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(prepared), OK);
  for (int round = 0; round < 5; ++round) EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(run(prepared, nullptr, 1), 161001) << "a mistake does not end it";
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(run(prepared), 161002);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), 561103);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(prepared), 161002);
}

TEST_F(PhaseTwo, RunsOnAfterItsRepeatableExecutorIsDestroyed) {
  aclOpExecutor* prepared = executor();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(prepared), OK);
  ASSERT_EQ(run(prepared), OK);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(AddOne::alive, 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(output_, elements), Each(2));
}

TEST_F(PhaseTwo, UsesTheAddressesBoundWhenItIsCalled) {
  aclOpExecutor* prepared = executor();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(prepared), OK);
  void* other = device_memory(elements);
  EXPECT_EQ(aclSetOutputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(aclSetTensorAddr(prepared, 2, tensor_, output_), OK) << "inputs first, then outputs";
  EXPECT_EQ(run(prepared), OK);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_THAT(read(other, elements), Each(2));
  EXPECT_THAT(read(output_, elements), Each(3));
  EXPECT_EQ(AclSetOutputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(AclSetInputTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(AclSetTensorAddr(prepared, 0, tensor_, other), OK);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
}

TEST_F(PhaseTwo, AddressesAreBoundToTensorsThatExist) {
  aclOpExecutor* prepared = executor();
  EXPECT_EQ(aclSetInputTensorAddr(nullptr, 0, tensor_, input_), 561103);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, nullptr, input_), 561103);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 1, tensor_, input_), 161002) << "null in phase one";
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 2, tensor_, input_), 161002) << "out of range";
  EXPECT_EQ(aclSetOutputTensorAddr(prepared, 1, tensor_, input_), 161002);
  EXPECT_EQ(aclSetTensorAddr(prepared, 3, tensor_, input_), 161002);
  EXPECT_EQ(aclSetTensorAddr(prepared, SIZE_MAX, tensor_, input_), 161002);
  EXPECT_THAT(error_text(), HasSubstr("the executor has 2 inputs and 1 outputs"));
  aclTensor* dead = descriptor(input_);
  ASSERT_EQ(aclDestroyTensor(dead), OK);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, dead, input_), 161002);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(aclSetInputTensorAddr(prepared, 0, tensor_, input_), 161002);
}

TEST_F(PhaseTwo, HasNoTensorListsToBind) {
  aclOpExecutor* prepared = executor();
  const aclTensor* one[] = {descriptor(input_)};
  aclTensorList* list = aclCreateTensorList(one, 1);
  EXPECT_EQ(aclSetDynamicInputTensorAddr(prepared, 0, 0, list, input_), 161002);
  EXPECT_EQ(aclSetDynamicOutputTensorAddr(prepared, 0, 0, list, input_), 161002);
  EXPECT_EQ(aclSetDynamicTensorAddr(prepared, 0, 0, list, input_), 161002);
  EXPECT_EQ(AclSetDynamicInputTensorAddr(nullptr, 0, 0, list, input_), 561103);
  EXPECT_EQ(AclSetDynamicOutputTensorAddr(prepared, 0, 0, nullptr, input_), 561103);
  EXPECT_EQ(AclSetDynamicTensorAddr(nullptr, 0, 0, nullptr, input_), 561103);
  EXPECT_EQ(aclDestroyTensorList(list), OK);
  EXPECT_EQ(aclDestroyAclOpExecutor(prepared), OK);
  EXPECT_EQ(aclDumpOpTensors(nullptr, nullptr, nullptr, 0, 0, nullptr), 200001);
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
  auto made = std::make_unique<AddOne>(0, false);
  made->inputs = {tensor(input_), tensor(garbage_handle())};
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
  while (device::enqueue(stream, [] { return aclError{0}; }) != 107023) std::this_thread::yield();
  EXPECT_EQ(api::run_executor(nullptr, 0, executor(), stream), 361001);
  EXPECT_THAT(error_text(), HasSubstr("the stream takes no task (107023)"));
}

}  // namespace
}  // namespace gradproof::kernel
