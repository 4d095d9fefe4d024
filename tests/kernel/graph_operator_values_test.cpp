// What Conv3DBackpropInputV2 and Conv3DBackpropFilterV2 compute, against the formula; what they
// leave alone; and the published cases.

#include "tests/kernel/graph_operator_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "aclnnop/aclnn_convolution_backward.h"
#include "corpus/case_json.h"
#include "gradproof/graph_operators.hpp"
#include "kernel/api/numeric_terms.h"
#include "kernel/numeric/format.h"

namespace gradproof::kernel {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

using Values = std::vector<float>;  ///< in the order N C D H W, whatever the format

std::int64_t count_of(const Ints& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
}

numeric::Format numeric_format(aclDataType type) { return *api::format_of(type); }

// ---- the formula

/// Position (n, c, d, h, w) in lengths (N, C, D, H, W).
std::size_t index_of(const Ints& lengths, std::initializer_list<std::int64_t> position) {
  std::int64_t index = 0;
  std::size_t axis = 0;
  for (const std::int64_t i : position) index = index * lengths[axis++] + i;
  return static_cast<std::size_t>(index);
}

/// Calls `visit(feature index, filter index, output index)` for each product of the convolution.
template <typename Visit>
void for_each_product(const Convolution& c, const Visit& visit) {
  const Ints feature = c.feature_lengths(), filter = c.filter_lengths(), out = c.output_lengths();
  const auto position = [&](std::size_t axis, std::int64_t o, std::int64_t k) {
    return o * c.stride[axis] + k * c.dilation[axis] - c.begin[axis];
  };
  const auto is_inside = [&](std::size_t axis, std::int64_t i) {
    return i >= 0 && i < feature[axis + 2];
  };
  for (std::int64_t n = 0; n < out[0]; ++n)
    for (std::int64_t co = 0; co < out[1]; ++co)
      for (std::int64_t ci = 0; ci < c.feature_channels; ++ci)
        for (std::int64_t od = 0; od < out[2]; ++od)
          for (std::int64_t oh = 0; oh < out[3]; ++oh)
            for (std::int64_t ow = 0; ow < out[4]; ++ow)
              for (std::int64_t kd = 0; kd < c.kernel[0]; ++kd)
                for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh)
                  for (std::int64_t kw = 0; kw < c.kernel[2]; ++kw) {
                    const std::int64_t d = position(0, od, kd), h = position(1, oh, kh),
                                       w = position(2, ow, kw);
                    if (!is_inside(0, d) || !is_inside(1, h) || !is_inside(2, w)) continue;
                    const std::int64_t group = co / c.output_channels;
                    visit(index_of(feature, {n, group * c.feature_channels + ci, d, h, w}),
                          index_of(filter, {co, ci, kd, kh, kw}),
                          index_of(out, {n, co, od, oh, ow}));
                  }
}

/// y for an operand (filter, or x) and outBackprop. Small integers: double holds every sum.
Values formula(const Convolution& c, const Values& operand, const Values& out_backprop) {
  const bool is_input = c.kind == input_v2;
  std::vector<double> sums(
      static_cast<std::size_t>(count_of(is_input ? c.feature_lengths() : c.filter_lengths())));
  for_each_product(c, [&](std::size_t feature, std::size_t filter, std::size_t out) {
    sums[is_input ? feature : filter] +=
        double{operand[is_input ? filter : feature]} * double{out_backprop[out]};
  });
  return {sums.begin(), sums.end()};
}

// ---- tensors in device memory

/// Device memory for a tensor, filled with a pattern.
class DeviceTensor {
 public:
  static constexpr std::byte pattern{0x77};

