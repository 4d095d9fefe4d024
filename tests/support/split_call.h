// A call whose weight gradient several cores share, through the C API alone.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

namespace gradproof::kernel {

/// The bits of the three gradients.
struct Gradients {
  std::vector<std::uint32_t> grad_input, grad_weight, grad_bias;

  friend bool operator==(const Gradients&, const Gradients&) = default;
};

/// How many bit patterns each gradient came in.
struct Patterns {
  std::set<std::vector<std::uint32_t>> grad_input, grad_weight, grad_bias;

  void add(Gradients gradients) {
    grad_input.insert(std::move(gradients.grad_input));
    grad_weight.insert(std::move(gradients.grad_weight));
    grad_bias.insert(std::move(gradients.grad_bias));
  }
};

/// Four FLOAT samples of 16 x 16 positions on the current device, with data that round in every
/// sum: sixteen cores have 64 products of each element of gradWeight.
class SplitCall {
 public:
  explicit SplitCall(aclrtStream stream, std::int64_t side = 16) : stream_(stream), side_(side) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> real(-1, 1);
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      Tensor& tensor = tensors_.at(i);
      tensor.shape = shape_of(i);
      std::size_t count = 1;
      for (const std::int64_t length : tensor.shape) count *= static_cast<std::size_t>(length);
      tensor.values.resize(count);
      for (float& value : tensor.values) value = real(random);
      EXPECT_EQ(aclrtMalloc(&tensor.memory, bytes(tensor), ACL_MEM_MALLOC_HUGE_FIRST), 0);
      EXPECT_EQ(aclrtMemcpy(tensor.memory, bytes(tensor), tensor.values.data(), bytes(tensor),
                            ACL_MEMCPY_HOST_TO_DEVICE),
                0);
      tensor.descriptor = descriptor_of(tensor);
    }
  }
  ~SplitCall() {
    for (Tensor& tensor : tensors_) {
      aclDestroyTensor(tensor.descriptor);
      aclrtFree(tensor.memory);
    }
  }
  SplitCall(const SplitCall&) = delete;
  SplitCall& operator=(const SplitCall&) = delete;

  /// Both phases, on the calling thread.
  Gradients run() {
    std::uint64_t workspace_size = 0;
    aclOpExecutor* executor = nullptr;
    plan(&workspace_size, &executor);
    void* workspace = nullptr;
    EXPECT_EQ(aclrtMalloc(&workspace, workspace_size + 1, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    EXPECT_EQ(aclnnConvolutionBackward(workspace, workspace_size, executor, stream_), 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), 0);
    EXPECT_EQ(aclrtFree(workspace), 0);
    return {bits_of(tensors_[3]), bits_of(tensors_[4]), bits_of(tensors_[5])};
  }

 private:
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
    void* memory = nullptr;
    aclTensor* descriptor = nullptr;
  };

  /// gradOutput, input, weight, gradInput, gradWeight, gradBias.
  std::vector<std::int64_t> shape_of(std::size_t index) const {
    constexpr std::int64_t batch = 4;
    constexpr std::int64_t inputs = 3;
    constexpr std::int64_t outputs = 2;
    constexpr std::int64_t kernel = 3;
    if (index == 0) return {batch, outputs, side_, side_};
    if (index == 1 || index == 3) return {batch, inputs, side_ + kernel - 1, side_ + kernel - 1};
    if (index == 5) return {outputs};
    return {outputs, inputs, kernel, kernel};
  }

  static std::size_t bytes(const Tensor& tensor) { return tensor.values.size() * sizeof(float); }

  static aclTensor* descriptor_of(const Tensor& tensor) {
    std::vector<std::int64_t> strides(tensor.shape.size(), 1);
    for (std::size_t i = strides.size() - 1; i > 0; --i) {
      strides[i - 1] = strides[i] * tensor.shape[i];
    }
    return aclCreateTensor(tensor.shape.data(), tensor.shape.size(), ACL_FLOAT, strides.data(), 0,
                           tensor.shape.size() == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND,
                           tensor.shape.data(), tensor.shape.size(), tensor.memory);
  }

  void plan(std::uint64_t* workspace_size, aclOpExecutor** executor) {
    const auto ints = [](std::vector<std::int64_t> values) {
      return aclCreateIntArray(values.data(), values.size());
    };
    const std::array<bool, 3> all{true, true, true};
    aclIntArray* const ones = ints({1, 1});
    aclIntArray* const zeros = ints({0, 0});
    aclIntArray* const bias_sizes = ints({2});
    aclBoolArray* const mask = aclCreateBoolArray(all.data(), all.size());
    EXPECT_EQ(aclnnConvolutionBackwardGetWorkspaceSize(
                  tensors_[0].descriptor, tensors_[1].descriptor, tensors_[2].descriptor,
                  bias_sizes, ones, zeros, ones, false, zeros, 1, mask, 0, tensors_[3].descriptor,
                  tensors_[4].descriptor, tensors_[5].descriptor, workspace_size, executor),
              0);
    for (const aclIntArray* array : {ones, zeros, bias_sizes}) aclDestroyIntArray(array);
    aclDestroyBoolArray(mask);
  }

  static std::vector<std::uint32_t> bits_of(const Tensor& tensor) {
    std::vector<std::uint32_t> bits(tensor.values.size());
    EXPECT_EQ(aclrtMemcpy(bits.data(), bytes(tensor), tensor.memory, bytes(tensor),
                          ACL_MEMCPY_DEVICE_TO_HOST),
              0);
    return bits;
  }

  aclrtStream stream_;
  std::int64_t side_;
  std::array<Tensor, 6> tensors_;
};

}  // namespace gradproof::kernel
