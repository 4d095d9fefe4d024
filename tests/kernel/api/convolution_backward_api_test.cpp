// The two phases of aclnnConvolutionBackward as an API: what they refuse and say, which memory they
// look at, and that calls that fail keep no memory and no executor.

#include "tests/support/convolution_backward_call.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "kernel/api/operators/plan_cache.h"
#include "tests/support/live_allocations.h"

namespace gradproof::kernel {
namespace {

TEST_F(ConvolutionBackward, LeavesItsOutParametersAloneWhenItFails) {
  OneTap tensors(ACL_FLOAT16, 3);
  Arguments call = tensors.arguments(0);
  call.stride = {0};
  std::uint64_t workspace_size = 4711;
  auto* const marker = reinterpret_cast<aclOpExecutor*>(&workspace_size);
  aclOpExecutor* executor = marker;
  EXPECT_EQ(phase_one(call, &workspace_size, &executor), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(workspace_size, 4711U);
  EXPECT_EQ(executor, marker);
  EXPECT_EQ(phase_one(tensors.arguments(0), nullptr, &executor), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(phase_one(tensors.arguments(0), &workspace_size, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(workspace_size, 4711U);
  EXPECT_EQ(executor, marker);
}

TEST_F(ConvolutionBackward, ExplainsEachBrokenRuleTheDecidingOneFirst) {
  OneTap tensors(ACL_FLOAT16, 3);
  Arguments call = tensors.arguments(7);
  call.stride = {0};
  call.dilation = {300};
  call.weight = nullptr;
  recent_error();
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(phase_one(call, &workspace_size, &executor), ACLNN_ERR_PARAM_NULLPTR);
  const std::string text = recent_error();
  EXPECT_THAT(text, testing::StartsWith("EZ1001 [NULL-03] weight is null"));
  EXPECT_THAT(text,
              testing::HasSubstr("EZ1001 [STRIDE-01] stride[0] is 0; every stride must be >= 1 "
                                 "(aclnnConvolutionBackward, parameter stride)"));
  EXPECT_THAT(text, testing::HasSubstr("EZ1001 [CUBE-01] cubeMathType is 7; it must be"));
  EXPECT_THAT(text, testing::HasSubstr("EZ9999 [RANGE-08] dilation[0] is 300; on Ascend910B"));
  EXPECT_LT(text.find("STRIDE-01"), text.find("RANGE-08"));
}

TEST_F(ConvolutionBackward, RefusesADestroyedDescriptor) {
  OneTap tensors(ACL_FLOAT16, 3);
  Arguments call = tensors.arguments(0);
  std::int64_t shape[] = {1, 1, 1};
  aclTensor* const gone =
      aclCreateTensor(shape, 3, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_NCL, shape, 3, nullptr);
  aclDestroyTensor(gone);
  call.weight = gone;
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(phase_one(call, &workspace_size, &executor), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(recent_error(), testing::HasSubstr("weight is no live descriptor"));
}

/// A tensor whose descriptor promises more than its memory holds.
class Overlong {
 public:
  explicit Overlong(aclTensor* tensor) : tensor_(tensor) {
    EXPECT_EQ(aclrtMalloc(&memory_, 32, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclGetRawTensorAddr(tensor, &original_), ACL_SUCCESS);
    EXPECT_EQ(aclSetRawTensorAddr(tensor, memory_), ACL_SUCCESS);
  }
  ~Overlong() {
    EXPECT_EQ(aclSetRawTensorAddr(tensor_, original_), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(memory_), ACL_SUCCESS) << "a guard zone was written";
  }
  Overlong(const Overlong&) = delete;
  Overlong& operator=(const Overlong&) = delete;

 private:
  aclTensor* tensor_;
  void *memory_ = nullptr, *original_ = nullptr;
};

TEST_F(ConvolutionBackward, FailsWhenTheStreamIsSynchronisedIfATensorExceedsItsMemory) {
  OneTap tensors(ACL_FLOAT, 100);
  tensors.grad_output.write(std::vector<float>(100, 1));
  tensors.input.write(std::vector<float>(100, 1));
  tensors.weight.write({1});
  const Arguments call = tensors.arguments(0);
  {
    const Overlong too_short(tensors.input.descriptor());
    const Outcome outcome = run(call, stream_);
    EXPECT_EQ(outcome.phase_two, ACL_SUCCESS);
    EXPECT_EQ(outcome.synchronised, ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW);
    EXPECT_THAT(recent_error(), testing::HasSubstr("input"));
  }
  {
    const Overlong too_short(tensors.grad_input.descriptor());
    EXPECT_EQ(run(call, stream_).synchronised, ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW);
  }
  EXPECT_TRUE(tensors.grad_input.untouched() && tensors.grad_weight.untouched() &&
              tensors.grad_bias.untouched())
      << "nothing is computed if anything is out of bounds";
  EXPECT_EQ(run(call, stream_).synchronised, ACL_SUCCESS);
}

TEST_F(ConvolutionBackward, DoesNotLookAtTheAddressesOfWhatItDoesNotUse) {
  OneTap tensors(ACL_FLOAT, 4);
  tensors.grad_output.write({1, 2, 3, 4});
  Arguments call = tensors.arguments(0);
  call.mask = {false, false, true};
  for (aclTensor* tensor :
       {tensors.input.descriptor(), tensors.weight.descriptor(), tensors.grad_input.descriptor()}) {
    aclSetRawTensorAddr(tensor, nullptr);
  }
  EXPECT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(tensors.grad_bias.read().front(), 10.0F);
}

TEST_F(ConvolutionBackward, RunsWithMetadataOfPhaseOneAndDataOfTheRun) {
  OneTap tensors(ACL_FLOAT, 2);
  tensors.weight.write({2});
  tensors.input.write({1, 1});
  Arguments call = tensors.arguments(0);
  Outcome outcome;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(phase_one(call, &outcome.workspace_size, &executor), ACL_SUCCESS);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), ACL_SUCCESS);
  void* workspace = nullptr;
  ASSERT_EQ(aclrtMalloc(&workspace, outcome.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_SUCCESS);
  for (const float value : {1.0F, 5.0F}) {
    tensors.grad_output.write({value, -value});
    ASSERT_EQ(aclnnConvolutionBackward(workspace, outcome.workspace_size, executor, stream_),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(tensors.grad_input.read(), (std::vector<float>{2 * value, -2 * value}));
  }
  DeviceTensor elsewhere(ACL_FLOAT, {1, 1, 2});
  ASSERT_EQ(
      aclSetOutputTensorAddr(executor, 0, tensors.grad_input.descriptor(), elsewhere.memory()),
      ACL_SUCCESS);
  tensors.grad_output.write({7, 8});
  ASSERT_EQ(aclnnConvolutionBackward(workspace, outcome.workspace_size, executor, stream_),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(elsewhere.read(), (std::vector<float>{14, 16}));
  EXPECT_EQ(tensors.grad_input.read(), (std::vector<float>{10, -10}));
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
}

TEST_F(ConvolutionBackward, SharesItsHeaderWithAnOperatorThatIsNotSimulated) {
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnDeformableConv2dBackwardGetWorkspaceSize(
                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1,
                1, true, nullptr, nullptr, nullptr, nullptr, &size, &executor),
            ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_EQ(aclnnDeformableConv2dBackward(nullptr, 0, nullptr, stream_), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_THAT(recent_error(), testing::HasSubstr("not simulated"));
}

/// Random calls, most of them wrong somewhere: every argument may be null or hold what it should
/// not.
class RandomCalls {
 public:
  explicit RandomCalls(std::uint32_t seed) : random_(seed) {}

  /// One phase one; what succeeds by chance is destroyed.
  aclnnStatus next() {
    const IntArray bias_sizes = ints(), stride = ints(), padding = ints(), dilation = ints(),
                   output_padding = ints();
    bool bits[3] = {chance(2), chance(2), chance(2)};
    const BoolArray mask(chance(9) ? nullptr : aclCreateBoolArray(bits, chance(9) ? 2 : 3));
    Tensor grad_output = tensor(), input = tensor(), weight = tensor();
    Tensor grad_input = tensor(), grad_weight = tensor(), grad_bias = tensor();
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(
        grad_output.get(), input.get(), weight.get(), bias_sizes.get(), stride.get(), padding.get(),
        dilation.get(), chance(2), output_padding.get(), static_cast<int>(value()), mask.get(),
        static_cast<std::int8_t>(value()), grad_input.get(), grad_weight.get(), grad_bias.get(),
        &size, chance(20) ? nullptr : &executor);
    if (status == ACL_SUCCESS) aclDestroyAclOpExecutor(executor);
    return status;
  }

 private:
  struct Destroy {
    void operator()(aclTensor* tensor) const { aclDestroyTensor(tensor); }
  };
  using Tensor = std::unique_ptr<aclTensor, Destroy>;

  bool chance(std::uint32_t one_in) { return random_() % one_in == 0; }

  std::int64_t value() {
    static constexpr std::int64_t odd[] = {-1,
                                           0,
                                           2,
                                           3,
                                           255,
                                           256,
                                           65536,
                                           2147483647,
                                           std::numeric_limits<std::int64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min()};
    return chance(3) ? odd[random_() % std::size(odd)] : 1;
  }

  IntArray ints() {
    if (chance(9)) return nullptr;
    Ints values(chance(6) ? random_() % 5 : 2);
    for (auto& element : values) element = value();
    return IntArray(aclCreateIntArray(values.data(), values.size()));
  }

  Tensor tensor() {
    static constexpr aclDataType types[] = {ACL_FLOAT16, ACL_FLOAT, ACL_BF16, ACL_HIFLOAT8,
                                            ACL_INT32};
    static constexpr aclFormat formats[] = {ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_ND};
    if (chance(9)) return nullptr;
    Ints shape(chance(6) ? random_() % 8 : 4);
    for (auto& length : shape) length = value();
    const aclDataType type = chance(4) ? types[random_() % std::size(types)] : ACL_FLOAT16;
    const aclFormat format = chance(6) ? formats[random_() % std::size(formats)] : ACL_FORMAT_NCHW;
    return Tensor(aclCreateTensor(shape.data(), shape.size(), type,
                                  chance(9) ? shape.data() : nullptr, value(), format, shape.data(),
                                  shape.size(), nullptr));
  }

  std::mt19937 random_;
};

TEST_F(ConvolutionBackward, KeepsNothingOfTenThousandInvalidCalls) {
  for (std::int32_t device = 0; device < DeviceCount; ++device) {
    use(device);
    RandomCalls warm_up(99), calls(static_cast<std::uint32_t>(device));
    for (int i = 0; i < 200; ++i) warm_up.next();
    api::plan_cache().forget();
    aclGetRecentErrMsg();
    aclGetRecentErrMsg();
    const long before = tests::live_allocations();
    int failures = 0;
    for (int i = 0; i < 2500; ++i) failures += calls.next() != ACL_SUCCESS;
    api::plan_cache().forget();
    aclGetRecentErrMsg();
    aclGetRecentErrMsg();
    EXPECT_EQ(tests::live_allocations(), before);
    EXPECT_GT(failures, 2000);
  }
}

TEST(ConvolutionBackwardOutsideASession, NeedsInitialisationAndADevice) {
  setenv("GRADPROOF_DEVICES", "Ascend910B1", 1);
  std::int64_t shape[] = {1, 1, 1};
  std::uint64_t size = 4711;
  aclOpExecutor* executor = nullptr;
  aclTensor* const tensor =
      aclCreateTensor(shape, 3, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_NCL, shape, 3, nullptr);
  Arguments call;
  call.grad_output = call.input = call.weight = call.grad_input = call.grad_weight = tensor;
  call.mask = {true, true, false};
  EXPECT_EQ(phase_one(call, &size, &executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_THAT(recent_error(), testing::HasSubstr("aclInit"));
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(phase_one(call, &size, &executor), ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_THAT(recent_error(), testing::HasSubstr("aclrtSetDevice"));
  EXPECT_EQ(size, 4711U);
  EXPECT_EQ(executor, nullptr);
  aclDestroyTensor(tensor);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