  explicit DeviceTensor(const TensorText& text)
      : text_(text),
        strides_(text.strides.value_or(row_major(text.shape))),
        bytes_(static_cast<std::size_t>(reach() + 1) * size()) {
    EXPECT_EQ(aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    upload(std::vector<std::byte>(bytes_, pattern));
  }
  ~DeviceTensor() { EXPECT_EQ(aclrtFree(memory_), ACL_SUCCESS); }
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;

  void* memory() const { return memory_; }

  void write(const Values& values) {
    auto memory = download();
    std::size_t next = 0;
    numeric::with_codec(numeric_format(text_.type), [&](auto codec) {
      for_each_distance([&](std::int64_t distance) {
        numeric::store<decltype(codec)>(values[next++], numeric::OverflowMode::InfNan,
                                        memory.data(), distance);
      });
    });
    upload(memory);
  }

  Values read() const {
    const auto memory = download();
    Values values;
    numeric::with_codec(numeric_format(text_.type), [&](auto codec) {
      for_each_distance([&](std::int64_t distance) {
        values.push_back(numeric::load<decltype(codec)>(memory.data(), distance));
      });
    });
    return values;
  }

  /// What belongs to no element holds the pattern.
  bool gaps_untouched() const {
    auto memory = download();
    for_each_distance([&](std::int64_t distance) {
      std::fill_n(memory.begin() + distance * static_cast<std::int64_t>(size()), size(), pattern);
    });
    return std::ranges::all_of(memory, [](std::byte byte) { return byte == pattern; });
  }

  std::vector<std::byte> download() const {
    std::vector<std::byte> memory(bytes_);
    EXPECT_EQ(aclrtMemcpy(memory.data(), bytes_, memory_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return memory;
  }

 private:
  std::size_t size() const { return numeric::size_of(numeric_format(text_.type)); }

  std::int64_t reach() const {
    std::int64_t highest = text_.offset;
    for (std::size_t i = 0; i < 5; ++i) highest += (text_.shape[i] - 1) * strides_[i];
    return highest;
  }

  void upload(const std::vector<std::byte>& memory) {
    EXPECT_EQ(aclrtMemcpy(memory_, bytes_, memory.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_SUCCESS);
  }

  /// Elements in the order N C D H W.
  template <typename Visit>
  void for_each_distance(const Visit& visit) const {
    std::array<std::size_t, 5> at{};
    for (std::size_t axis = 0; axis < 5; ++axis) {
      at[axis] = axes_of(text_.format).find(std::string_view("NCDHW")[axis]);
    }
    std::array<std::int64_t, 5> i{};
    const auto length = [&](std::size_t axis) { return text_.shape[at[axis]]; };
    for (std::int64_t turn = count_of(text_.shape); turn > 0; --turn) {
      std::int64_t distance = text_.offset;
      for (std::size_t axis = 0; axis < 5; ++axis) distance += i[axis] * strides_[at[axis]];
      visit(distance);
      for (std::size_t axis = 5; axis-- > 0 && ++i[axis] == length(axis);) i[axis] = 0;
    }
  }

  TensorText text_;
  Ints strides_;
  std::size_t bytes_;
  void* memory_ = nullptr;
};

// ---- calls with data

/// The tensors of a call in device memory.
struct Tensors {
  explicit Tensors(const Arguments& arguments)
      : feature(arguments.feature),
        filter(arguments.filter),
        out_backprop(arguments.out_backprop),
        is_input(arguments.kind == input_v2) {}

  DeviceTensor& operand() { return is_input ? filter : feature; }
  DeviceTensor& result() { return is_input ? feature : filter; }
  Handles handles(const Arguments& arguments) const {
    return handles_of(arguments, feature.memory(), filter.memory(), out_backprop.memory());
  }

  DeviceTensor feature, filter, out_backprop;
  bool is_input;
};

/// Phase two in a workspace of exactly the size asked for; freeing it checks its guard zones.
void launch(Operator kind, const PhaseOne& planned, aclrtStream stream = nullptr) {
  void* workspace = nullptr;
  if (planned.workspace_size > 0) {
    ASSERT_EQ(aclrtMalloc(&workspace, planned.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
              ACL_SUCCESS);
  }
  const auto phase_two =
      kind == input_v2 ? gradproofConv3DBackpropInputV2 : gradproofConv3DBackpropFilterV2;
  EXPECT_EQ(phase_two(workspace, planned.workspace_size, planned.executor, stream), accepted);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << error_text();
  if (workspace != nullptr) {
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
}

/// Both phases: y. What the operands hold and what lies between elements must be as before.
Values computed(const Arguments& arguments, const Values& operand, const Values& out_backprop) {
  Tensors tensors(arguments);
  tensors.operand().write(operand);
  tensors.out_backprop.write(out_backprop);
  const auto operand_before = tensors.operand().download();
  const auto out_backprop_before = tensors.out_backprop.download();
  const PhaseOne planned = phase_one(arguments, tensors.handles(arguments));
  EXPECT_EQ(planned.status, accepted) << planned.text;
  if (planned.status != accepted) return {};
  launch(arguments.kind, planned);
  EXPECT_EQ(tensors.operand().download(), operand_before);
  EXPECT_EQ(tensors.out_backprop.download(), out_backprop_before);
  EXPECT_TRUE(tensors.result().gaps_untouched());
  return tensors.result().read();
}

/// Integers that stay exact in `type` once multiplied and summed.
Values integers(const Ints& lengths, aclDataType type, std::mt19937& random) {
  const bool is_narrow = numeric::size_of(numeric_format(type)) == 1;
  Values values(static_cast<std::size_t>(count_of(lengths)));
  for (float& value : values) {
    const auto drawn = static_cast<int>(random() % 7) - 3;
    value = static_cast<float>(is_narrow ? drawn / 2 : drawn);
  }
  return values;
}

struct Operands {
  Values operand, out_backprop;
};

Operands drawn_for(const Convolution& c, std::mt19937& random) {
  return {integers(c.kind == input_v2 ? c.filter_lengths() : c.feature_lengths(), c.type, random),
          integers(c.output_lengths(), c.type, random)};
}

/// The operator's y is the formula's, bit for bit; nothing of that is rounded.
void expect_formula(const Convolution& c, const Arguments& arguments, std::mt19937& random) {
  const auto [operand, out_backprop] = drawn_for(c, random);
  const Values expected = formula(c, operand, out_backprop);
  const aclDataType result_type = c.kind == input_v2 ? c.type : ACL_FLOAT;
  for (const float value : expected) {
    ASSERT_EQ(numeric::rounded(value, numeric_format(result_type), numeric::OverflowMode::InfNan),
              value)
        << "the data are too large for this test";
  }
  EXPECT_THAT(expected, testing::Contains(testing::Ne(0.0F)));
  EXPECT_EQ(computed(arguments, operand, out_backprop), expected);
}

struct Combination {
  std::vector<Device> devices;
  std::int64_t groups;
  std::vector<aclDataType> types;
  aclFormat data_format;
  std::vector<aclFormat> filter_formats;
};

const std::vector<aclDataType> wide = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT},
                               eight_bit = {ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN};
const std::vector<aclFormat> any_filter = {ncdhw, ndhwc, dhwcn};

/// The table of Conv3DBackpropInputV2.
const std::vector<Combination> input_table = {
    {a5, 1, eight_bit, ncdhw, {ncdhw}},  {a5, 1, eight_bit, ndhwc, {ncdhw}},
    {every, 1, wide, ncdhw, any_filter}, {every, 1, wide, ndhwc, any_filter},
    {a5, 2, eight_bit, ncdhw, {ncdhw}},  {every, 2, wide, ncdhw, any_filter},
};

/// The same for Conv3DBackpropFilterV2, where the formats of y are meant.
const std::vector<Combination> filter_table = {
    {a5, 1, {ACL_HIFLOAT8}, ncdhw, any_filter}, {a5, 1, {ACL_HIFLOAT8}, ndhwc, any_filter},
    {every, 1, wide, ncdhw, any_filter},        {every, 1, wide, ndhwc, any_filter},
    {every, 2, wide, ncdhw, any_filter},        {every, 2, wide, ndhwc, any_filter},
};

/// By each way of computing that the simulated machine has.
class GraphOperatorValues : public GraphOperators, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    open({{"GRADPROOF_DEVICES", device_list}, {"GRADPROOF_PATH", GetParam()}});
  }

  /// Calls `visit` with each row of a table, on each device, written out.
  template <typename Visit>
  static void for_each_combination(Operator kind, const std::vector<Combination>& table,
                                   const Visit& visit) {
    for (const Combination& row : table) {
      for (const aclDataType type : row.types) {
        for (const aclFormat filter_format : row.filter_formats) {
          for (const Device device : row.devices) {
            SCOPED_TRACE(testing::Message()
                         << "device " << device << ", groups " << row.groups << ", type " << type
                         << ", " << axes_of(row.data_format) << ", " << axes_of(filter_format));
            use(device);
            visit(Convolution{.kind = kind,
                              .type = type,
                              .data_format = row.data_format,
                              .filter_format = filter_format,
                              .groups = row.groups});
          }
        }
      }
    }
  }

  std::mt19937 random_{1};
};

INSTANTIATE_TEST_SUITE_P(OnEveryPath, GraphOperatorValues,
                         testing::Values("device", "scalar", "plain"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(GraphOperatorValues, OfInputV2AreTheFormulasInEveryRowOfTheTable) {
  for_each_combination(input_v2, input_table, [&](const Convolution& convolution) {
    expect_formula(convolution, convolution.arguments(), random_);
  });
}

TEST_P(GraphOperatorValues, OfFilterV2AreTheFormulasInEveryRowOfTheTable) {
  for_each_combination(filter_v2, filter_table, [&](const Convolution& convolution) {
    expect_formula(convolution, convolution.arguments(), random_);
  });
}

/// Gaps between elements and axes in another order in memory than in the shape.
void spread(TensorText& tensor, std::mt19937& random) {
  std::array<std::size_t, 5> order{0, 1, 2, 3, 4};
  std::ranges::shuffle(order, random);
  Ints strides(5);
  std::int64_t step = 1 + static_cast<std::int64_t>(random() % 3);
  for (const std::size_t axis : order) {
    strides[axis] = step;
    step *= tensor.shape[axis] + static_cast<std::int64_t>(random() % 2);
  }
  tensor.strides = strides;
  tensor.offset = static_cast<std::int64_t>(random() % 5);
}

TEST_P(GraphOperatorValues, DoNotDependOnStridesAndOffsets) {
  const auto spread_all = [&](const Convolution& convolution) {
    Arguments arguments = convolution.arguments();
    for (auto* tensor : {&arguments.feature, &arguments.filter, &arguments.out_backprop}) {
      spread(*tensor, random_);
    }
    expect_formula(convolution, arguments, random_);
  };
  for_each_combination(input_v2, input_table, spread_all);
  for_each_combination(filter_v2, filter_table, spread_all);
}

/// Sizes and attributes around each other: strides beyond the filter, pads beyond the window, taps
/// that only meet pads, positions that no window reads.
Convolution any_convolution(Operator kind, std::mt19937& random) {
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  };
  Convolution c{.kind = kind,
                .type = wide[random() % 3],
                .data_format = below(2) == 0 ? ncdhw : ndhwc,
                .filter_format = any_filter[random() % 3],
                .batch = 1 + below(2),
                .feature_channels = 1 + below(3),
                .output_channels = 1 + below(3),
                .unread_rest = below(2) == 0};
  if (c.data_format == ncdhw || kind == filter_v2) c.groups = 1 + below(3);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    c.kernel[axis] = 1 + below(3);
    c.stride[axis] = 1 + below(4);
    c.dilation[axis] = 1 + below(3);
    c.output[axis] = 1 + below(3);
    c.begin[axis] = c.end[axis] = 0;
    const std::int64_t covered =
        (c.output[axis] - 1) * c.stride[axis] + (c.kernel[axis] - 1) * c.dilation[axis] + 1;
    const std::int64_t pads = below(covered);
    c.begin[axis] = below(pads + 1);
    c.end[axis] = pads - c.begin[axis];
  }
  return c;
}

TEST_P(GraphOperatorValues, AreTheFormulasForAnySizesAndAttributes) {
  for (const Operator kind : {input_v2, filter_v2}) {
    for (int turn = 0; turn < 1000; ++turn) {
      const Convolution c = any_convolution(kind, random_);
      use(every[random_() % every.size()]);
      const auto [operand, out_backprop] = drawn_for(c, random_);
      ASSERT_EQ(computed(c.arguments(), operand, out_backprop), formula(c, operand, out_backprop))
          << "turn " << turn << ", operator " << static_cast<int>(kind);
    }
  }
}

// ---- precision

/// One product: y = operand * outBackprop.
float product(Operator kind, aclDataType type, bool enable_hf32, float operand,
              float out_backprop = 1) {
  Convolution c{.kind = kind,
                .type = type,
                .batch = 1,
                .feature_channels = 1,
                .output_channels = 1,
                .kernel = {1, 1, 1},
                .stride = {1, 1, 1},
                .dilation = {1, 1, 1},
                .begin = {},
                .end = {},
                .output = {1, 1, 1}};
  Arguments arguments = c.arguments();
  arguments.enable_hf32 = enable_hf32;
  const Values y = computed(arguments, {operand}, {out_backprop});
  return y.size() == 1 ? y[0] : std::numeric_limits<float>::quiet_NaN();
}

TEST_P(GraphOperatorValues, OfFloatAreMultipliedInFloatUnlessHf32IsEnabled) {
  constexpr float exact = 1 + 0x1p-20F, eleven_bits = 1 + 0x1p-11F;
  for (const Operator kind : {input_v2, filter_v2}) {
    for (const Device device : every) {
      use(device);
      EXPECT_EQ(product(kind, ACL_FLOAT, false, exact), exact);
      EXPECT_EQ(product(kind, ACL_FLOAT, true, exact), 1.0F);
      EXPECT_EQ(product(kind, ACL_FLOAT, true, 1, exact), 1.0F);
      // Ascend950 keeps ten bits, the others eleven.
      EXPECT_EQ(product(kind, ACL_FLOAT, true, eleven_bits), device == On950 ? 1.0F : eleven_bits);
      EXPECT_EQ(product(kind, ACL_FLOAT16, true, 1 + 0x1p-10F), 1 + 0x1p-10F);
    }
  }
}

TEST_P(GraphOperatorValues, OfFilterV2AreFloatWhateverTheOperandsAre) {
  for (const Device device : every) {
    use(device);
    EXPECT_EQ(product(filter_v2, ACL_FLOAT16, false, 2049, 1025), 2048.0F * 1025.0F);
    EXPECT_EQ(product(filter_v2, ACL_BF16, false, 129, 3), 387.0F);
    EXPECT_EQ(product(filter_v2, ACL_FLOAT16, false, 65504, 65504), 65504.0F * 65504.0F);
    EXPECT_EQ(product(input_v2, ACL_BF16, false, 129, 3), 388.0F);
    EXPECT_EQ(product(input_v2, ACL_FLOAT16, false, 65504, 2),
              std::numeric_limits<float>::infinity());
  }
}

/// gradInput and gradWeight of aclnnConvolutionBackward for the same convolution.
struct Gradients {
  Values input, weight;
};

Gradients by_aclnn(const Convolution& c, const Values& feature, const Values& filter,
                   const Values& out_backprop) {
  const auto text = [](const Ints& lengths, aclDataType type) {
    return TensorText{lengths, type, ncdhw};
  };
  const TensorText texts[] = {text(c.output_lengths(), c.type), text(c.feature_lengths(), c.type),
                              text(c.filter_lengths(), c.type), text(c.feature_lengths(), c.type),
                              text(c.filter_lengths(), ACL_FLOAT)};
  DeviceTensor grad_output(texts[0]), input(texts[1]), weight(texts[2]), grad_input(texts[3]),
      grad_weight(texts[4]);
  grad_output.write(out_backprop);
  input.write(feature);
  weight.write(filter);
  const auto ints = [](const std::array<std::int64_t, 3>& values) {
    return array_of(Ints(values.begin(), values.end()));
  };
  const auto stride = ints(c.stride), padding = ints(c.begin), dilation = ints(c.dilation),
             output_padding = ints({0, 0, 0});
  const bool mask_values[] = {true, true, false};
  aclBoolArray* const mask = aclCreateBoolArray(mask_values, 3);
  const auto g = descriptor_of(texts[0], grad_output.memory()),
             x = descriptor_of(texts[1], input.memory()),
             w = descriptor_of(texts[2], weight.memory()),
             gi = descriptor_of(texts[3], grad_input.memory()),
             gw = descriptor_of(texts[4], grad_weight.memory());
  PhaseOne planned;
  EXPECT_EQ(aclnnConvolutionBackwardGetWorkspaceSize(
                g.get(), x.get(), w.get(), nullptr, stride.get(), padding.get(), dilation.get(),
                false, output_padding.get(), static_cast<int>(c.groups), mask, 0,
                const_cast<aclTensor*>(gi.get()), const_cast<aclTensor*>(gw.get()), nullptr,
                &planned.workspace_size, &planned.executor),
            accepted)
      << error_text();
  void* workspace = nullptr;
  EXPECT_EQ(aclrtMalloc(&workspace, planned.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_SUCCESS);
  EXPECT_EQ(aclnnConvolutionBackward(workspace, planned.workspace_size, planned.executor, nullptr),
            accepted);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  aclDestroyBoolArray(mask);
  return {grad_input.read(), grad_weight.read()};
}

/// Numbers whose sums are rounded at every step, so that equal bits mean the same order.
Values reals(const Ints& lengths, aclDataType type, std::mt19937& random) {
  std::normal_distribution<float> normal;
  Values values(static_cast<std::size_t>(count_of(lengths)));
  for (float& value : values) {
    value = numeric::rounded(normal(random), numeric_format(type), numeric::OverflowMode::InfNan);
  }
  return values;
}

TEST_P(GraphOperatorValues, AreTheBitsOfConvolutionBackwardForTheSameConvolution) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const Device device : a23) {
      use(device);
      // Otherwise the cores may add their sums in another order each time.
      ASSERT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
      Convolution c{.type = type, .groups = 2, .begin = {1, 1, 1}, .end = {1, 1, 1}};
      c.output_channels = 21;
      const Values feature = reals(c.feature_lengths(), type, random_),
                   filter = reals(c.filter_lengths(), type, random_),
                   out_backprop = reals(c.output_lengths(), type, random_);
      const Gradients expected = by_aclnn(c, feature, filter, out_backprop);
      EXPECT_EQ(computed(c.arguments(), filter, out_backprop), expected.input);
      c.kind = filter_v2;
      c.filter_format = dhwcn;
      EXPECT_EQ(computed(c.arguments(), feature, out_backprop), expected.weight);
    }
  }
}

// ---- what is permitted though it looks wrong

TEST_P(GraphOperatorValues, OfGroupsOneStandForTheRatioOfChannels) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution c{.kind = kind, .groups = 3};
    Arguments arguments = c.arguments();
    arguments.groups = 1;
    expect_formula(c, arguments, random_);
  }
}

