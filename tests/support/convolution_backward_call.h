#pragma once

// aclnnConvolutionBackward called through its C API: tensors in device memory, arguments, both
// phases, and one device of each product.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "kernel/numeric/format.h"

namespace gradproof::kernel {

using numeric::Format;
using Ints = std::vector<std::int64_t>;

enum Device : std::int32_t {
  Ascend910Device,
  Ascend310PDevice,
  Ascend910BDevice,
  Ascend910_93Device,
  Ascend950Device,
  DeviceCount
};

inline std::optional<Format> format_of(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return Format::Binary32;
    case ACL_FLOAT16:
      return Format::Half;
    case ACL_BF16:
      return Format::BFloat16;
    case ACL_HIFLOAT8:
      return Format::HiFloat8;
    case ACL_FLOAT8_E4M3FN:
      return Format::Float8E4M3;
    default:
      return std::nullopt;
  }
}

inline std::int64_t count_of(const Ints& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// A tensor in device memory with its descriptor. Memory beyond the elements holds a pattern.
class DeviceTensor {
 public:
  static constexpr std::int64_t guard_elements = 16;

  DeviceTensor(aclDataType type, const Ints& shape, const Ints& strides = {},
               std::int64_t offset = 0)
      : type_(type),
        shape_(shape),
        strides_(strides.empty() ? contiguous(shape) : strides),
        offset_(offset) {
    std::int64_t highest = offset;
    for (std::size_t i = 0; i < shape.size(); ++i) highest += (shape[i] - 1) * strides_[i];
    elements_ = (count_of(shape) == 0 ? offset : highest + 1) + guard_elements;
    const std::vector<std::byte> pattern(bytes(), std::byte{0x77});
    EXPECT_EQ(aclrtMalloc(&memory_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    upload(pattern);
    const aclFormat formats[] = {ACL_FORMAT_ND,  ACL_FORMAT_ND,   ACL_FORMAT_ND,
                                 ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
    const std::int64_t storage[] = {elements_};
    descriptor_ = aclCreateTensor(shape_.data(), shape_.size(), type, strides_.data(), offset,
                                  formats[shape_.size()], storage, 1, memory_);
  }

  ~DeviceTensor() {
    aclDestroyTensor(descriptor_);
    EXPECT_EQ(aclrtFree(memory_), ACL_SUCCESS);
  }

  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;

  static Ints contiguous(const Ints& shape) {
    Ints strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0; step *= shape[i]) strides[i] = step;
    return strides;
  }

  aclTensor* descriptor() const { return descriptor_; }
  void* memory() const { return memory_; }
  const Ints& shape() const { return shape_; }

  /// Elements in logical order.
  void write(const std::vector<float>& values) {
    auto memory = download();
    std::size_t next = 0;
    for_each_distance([&](std::int64_t distance) {
      numeric::with_codec(*format_of(type_), [&](auto codec) {
        numeric::store<decltype(codec)>(values[next++], numeric::OverflowMode::InfNan,
                                        memory.data(), distance);
      });
    });
    upload(memory);
  }

  std::vector<float> read() const {
    const auto memory = download();
    std::vector<float> values;
    for_each_distance([&](std::int64_t distance) {
      numeric::with_codec(*format_of(type_), [&](auto codec) {
        values.push_back(numeric::load<decltype(codec)>(memory.data(), distance));
      });
    });
    return values;
  }

  /// Every byte, elements and others.
  std::vector<std::byte> download() const {
    std::vector<std::byte> memory(bytes());
    EXPECT_EQ(aclrtMemcpy(memory.data(), bytes(), memory_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return memory;
  }

  /// Bytes that belong to no element.
  bool gaps_untouched() const {
    auto memory = download();
    const auto size = numeric::size_of(*format_of(type_));
    for_each_distance([&](std::int64_t distance) {
      std::fill_n(memory.begin() + distance * static_cast<std::int64_t>(size), size,
                  std::byte{0x77});
    });
    return std::ranges::all_of(memory, [](std::byte byte) { return byte == std::byte{0x77}; });
  }

  bool untouched() const {
    return std::ranges::all_of(download(), [](std::byte byte) { return byte == std::byte{0x77}; });
  }

 private:
  std::size_t bytes() const {
    return static_cast<std::size_t>(elements_) * numeric::size_of(*format_of(type_));
  }

  void upload(const std::vector<std::byte>& memory) {
    EXPECT_EQ(aclrtMemcpy(memory_, bytes(), memory.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_SUCCESS);
  }

  template <typename Visit>
  void for_each_distance(Visit&& visit) const {
    Ints index(shape_.size(), 0);
    for (std::int64_t i = 0; i < count_of(shape_); ++i) {
      std::int64_t distance = offset_;
      for (std::size_t axis = 0; axis < shape_.size(); ++axis)
        distance += index[axis] * strides_[axis];
      visit(distance);
      for (std::size_t axis = shape_.size(); axis-- > 0 && ++index[axis] == shape_[axis];)
        index[axis] = 0;
    }
  }

  aclDataType type_;
  Ints shape_, strides_;
  std::int64_t offset_, elements_ = 0;
  void* memory_ = nullptr;
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
    call.grad_output = grad_output.descriptor();
    call.input = input.descriptor();
    call.weight = weight.descriptor();
    call.grad_input = grad_input.descriptor();
    call.grad_weight = grad_weight.descriptor();
    call.grad_bias = grad_bias.descriptor();
    call.cube_math_type = cube_math_type;
    return call;
  }
};

}  // namespace gradproof::kernel
