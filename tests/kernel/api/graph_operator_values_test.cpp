// What Conv3DBackpropInputV2 and Conv3DBackpropFilterV2 compute, against the formula and against
// aclnnConvolutionBackward.

#include "tests/support/graph_operator_values.h"

#include <array>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "aclnnop/aclnn_convolution_backward.h"

namespace gradproof::kernel {
namespace {

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

/// One tap, one sample.
Convolution one_tap(Operator kind, aclDataType type) {
  return {.kind = kind,
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
}

/// One product: y = operand * outBackprop.
float product(Operator kind, aclDataType type, bool enable_hf32, float operand,
              float out_backprop = 1) {
  Arguments arguments = one_tap(kind, type).arguments();
  arguments.enable_hf32 = enable_hf32;
  const Values y = computed(arguments, {operand}, {out_backprop});
  return y.size() == 1 ? y[0] : std::numeric_limits<float>::quiet_NaN();
}

/// -1 * (1 + 2^-11) + (1 + 2^-12)^2 is 2^-24, unless the square is rounded first.
TEST_P(GraphOperatorValues, FuseProductsWithSumsUnlessTheMachineRoundsThem) {
  Convolution c = one_tap(filter_v2, ACL_FLOAT);
  c.output = {1, 1, 2};
  const auto y = [&] {
    return computed(c.arguments(), {1 + 0x1p-11F, 1 + 0x1p-12F}, {-1, 1 + 0x1p-12F});
  };
  EXPECT_EQ(y(), Values{0x1p-24F});
  open({{"GRADPROOF_FLOAT_PRODUCTS", "rounded"}, {"GRADPROOF_PATH", GetParam()}});
  EXPECT_EQ(y(), Values{0.0F});
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

auto ints(const std::array<std::int64_t, 3>& values) {
  return array_of(Ints(values.begin(), values.end()));
}

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

}  // namespace
}  // namespace gradproof::kernel