TEST_P(GraphOperatorValues, OfFilterV2LeaveOutSamplesThatOneSideLacks) {
  const Convolution both{.kind = filter_v2, .batch = 2}, more{.kind = filter_v2, .batch = 3};
  const auto [operand, out_backprop] = drawn_for(both, random_);
  const Values expected = formula(both, operand, out_backprop);
  Values longer = operand;
  longer.resize(static_cast<std::size_t>(count_of(more.feature_lengths())), 1);
  Arguments arguments = both.arguments();
  arguments.feature.shape[0] = 3;
  EXPECT_EQ(computed(arguments, longer, out_backprop), expected);
  longer = out_backprop;
  longer.resize(static_cast<std::size_t>(count_of(more.output_lengths())), 1);
  arguments = both.arguments();
  arguments.out_backprop.shape[0] = 3;
  EXPECT_EQ(computed(arguments, operand, longer), expected);
}

TEST_P(GraphOperatorValues, OfFilterV2AreZeroForChannelsThatOutBackpropLacks) {
  Convolution c{.kind = filter_v2, .output_channels = 2};
  const auto [operand, out_backprop] = drawn_for(c, random_);
  Values expected = formula(c, operand, out_backprop);
  const std::size_t computed_count = expected.size();
  Arguments arguments = c.arguments();
  arguments.filter.shape[0] = arguments.size->at(0) = 5;
  expected.resize(computed_count / 2 * 5, 0);
  EXPECT_EQ(computed(arguments, operand, out_backprop), expected);

  arguments.filter.shape[0] = arguments.size->at(0) = 1;
  c.output_channels = 2;
  expected.resize(computed_count / 2);
  EXPECT_EQ(computed(arguments, operand, out_backprop), expected);
}

