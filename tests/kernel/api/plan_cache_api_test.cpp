// Phase one with its cache and without it, through the C API.

#include "kernel/api/operators/plan_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_convolution_backward.h"
#include "tests/support/drawn_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::api {
namespace {

using operators::Random;

/// A call of two channels, with descriptors and memory of its own.
class ApiCall {
 public:
  ApiCall(std::int64_t length, std::int64_t stride, std::int8_t cube_math_type)
      : output_length_((length - 3) / stride + 1), cube_math_type_(cube_math_type) {
    const std::int64_t feature[] = {1, 2, length}, output[] = {1, 2, output_length_},
                       weight[] = {2, 2, 3}, bias[] = {2};
    const std::array<std::span<const std::int64_t>, 6> shapes = {output,  feature, weight,
                                                                 feature, weight,  bias};
    for (std::size_t i = 0; i < shapes.size(); ++i) tensors_.at(i) = tensor(shapes.at(i), i);
    stride_ = aclCreateIntArray(&stride, 1);
    constexpr std::int64_t zero = 0, one = 1;
    bias_sizes_ = aclCreateIntArray(bias, 1);
    zeros_ = aclCreateIntArray(&zero, 1);
    ones_ = aclCreateIntArray(&one, 1);
    constexpr bool all[] = {true, true, true};
    mask_ = aclCreateBoolArray(all, 3);
    EXPECT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  ~ApiCall() {
    for (const Part& part : tensors_) {
      aclDestroyTensor(part.tensor);
      EXPECT_EQ(aclrtFree(part.memory), ACL_SUCCESS);
    }
    for (const aclIntArray* array : {stride_, bias_sizes_, zeros_, ones_}) {
      aclDestroyIntArray(array);
    }
    aclDestroyBoolArray(mask_);
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
  }

  /// Status, message and workspace of phase one; after both phases also the bits of all outputs.
  std::string run() {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(
        tensors_[0].tensor, tensors_[1].tensor, tensors_[2].tensor, bias_sizes_, stride_, zeros_,
        ones_, false, zeros_, 1, mask_, cube_math_type_, tensors_[3].tensor, tensors_[4].tensor,
        tensors_[5].tensor, &bytes, &executor);
    std::string seen = std::to_string(status) + error_text() + std::to_string(bytes);
    if (status != OK) return seen;
    void* workspace = nullptr;
    EXPECT_EQ(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclnnConvolutionBackward(workspace, bytes, executor, stream_), OK);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << error_text();
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
    for (std::size_t i = 3; i < tensors_.size(); ++i) append_and_clear(tensors_.at(i), seen);
    return seen;
  }

 private:
  struct Part {
    aclTensor* tensor = nullptr;
    void* memory = nullptr;
    std::size_t bytes = 0;
  };

  static Part tensor(std::span<const std::int64_t> shape, std::size_t seed) {
    Part part;
    std::size_t count = 1;
    for (const std::int64_t length : shape) count *= static_cast<std::size_t>(length);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = 0.1F * static_cast<float>((i * 7 + seed * 5) % 23) - 1.0F;
    }
    part.bytes = count * sizeof(float);
    EXPECT_EQ(aclrtMalloc(&part.memory, part.bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(
        aclrtMemcpy(part.memory, part.bytes, values.data(), part.bytes, ACL_MEMCPY_HOST_TO_DEVICE),
        ACL_SUCCESS);
    part.tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0,
                                  shape.size() == 1 ? ACL_FORMAT_ND : ACL_FORMAT_NCL, shape.data(),
                                  shape.size(), part.memory);
    return part;
  }

  /// So that the next run must write it again.
  static void append_and_clear(const Part& part, std::string& seen) {
    std::string bytes(part.bytes, '\0');
    EXPECT_EQ(
        aclrtMemcpy(bytes.data(), part.bytes, part.memory, part.bytes, ACL_MEMCPY_DEVICE_TO_HOST),
        ACL_SUCCESS);
    EXPECT_EQ(aclrtMemset(part.memory, part.bytes, 0x77, part.bytes), ACL_SUCCESS);
    seen += bytes;
  }

  std::int64_t output_length_;
  std::int8_t cube_math_type_;
  std::array<Part, 6> tensors_;
  aclIntArray *stride_ = nullptr, *bias_sizes_ = nullptr, *zeros_ = nullptr, *ones_ = nullptr;
  aclBoolArray* mask_ = nullptr;
  aclrtStream stream_ = nullptr;
};

class CallsThroughTheApi : public OnDevice {
 protected:
  void TearDown() override {
    plan_cache().use(true);
    OnDevice::TearDown();
  }

  /// Calls drawn from a few, legal and not, so that most come again; each in descriptors of its
  /// own.
  static std::vector<std::string> run_some(std::uint64_t seed) {
    Random random(seed);
    std::vector<std::string> seen;
    for (int i = 0; i < 150; ++i) {
      ApiCall call(random.between(3, 6), random.between(0, 2) == 0 ? 2 : 1,
                   static_cast<std::int8_t>(random.between(0, 4)));
      const auto times = random.between(1, 3);
      for (int time = 0; time < times; ++time) seen.push_back(call.run());
    }
    return seen;
  }
};

TEST_F(CallsThroughTheApi, GiveTheSameStatusesMessagesAndBitsWithTheCacheAndWithout) {
  plan_cache().use(false);
  const auto without = run_some(1);
  plan_cache().use(true);
  const std::uint64_t hits = plan_cache().hits();
  EXPECT_EQ(run_some(1), without);
  EXPECT_GT(plan_cache().hits(), hits + 100);
}

TEST_F(CallsThroughTheApi, ShareTheCacheBetweenThreads) {
  constexpr std::uint64_t thread_count = 4;
  std::array<std::vector<std::string>, thread_count> expected, seen;
  plan_cache().use(false);
  for (std::uint64_t i = 0; i < thread_count; ++i) expected.at(i) = run_some(i);
  plan_cache().use(true);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < thread_count; ++i) {
    threads.emplace_back([i, &seen] {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      seen.at(i) = run_some(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, expected);
}

/// A machine that begins again with other settings plans again.
TEST_F(CallsThroughTheApi, FollowTheMachineThatBeginsAgain) {
  const auto status = [] {
    ApiCall call(5, 1, 0);
    std::string seen;
    for (int i = 0; i < 3; ++i) seen = call.run();
    return seen;
  };
  const std::string on_910b = status();
  open({{"GRADPROOF_DEVICES", "Ascend310P3"}});
  const std::string on_310p = status();
  EXPECT_NE(on_310p.find("CUBE-02"), std::string::npos);
  open({});
  EXPECT_EQ(status(), on_910b);
}

}  // namespace
}  // namespace gradproof::kernel::api
