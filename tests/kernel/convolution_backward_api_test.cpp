// aclnnConvolutionBackward through its C API: both phases on every product, what they write and
// what they leave alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "kernel/api/plan_cache.h"
#include "kernel/numeric/format.h"

namespace {

std::atomic<long> live_allocations{0};

// Not inlined: GCC would see free() called on what it knows as new's and warn of a mismatch.
[[gnu::noinline]] void* counted_allocation(std::size_t bytes) {
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory != nullptr) live_allocations.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

[[gnu::noinline]] void counted_release(void* memory) {
  if (memory == nullptr) return;
  live_allocations.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

// Counted, to see whether calls that fail keep anything. All forms, so that a sanitizer sees none
// of its own mixed in.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted_allocation(bytes);
}

void* operator new(std::size_t bytes) {
  void* const memory = counted_allocation(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return operator new(bytes, std::nothrow);
}

void operator delete(void* memory) noexcept { counted_release(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }

namespace gradproof::kernel {
namespace {

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

std::optional<Format> format_of(aclDataType type) {
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

std::int64_t count_of(const Ints& shape) {
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

IntArray int_array(const Ints& values) {
  return IntArray(aclCreateIntArray(values.data(), values.size()));
}

BoolArray bool_array(std::array<bool, 3> values) {
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

aclnnStatus phase_one(const Arguments& call, std::uint64_t* workspace_size,
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

struct Outcome {
  aclnnStatus phase_one = 0, phase_two = 0;
  aclError synchronised = 0;
  std::uint64_t workspace_size = 0;
};

/// Both phases on a stream, in a workspace of exactly the size asked for.
Outcome run(const Arguments& call, aclrtStream stream) {
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

std::string recent_error() {
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

/// What becomes of 1 + 2^-k in the compute type: it is kept down to some k. All are exact in FLOAT,
/// so sums show it.
struct ComputeCell {
  aclDataType type;
  std::int8_t cube_math_type;
  std::array<int, DeviceCount> kept;  ///< mantissa bits of the compute type; -1: 161002. By Device
};

constexpr ComputeCell compute_cells[] = {
    {ACL_FLOAT, 0, {-1, -1, 23, 23, 23}},   {ACL_FLOAT, 1, {10, 10, 11, 11, 10}},
    {ACL_FLOAT, 2, {10, 10, 10, 10, 10}},   {ACL_FLOAT, 3, {-1, -1, 11, 11, 10}},
    {ACL_FLOAT16, 0, {10, 10, 10, 10, 10}}, {ACL_FLOAT16, 1, {10, 10, 10, 10, 10}},
    {ACL_FLOAT16, 2, {10, 10, 10, 10, 10}}, {ACL_FLOAT16, 3, {10, 10, 10, 10, 10}},
    {ACL_BF16, 0, {-1, -1, 7, 7, 7}},       {ACL_BF16, 1, {-1, -1, 7, 7, 7}},
    {ACL_BF16, 2, {-1, -1, -1, -1, -1}},    {ACL_BF16, 3, {-1, -1, 7, 7, 7}},
    {ACL_FLOAT, 4, {-1, -1, -1, -1, -1}},   {ACL_FLOAT16, -1, {-1, -1, -1, -1, -1}},
};

TEST_F(ConvolutionBackward, ComputesInTheTypeOfItsTableOnEveryProduct) {
  for (std::int32_t device = 0; device < DeviceCount; ++device) {
    use(device);
    for (const ComputeCell& cell : compute_cells) {
      SCOPED_TRACE(testing::Message() << aclrtGetSocName() << ", dtype " << cell.type
                                      << ", cubeMathType " << int{cell.cube_math_type});
      const int kept = cell.kept[static_cast<std::size_t>(device)];
      OneTap tensors(cell.type, 2);
      std::vector<float> values;
      for (const int bits : {7, 10, 11, 12, 23}) {
        const float value = 1.0F + std::ldexp(1.0F, -bits);
        tensors.grad_output.write({value, 0});
        tensors.input.write({value, 0});
        tensors.weight.write({1});
        const Outcome outcome = run(tensors.arguments(cell.cube_math_type), stream_);
        ASSERT_EQ(outcome.phase_one, kept < 0 ? ACLNN_ERR_PARAM_INVALID : ACL_SUCCESS)
            << recent_error();
        if (kept < 0) break;
        ASSERT_EQ(outcome.synchronised, ACL_SUCCESS);
        const float operand = bits <= kept ? value : 1.0F;
        const float stored =
            numeric::rounded(value, *format_of(cell.type), numeric::OverflowMode::InfNan);
        const float exact = std::min(operand, stored);
        EXPECT_EQ(tensors.grad_input.read(), (std::vector<float>{exact, 0.0F})) << bits;
        EXPECT_EQ(
            tensors.grad_weight.read().front(),
            numeric::rounded(exact * exact, *format_of(cell.type), numeric::OverflowMode::InfNan))
            << bits;
        EXPECT_EQ(tensors.grad_bias.read().front(), stored) << bits;
      }
    }
  }
}

TEST_F(ConvolutionBackward, ComputesMixedTypesInTheirPromotion) {
  OneTap tensors({ACL_FLOAT16, ACL_BF16, ACL_FLOAT16, ACL_BF16, ACL_FLOAT16, ACL_FLOAT16}, 1);
  tensors.grad_output.write({1.0F + 0x1p-10F});
  tensors.input.write({0x1p20F});  // no FLOAT16
  tensors.weight.write({1});
  ASSERT_EQ(run(tensors.arguments(0), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), 1.0F) << "rounded to BFLOAT16 only at the end";
  EXPECT_EQ(tensors.grad_weight.read().front(), std::numeric_limits<float>::infinity());
}

TEST_F(ConvolutionBackward, ComputesEightBitTypesOnAscend950) {
  use(Ascend950Device);
  for (const aclDataType type : {ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN}) {
    OneTap tensors(type, 2);
    tensors.grad_output.write({1.25F, -3});
    tensors.input.write({1, 1});
    tensors.weight.write({1.25F});
    Arguments call = tensors.arguments(0);
    call.transposed = true;
    call.mask = {true, false, false};
    call.grad_weight = call.grad_bias = nullptr;
    ASSERT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
    // 1.5625 lies halfway: HIFLOAT8 rounds it away from zero, FLOAT8_E4M3FN to the even neighbour.
    const float tie = type == ACL_HIFLOAT8 ? 1.625F : 1.5F;
    EXPECT_EQ(tensors.grad_input.read(), (std::vector<float>{tie, -3.75F}));
  }
}

TEST_F(ConvolutionBackward, ComputesHiFloat8WeightGradientsAsFloat) {
  use(Ascend950Device);
  OneTap tensors({ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_FLOAT, ACL_HIFLOAT8},
                 2);
  tensors.grad_output.write({1.125F, 3});
  tensors.input.write({1.125F, 1});
  tensors.weight.write({1});
  Arguments call = tensors.arguments(0);
  call.transposed = true;
  call.mask = {true, true, false};
  ASSERT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(tensors.grad_weight.read().front(), 1.265625F + 3.0F);
  EXPECT_TRUE(tensors.grad_bias.untouched());
}

TEST_F(ConvolutionBackward, GivesTheSameBiasWhateverTheMathType) {
  std::vector<std::vector<std::byte>> results;
  OneTap tensors(ACL_FLOAT, 64);
  std::mt19937 random(3);
  std::vector<float> values(64);
  for (float& value : values) value = std::ldexp(static_cast<float>(random()), -30);
  tensors.grad_output.write(values);
  tensors.input.write(values);
  tensors.weight.write({1});
  for (std::int8_t type = 0; type < 4; ++type) {
    ASSERT_EQ(run(tensors.arguments(type), stream_).synchronised, ACL_SUCCESS);
    results.push_back(tensors.grad_bias.download());
  }
  EXPECT_THAT(results, testing::Each(results.front()));
}

TEST_F(ConvolutionBackward, OverflowsInFp16ButOnlyInGradInput) {
  OneTap tensors(ACL_FLOAT, 2);
  tensors.grad_output.write({65504, 16});
  tensors.input.write({65504, 16});
  tensors.weight.write({2});
  ASSERT_EQ(run(tensors.arguments(2), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read(),
            (std::vector<float>{std::numeric_limits<float>::infinity(), 32}));
  EXPECT_EQ(tensors.grad_weight.read().front(), 65504.0F * 65504.0F + 256.0F);
  EXPECT_EQ(tensors.grad_bias.read().front(), 65520.0F);
}

TEST_F(ConvolutionBackward, SaturatesOnStreamsMadeInSaturationMode) {
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  aclrtStream saturating = nullptr;
  ASSERT_EQ(aclrtCreateStream(&saturating), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_SUCCESS);
  OneTap tensors(ACL_FLOAT16, 1);
  tensors.grad_output.write({65504});
  tensors.input.write({1});
  tensors.weight.write({2});
  ASSERT_EQ(run(tensors.arguments(0), saturating).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), 65504.0F);
  ASSERT_EQ(run(tensors.arguments(0), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), std::numeric_limits<float>::infinity());
  EXPECT_EQ(aclrtDestroyStream(saturating), ACL_SUCCESS);
}

TEST_F(ConvolutionBackward, SaturatesAlwaysOnAscend310P) {
  use(Ascend310PDevice);
  OneTap tensors(ACL_FLOAT16, 1);
  tensors.grad_output.write({65504});
  tensors.input.write({1});
  tensors.weight.write({2});
  ASSERT_EQ(run(tensors.arguments(0), stream_).synchronised, ACL_SUCCESS);
  EXPECT_EQ(tensors.grad_input.read().front(), 65504.0F);
}

/// A 2D call: 2 samples, 2 groups of 2 and 3 channels, kernel 3x2, stride 2x1, padding of four
/// values.
struct TwoGroups {
  Ints grad_output_shape{2, 6, 3, 5}, input_shape{2, 4, 6, 4}, weight_shape{6, 2, 3, 2};

  Arguments arguments() const {
    Arguments call;
    call.stride = {2, 1};
    call.padding = {1, 0, 1, 1};
    call.dilation = {1, 1};
    call.output_padding = {0, 0};
    call.groups = 2;
    call.bias_sizes = {6};
    return call;
  }
};

std::vector<float> small_integers(const Ints& shape, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(count_of(shape)));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 9) - 4);
  return values;
}

TEST_F(ConvolutionBackward, ReadsStridedInputsAndWritesAtOffsets) {
  const TwoGroups problem;
  const auto gradients = [&](bool strided) {
    const Ints gaps_output{180, 30, 10, 2}, permuted_input{1, 48, 2, 12}, gaps_weight{13, 6, 2, 1};
    DeviceTensor grad_output(ACL_FLOAT, problem.grad_output_shape, strided ? gaps_output : Ints{},
                             strided ? 7 : 0);
    DeviceTensor input(ACL_FLOAT, problem.input_shape, strided ? permuted_input : Ints{},
                       strided ? 3 : 0);
    DeviceTensor weight(ACL_FLOAT, problem.weight_shape, strided ? gaps_weight : Ints{});
    const std::int64_t offset = strided ? 5 : 0;
    DeviceTensor grad_input(ACL_FLOAT, problem.input_shape, {}, offset);
    DeviceTensor grad_weight(ACL_FLOAT, problem.weight_shape, {}, offset);
    DeviceTensor grad_bias(ACL_FLOAT, {6}, {}, offset);
    grad_output.write(small_integers(problem.grad_output_shape, 1));
    input.write(small_integers(problem.input_shape, 2));
    weight.write(small_integers(problem.weight_shape, 3));
    const auto inputs_before = input.download();
    Arguments call = problem.arguments();
    call.grad_output = grad_output.descriptor();
    call.input = input.descriptor();
    call.weight = weight.descriptor();
    call.grad_input = grad_input.descriptor();
    call.grad_weight = grad_weight.descriptor();
    call.grad_bias = grad_bias.descriptor();
    const Outcome outcome = run(call, stream_);
    EXPECT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
    EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
    EXPECT_EQ(input.download(), inputs_before);
    EXPECT_TRUE(grad_input.gaps_untouched() && grad_weight.gaps_untouched() &&
                grad_bias.gaps_untouched());
    return std::array{grad_input.read(), grad_weight.read(), grad_bias.read()};
  };
  const auto contiguous = gradients(false);
  EXPECT_EQ(contiguous, gradients(true));
  EXPECT_THAT(contiguous[0], testing::Contains(testing::Ne(0.0F)));
}

TEST_F(ConvolutionBackward, ComputesOnlyWhatTheMaskRequests) {
  for (int bits = 0; bits < 8; ++bits) {
    OneTap tensors(ACL_FLOAT16, 3);
    for (DeviceTensor* tensor : {&tensors.grad_output, &tensors.input}) tensor->write({1, 2, 3});
    tensors.weight.write({2});
    Arguments call = tensors.arguments(0);
    call.mask = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    const Outcome outcome = run(call, stream_);
    EXPECT_EQ(outcome.phase_one, ACL_SUCCESS);
    EXPECT_GT(outcome.workspace_size, 0U);
    EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
    EXPECT_NE(tensors.grad_input.untouched(), call.mask[0]) << bits;
    EXPECT_NE(tensors.grad_weight.untouched(), call.mask[1]) << bits;
    EXPECT_NE(tensors.grad_bias.untouched(), call.mask[2]) << bits;
  }
}

TEST_F(ConvolutionBackward, FillsTheGradientsOfAnEmptyProblemWithZeros) {
  DeviceTensor grad_output(ACL_FLOAT, {2, 4, 3, 3}), input(ACL_FLOAT, {2, 0, 5, 5}),
      weight(ACL_FLOAT, {4, 0, 3, 3});
  DeviceTensor grad_input(ACL_FLOAT, {2, 0, 5, 5}), grad_weight(ACL_FLOAT, {4, 0, 3, 3}),
      grad_bias(ACL_FLOAT, {4});
  grad_output.write(std::vector<float>(72, 1.0F));
  Arguments call;
  call.grad_output = grad_output.descriptor();
  call.input = input.descriptor();
  call.weight = weight.descriptor();
  call.grad_input = grad_input.descriptor();
  call.grad_weight = grad_weight.descriptor();
  call.grad_bias = grad_bias.descriptor();
  call.stride = call.dilation = {1, 1};
  call.padding = call.output_padding = {0, 0};
  call.bias_sizes = {4};
  const Outcome outcome = run(call, stream_);
  EXPECT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(outcome.workspace_size, 0U);
  EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
  EXPECT_EQ(grad_bias.read(), std::vector<float>(4, 0.0F))
      << "zeros, though the sum of gradOutput is 18";
  EXPECT_TRUE(grad_input.untouched());
  EXPECT_TRUE(grad_weight.untouched());
}

TEST_F(ConvolutionBackward, ZeroesTheWeightGradientOfNoSamplesButNotWhatIsNotRequested) {
  DeviceTensor grad_output(ACL_BF16, {0, 4, 3}), input(ACL_BF16, {0, 2, 5}),
      weight(ACL_BF16, {4, 2, 3});
  DeviceTensor grad_input(ACL_BF16, {0, 2, 5}), grad_weight(ACL_BF16, {4, 2, 3}, {}, 2),
      grad_bias(ACL_BF16, {4});
  Arguments call;
  call.grad_output = grad_output.descriptor();
  call.input = input.descriptor();
  call.weight = weight.descriptor();
  call.grad_input = grad_input.descriptor();
  call.grad_weight = grad_weight.descriptor();
  call.grad_bias = grad_bias.descriptor();
  call.bias_sizes = {4};
  call.mask = {true, true, false};
  EXPECT_EQ(run(call, stream_).synchronised, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(grad_weight.read(), std::vector<float>(24, 0.0F));
  EXPECT_TRUE(grad_weight.gaps_untouched());
  EXPECT_TRUE(grad_bias.untouched());
}

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

TEST_F(ConvolutionBackward, SharesItsHeaderWithOperatorsThatAreNotSimulated) {
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnConvTbcBackwardGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, 0, 0, nullptr,
                                                 nullptr, nullptr, &size, &executor),
            ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_EQ(aclnnConvTbcBackward(nullptr, 0, nullptr, stream_), ACLNN_ERR_RUNTIME_ERROR);
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
    const long before = live_allocations.load();
    int failures = 0;
    for (int i = 0; i < 2500; ++i) failures += calls.next() != ACL_SUCCESS;
    api::plan_cache().forget();
    aclGetRecentErrMsg();
    aclGetRecentErrMsg();
    EXPECT_EQ(live_allocations.load(), before);
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