// ---- the two phases

TEST_P(GraphOperatorValues, FollowMemoryThatIsBoundAnewByParameter) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution c{.kind = kind};
    const Arguments arguments = c.arguments();
    const auto [operand, out_backprop] = drawn_for(c, random_);
    const Tensors planned_with(arguments);
    Tensors bound(arguments);
    bound.operand().write(operand);
    bound.out_backprop.write(out_backprop);
    const Handles handles = planned_with.handles(arguments);
    PhaseOne planned = phase_one(arguments, handles);
    ASSERT_EQ(planned.status, accepted) << planned.text;
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(planned.executor), accepted);
    auto* const any = const_cast<aclTensor*>(handles.feature.get());
    EXPECT_EQ(aclSetInputTensorAddr(planned.executor, 0, any, bound.operand().memory()), accepted);
    EXPECT_EQ(aclSetInputTensorAddr(planned.executor, 1, any, bound.out_backprop.memory()),
              accepted);
    EXPECT_EQ(aclSetOutputTensorAddr(planned.executor, 0, any, bound.result().memory()), accepted);
    EXPECT_EQ(aclSetInputTensorAddr(planned.executor, 2, any, bound.result().memory()),
              ACLNN_ERR_PARAM_INVALID);
    for (int repeat = 0; repeat < 2; ++repeat) launch(kind, planned);
    EXPECT_EQ(bound.result().read(), formula(c, operand, out_backprop));
    EXPECT_EQ(aclDestroyAclOpExecutor(planned.executor), accepted);
  }
}

