#pragma once

// aclnnConvolutionBackward called through its C API: tensors in device memory, arguments, both
// phases, and one device of each product.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "kernel/numeric/format.h"
#include "tests/support/device_elements.h"

namespace gradproof::kernel {

using numeric::Format;

enum Device : std::int32_t {
  Ascend910Device,
  Ascend310PDevice,
  Ascend910BDevice,
  Ascend910_93Device,
  Ascend950Device,
  DeviceCount
};

/// A tensor with its descriptor. Memory beyond the elements holds a pattern.
class DeviceTensor : public DeviceElements {
 public:
  static constexpr std::int64_t guard_elements = 16;

  DeviceTensor(aclDataType type, const Ints& shape, const Ints& given_strides = {},
               std::int64_t offset = 0)
      : DeviceElements(type, shape, given_strides.empty() ? row_major(shape) : given_strides,
                       offset, in_order(shape.size()), guard_elements) {
    const aclFormat formats[] = {ACL_FORMAT_ND,  ACL_FORMAT_ND,   ACL_FORMAT_ND,
                                 ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
    const std::int64_t storage[] = {elements()};
    descriptor_ = aclCreateTensor(shape.data(), shape.size(), type, strides().data(), offset,
                                  formats[shape.size()], storage, 1, memory());
  }
  ~DeviceTensor() { aclDestroyTensor(descriptor_); }

  static Ints contiguous(const Ints& shape) { return row_major(shape); }
  aclTensor* descriptor() const { return descriptor_; }

 private:
  static std::vector<std::size_t> in_order(std::size_t rank) {
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
  }

  aclTensor* descriptor_ = nullptr;
};

struct DestroyInts {
  void operator()(const aclIntArray* array) const { aclDestroyIntArray(array); }
};
struct DestroyBools {
  void operator()(const aclBoolArray* array) const { aclDestroyBoolArray(array); }
};
using IntArray = std::unique_ptr<aclIntArray, DestroyInts>;
using BoolArray = std::unique_ptr<aclBoolArray, DestroyBools>;

inline IntArray int_array(const Ints& values) {
  return IntArray(aclCreateIntArray(values.data(), values.size()));
}

inline BoolArray bool_array(std::array<bool, 3> values) {
  return BoolArray(aclCreateBoolArray(values.data(), values.size()));
}

/// The arguments of one call; tensors may be null.
struct Arguments {
  const aclTensor *grad_output = nullptr, *input = nullptr, *weight = nullptr;
  Ints bias_sizes{1}, stride{1}, padding{0}, dilation{1};
  bool transposed = false;
  Ints output_padding{0};
  int groups = 1;
  std::array<bool, 3> mask{true, true, true};
  std::int8_t cube_math_type = 0;
  aclTensor *grad_input = nullptr, *grad_weight = nullptr, *grad_bias = nullptr;
};

inline void set_tensors(Arguments& call, const DeviceTensor& grad_output, const DeviceTensor& input,
                        const DeviceTensor& weight, const DeviceTensor& grad_input,
                        const DeviceTensor& grad_weight, const DeviceTensor& grad_bias) {
  call.grad_output = grad_output.descriptor();
  call.input = input.descriptor();
  call.weight = weight.descriptor();
  call.grad_input = grad_input.descriptor();
  call.grad_weight = grad_weight.descriptor();
  call.grad_bias = grad_bias.descriptor();
}

inline aclnnStatus phase_one(const Arguments& call, std::uint64_t* workspace_size,
                             aclOpExecutor** executor) {
  const IntArray bias_sizes = int_array(call.bias_sizes), stride = int_array(call.stride),
                 padding = int_array(call.padding), dilation = int_array(call.dilation),
                 output_padding = int_array(call.output_padding);
  const BoolArray mask = bool_array(call.mask);
  return aclnnConvolutionBackwardGetWorkspaceSize(
      call.grad_output, call.input, call.weight, bias_sizes.get(), stride.get(), padding.get(),
      dilation.get(), call.transposed, output_padding.get(), call.groups, mask.get(),
      call.cube_math_type, call.grad_input, call.grad_weight, call.grad_bias, workspace_size,
      executor);
}

/// The result of a call.
struct Outcome {
  aclnnStatus phase_one = 0, phase_two = 0;
  aclError synchronised = 0;
  std::uint64_t workspace_size = 0;
};

/// Both phases on a stream, in a workspace of exactly the size asked for.
inline Outcome run(const Arguments& call, aclrtStream stream) {
  Outcome outcome;
  aclOpExecutor* executor = nullptr;
  outcome.phase_one = phase_one(call, &outcome.workspace_size, &executor);
  if (outcome.phase_one != ACL_SUCCESS) return outcome;
  void* workspace = nullptr;
  if (outcome.workspace_size > 0) {
    EXPECT_EQ(aclrtMalloc(&workspace, outcome.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
              ACL_SUCCESS);
  }
  outcome.phase_two = aclnnConvolutionBackward(workspace, outcome.workspace_size, executor, stream);
  outcome.synchronised = aclrtSynchronizeStream(stream);
  if (workspace != nullptr) {
    // Freeing checks the guard zones: the workspace was not overrun.
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
  return outcome;
}

inline std::string recent_error() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

class ConvolutionBackward : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("GRADPROOF_DEVICES",
           "Ascend910A,Ascend310P3,Ascend910B1,Ascend910_9391,Ascend950PR_9589", 1);
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  }
  static void TearDownTestSuite() { EXPECT_EQ(aclFinalize(), ACL_SUCCESS); }

  void SetUp() override { use(Ascend910BDevice); }

  void TearDown() override { leave(); }

  void use(std::int32_t device) {
    leave();
    ASSERT_EQ(aclrtSetDevice(device), ACL_SUCCESS);
    device_ = device;
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }

  void leave() {
    if (device_ < 0) return;
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(device_), ACL_SUCCESS);
    device_ = -1;
    recent_error();
  }

  aclrtStream stream_ = nullptr;
  std::int32_t device_ = -1;
};

/// A 1D call of one sample, one channel each way and one tap.
struct OneTap {
  DeviceTensor grad_output, input, weight, grad_input, grad_weight, grad_bias;

  OneTap(aclDataType type, std::int64_t length)
      : OneTap({type, type, type, type, type, type}, length) {}

  OneTap(std::array<aclDataType, 6> types, std::int64_t length)
      : grad_output(types[0], {1, 1, length}),
        input(types[1], {1, 1, length}),
        weight(types[2], {1, 1, 1}),
        grad_input(types[3], {1, 1, length}),
        grad_weight(types[4], {1, 1, 1}),
        grad_bias(types[5], {1}) {}

  Arguments arguments(std::int8_t cube_math_type) const {
    Arguments call;
    set_tensors(call, grad_output, input, weight, grad_input, grad_weight, grad_bias);
    call.cube_math_type = cube_math_type;
    return call;
  }
};

}  // namespace gradproof::kernel