TEST_P(GraphOperatorValues, NeedMemoryAsLargeAsTheTensors) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution c{.kind = kind};
    Arguments arguments = c.arguments();
    Tensors tensors(arguments);
    arguments.out_backprop.offset = 1;
    const PhaseOne planned = phase_one(arguments, tensors.handles(arguments));
    ASSERT_EQ(planned.status, accepted) << planned.text;
    void* workspace = device_memory(planned.workspace_size);
    const auto phase_two =
        kind == input_v2 ? gradproofConv3DBackpropInputV2 : gradproofConv3DBackpropFilterV2;
    EXPECT_EQ(phase_two(workspace, planned.workspace_size, planned.executor, nullptr), accepted);
    EXPECT_NE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_THAT(error_text(),
                AllOf(HasSubstr(kind == input_v2 ? "Conv3DBackpropInputV2: outBackprop"
                                                 : "Conv3DBackpropFilterV2: outBackprop"),
                      HasSubstr("nothing was computed")));
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
}

TEST_P(GraphOperatorValues, AreForAnInitialisedRuntimeOnly) {
  ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  is_open_ = false;
  const PhaseOne result = asked(Convolution{}.arguments());
  EXPECT_EQ(result.status, ACLNN_ERR_RUNTIME_ERROR);
  EXPECT_THAT(result.text, HasSubstr("aclInit"));
  EXPECT_EQ(result.workspace_size, untouched_size);
}

// ---- the C++ functions

TEST_P(GraphOperatorValues, ComeFromOneCallInCpp) {
  Convolution c{.data_format = ndhwc, .dilation = {1, 1, 1}};
  for (const Operator kind : {input_v2, filter_v2}) {
    c.kind = kind;
    const Arguments arguments = c.arguments();
    Tensors tensors(arguments);
    const auto [operand, out_backprop] = drawn_for(c, random_);
    tensors.operand().write(operand);
    tensors.out_backprop.write(out_backprop);
    const Handles handles = tensors.handles(arguments);
    graph_operators::Convolution convolution;
    convolution.strides = *arguments.strides;
    convolution.pads = *arguments.pads;
    graph_operators::Outcome outcome{-1, ""};
    if (kind == input_v2) {
      graph_operators::Conv3DBackpropInputV2 call;
      call.input_size = *arguments.size;
      call.filter = handles.filter.get();
      call.out_backprop = handles.out_backprop.get();
      call.convolution = convolution;
      call.y = const_cast<aclTensor*>(handles.feature.get());
      outcome = run(call);
    } else {
      graph_operators::Conv3DBackpropFilterV2 call;
      call.x = handles.feature.get();
      call.filter_size = *arguments.size;
      call.out_backprop = handles.out_backprop.get();
      call.convolution = convolution;
      call.y = const_cast<aclTensor*>(handles.filter.get());
      outcome = run(call, new_stream());
    }
    EXPECT_TRUE(outcome) << outcome.text;
    EXPECT_THAT(outcome.text, IsEmpty());
    EXPECT_EQ(tensors.result().read(), formula(c, operand, out_backprop));
  }
}

TEST_P(GraphOperatorValues, AreExplainedByOneCallInCppWhereTheyAreRefused) {
  graph_operators::Conv3DBackpropFilterV2 call;
  const graph_operators::Outcome nothing = run(call);
  EXPECT_FALSE(nothing);
  EXPECT_EQ(nothing.status, missing);
  EXPECT_THAT(nothing.text, HasSubstr("x is null"));

  const Arguments arguments = Convolution{.data_format = ndhwc}.arguments();
  const Handles handles = handles_of(arguments);
  graph_operators::Conv3DBackpropInputV2 wrong;
  wrong.input_size = *arguments.size;
  wrong.filter = handles.filter.get();
  wrong.out_backprop = handles.out_backprop.get();
  wrong.y = const_cast<aclTensor*>(handles.feature.get());
  wrong.convolution.pads = *arguments.pads;
  const graph_operators::Outcome outcome = run(wrong);
  EXPECT_EQ(outcome.status, refused);
  EXPECT_THAT(outcome.text, HasSubstr("[G-10] strides has 0 values; it must have 5"));
}

// ---- the published cases

class PublishedOperatorCases : public Initialised {
 protected:
  static std::vector<corpus::Case> cases_of(const std::string& file) {
    const std::filesystem::path path = std::filesystem::path(GRADPROOF_SHARED_CASES) / file;
    if (!std::filesystem::exists(path)) return {};
    auto cases = corpus::read_cases(path);
    EXPECT_TRUE(cases.has_value()) << cases.error().text();
    return cases.value_or(std::vector<corpus::Case>{});
  }

  static TensorText text_of(const std::optional<corpus::TensorCase>& tensor) {
    if (!tensor) return {.shape = {}, .is_null = true};
    return {.shape = tensor->shape,
            .type = static_cast<aclDataType>(tensor->dtype),
            .format = static_cast<aclFormat>(tensor->format),
            .strides = tensor->strides,
            .offset = tensor->offset};
  }

  static Arguments arguments_of(const corpus::Case& published) {
    Arguments arguments;
    arguments.kind = published.api == corpus::Api::Conv3DBackpropInputV2 ? input_v2 : filter_v2;
    const bool is_input = arguments.kind == input_v2;
    arguments.feature = text_of(is_input ? published.grad_input : published.input);
    arguments.filter = text_of(is_input ? published.weight : published.grad_weight);
    arguments.out_backprop = text_of(published.grad_output);
    const corpus::OperatorAttributes& attributes = *published.attributes;
    arguments.size = is_input ? attributes.input_size : attributes.filter_size;
    arguments.strides = attributes.strides;
    arguments.pads = attributes.pads;
    arguments.dilations = attributes.dilations;
    arguments.groups = published.groups;
    arguments.data_format = attributes.data_format;
    arguments.enable_hf32 = attributes.enable_hf32.value_or(false);
    return arguments;
  }

  /// A chip that does not exist is refused before any operator is called.
  void expect_unknown_chip(const std::string& soc) {
    ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
    is_open_ = false;
    const Environment environment({{"GRADPROOF_DEVICES", soc}});
    EXPECT_NE(aclInit(nullptr), ACL_SUCCESS);
  }

  void expect_published_status(const corpus::Case& published, const char* profile) {
    SCOPED_TRACE(published.id + " in profile " + profile);
    if (!corpus::product_of(published)) return expect_unknown_chip(published.soc);
    const char* const chip = published.soc == "Ascend950" ? "Ascend950PR_9599" : "Ascend910B1";
    initialise({{"GRADPROOF_DEVICES", chip}, {"GRADPROOF_PROFILE", profile}});
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    const PhaseOne result = asked(arguments_of(published));
    const bool is_accepted = published.expect->status == corpus::Status::Success;
    EXPECT_EQ(result.status, is_accepted ? accepted : refused) << result.text;
    ++(is_accepted ? accepted_count_ : refused_count_);
  }

  int accepted_count_ = 0, refused_count_ = 0;
};

TEST_F(PublishedOperatorCases, AreAcceptedAndRefusedAsPublished) {
  const auto operators = cases_of("v2.jsonl"), tiling = cases_of("tiling.jsonl");
  if (operators.empty()) GTEST_SKIP() << "no published cases at " << GRADPROOF_SHARED_CASES;
  for (const char* const profile : {"documented", "released"}) {
    for (const auto* const cases : {&operators, &tiling}) {
      for (const corpus::Case& published : *cases) {
        const bool is_operator = published.api == corpus::Api::Conv3DBackpropInputV2 ||
                                 published.api == corpus::Api::Conv3DBackpropFilterV2;
        if (is_operator) expect_published_status(published, profile);
      }
    }
  }
  EXPECT_EQ(accepted_count_, 2 * (18 + 65));
  EXPECT_EQ(refused_count_, 2 * 9);
}

}  // namespace
}  // namespace gradproof::kernel
