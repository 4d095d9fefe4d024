// What the forward operators compute on every product, and where the bias joins the sum.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "tests/kernel/forward/forward_call.h"

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;

std::unique_ptr<DeviceTensor> filled(aclDataType type, const Ints& shape,
                                     const std::vector<float>& values, const Ints& strides = {}) {
  auto tensor = std::make_unique<DeviceTensor>(type, shape, strides);
  tensor->write(values);
  return tensor;
}

std::vector<float> drawn(std::int64_t count, std::mt19937& random) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random() % 5) - 2;
  return values;
}

/// One call of random sizes.
class DrawnForward {
 public:
  DrawnForward(std::mt19937& random, bool transposed, std::size_t axes) : random_(random) {
    call.transposed = transposed;
    call.groups = below(3) + 1;
    const std::int64_t first = (below(20) + 1) * call.groups, second = below(20) + 1;
    x = {below(3) + 1, transposed ? first : second * call.groups};
    w = {first, second};
    y = {x[0], transposed ? second * call.groups : first};
    call.stride = call.padding = call.dilation = call.output_padding = {};
    for (std::size_t i = 0; i < axes; ++i) add_axis();
  }

  ForwardTensors tensors(const std::array<aclDataType, 4>& types, bool has_bias) {
    ForwardTensors made;
    input = drawn(count_of(x), random_);
    weight = drawn(count_of(w), random_);
    bias = has_bias ? drawn(y[1], random_) : std::vector<float>{};
    made.input = filled(types[0], x, input);
    made.weight = filled(types[1], w, weight);
    if (has_bias) made.bias = filled(types[2], {y[1]}, bias);
    // Channels last, with a gap after each.
    Ints strides(y.size());
    std::int64_t step = y[1] + 1;
    strides[1] = 1;
    for (std::size_t i = y.size(); i-- > 2; step *= y[i]) strides[i] = step;
    strides[0] = step;
    made.output = std::make_unique<DeviceTensor>(types[3], y, strides);
    return made;
  }

  ForwardAttributes call;
  Ints x, w, y;
  std::vector<float> input, weight, bias;

 private:
  std::int64_t below(unsigned limit) { return static_cast<std::int64_t>(random_() % limit); }

  void add_axis() {
    const std::int64_t s = below(3) + 1, d = below(3) + 1, k = below(3) + 1, p = below(3);
    const std::int64_t window = d * (k - 1) + 1;
    const std::int64_t op = call.transposed ? below(static_cast<unsigned>(std::max(s, d))) : 0;
    std::int64_t in = below(6) + 1, out = 0;
    do {
      out = call.transposed ? (in - 1) * s - 2 * p + window + op : (in + 2 * p - window) / s + 1;
      if (out >= 1 && in + 2 * p >= window) break;
      ++in;
    } while (true);
    x.push_back(in);
    w.push_back(k);
    y.push_back(out);
    call.stride.push_back(s);
    call.dilation.push_back(d);
    call.padding.push_back(p);
    call.output_padding.push_back(op);
  }

  std::mt19937& random_;
};

void expect_truth(const DrawnForward& drawn, const ForwardTensors& tensors, aclrtStream stream) {
  const Outcome outcome = run(drawn.call, tensors, stream);
  ASSERT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
  ASSERT_EQ(outcome.synchronised, ACL_SUCCESS) << recent_error();
  const auto due = forward_truth(drawn.call, tensors, drawn.input, drawn.weight, drawn.bias);
  const auto found = tensors.output->read();
  for (std::size_t i = 0; i < due.size(); ++i) {
    ASSERT_LE(std::abs(due[i]), 2048) << "not exact in FLOAT16";
    ASSERT_EQ(double{found[i]}, due[i]) << "element " << i;
  }
  EXPECT_TRUE(tensors.output->gaps_untouched());
}

struct ForwardMachine {
  const char* soc;
  const char* path;
  std::size_t least_axes, most_axes;
  bool has_transposed;
  std::int8_t cube_math_type;
};

class ForwardValues : public ForwardOperators,
                      public testing::WithParamInterface<ForwardMachine> {};

/// Integers are exact whatever the order of the additions, wherever the bias joins them.
TEST_P(ForwardValues, AreExactForSmallIntegers) {
  const ForwardMachine& machine = GetParam();
  use(machine.soc, {{"GRADPROOF_PATH", machine.path}});
  std::mt19937 random(11);
  for (int turn = 0; turn < 60; ++turn) {
    SCOPED_TRACE(turn);
    const std::size_t axes =
        machine.least_axes + random() % (machine.most_axes - machine.least_axes + 1);
    DrawnForward drawn(random, machine.has_transposed && turn % 2 == 1, axes);
    drawn.call.cube_math_type = machine.cube_math_type;
    const aclDataType wide = turn % 3 == 0 && axes < 3 ? ACL_FLOAT : ACL_FLOAT16;
    const auto tensors = drawn.tensors({ACL_FLOAT16, wide, wide, ACL_FLOAT16}, turn % 4 != 0);
    expect_truth(drawn, tensors, stream_);
    if (HasFatalFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, ForwardValues,
    testing::Values(ForwardMachine{"Ascend910B1", "device", 1, 3, true, 0},
                    ForwardMachine{"Ascend910B1", "plain", 1, 3, true, 3},
                    ForwardMachine{"Ascend910B1", "scalar", 1, 3, true, 1},
                    ForwardMachine{"Ascend950PR_9589", "scalar", 1, 3, true, 3},
                    ForwardMachine{"Ascend950PR_9589", "device", 1, 3, true, 1},
                    ForwardMachine{"Ascend950PR_9589", "plain", 1, 3, true, 0},
                    ForwardMachine{"Ascend310P3", "device", 1, 2, true, 1},
                    ForwardMachine{"Ascend310B1", "device", 2, 2, false, 0}),
    [](const auto& machine) {
      return std::string(machine.param.soc) + "_" + machine.param.path + "_" +
             std::to_string(machine.param.cube_math_type);
    });

/// Values of a 1-tap call with one channel each way.
std::vector<float> one_tap(ForwardAttributes call, std::size_t axes,
                           const std::array<aclDataType, 4>& types, float x, float w, float b,
                           aclrtStream stream) {
  const Ints ones(axes + 2, 1);
  call.stride = call.dilation = Ints(axes, 1);
  call.padding = call.output_padding = Ints(axes, 0);
  const ForwardTensors tensors{filled(types[0], ones, {x}), filled(types[1], ones, {w}),
                               filled(types[2], {1}, {b}),
                               std::make_unique<DeviceTensor>(types[3], ones)};
  EXPECT_EQ(run(call, tensors, stream).synchronised, ACL_SUCCESS) << recent_error();
  return tensors.output->read();
}

TEST_F(ForwardOperators, StartSumsAtTheBias) {
  const std::array<aclDataType, 4> half{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16};
  // 683 * 3 = 2049, no FLOAT16: a bias that came after the rounding would give 2048.
  EXPECT_THAT(one_tap({}, 2, half, 683, 3, 1, stream_), ElementsAre(2050));
  EXPECT_THAT(one_tap({.transposed = true}, 2, half, 683, 3, 1, stream_), ElementsAre(2050));
  // The bias itself is not rounded to the compute type.
  const std::array<aclDataType, 4> float_bias{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT};
  EXPECT_THAT(one_tap({}, 2, float_bias, 0x1p-5F, 0x1p-6F, 1 + 0x1p-11F, stream_),
              ElementsAre(1 + 0x1p-10F));
}

TEST_F(ForwardOperators, AddTheBiasOfTransposed3dCallsAfterTheSum) {
  const std::array<aclDataType, 4> half{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16};
  EXPECT_THAT(one_tap({.transposed = true}, 3, half, 683, 3, 1, stream_), ElementsAre(2048));
  EXPECT_THAT(one_tap({}, 3, half, 683, 3, 1, stream_), ElementsAre(2050));
  // A FLOAT bias makes it a FLOAT sum, rounded to FLOAT16 once more.
  const std::array<aclDataType, 4> float_bias{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT16};
  EXPECT_THAT(one_tap({.transposed = true}, 3, float_bias, 683, 3, 1.5F, stream_),
              ElementsAre(2050));
  // Sum and bias of FLOAT16 stay FLOAT16, whatever the output is.
  const std::array<aclDataType, 4> wide{ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT16, ACL_FLOAT};
  EXPECT_THAT(one_tap({.transposed = true, .cube_math_type = 2}, 3, wide, 683, 3, 1, stream_),
              ElementsAre(2048));
  use("Ascend950PR_9589");
  EXPECT_THAT(one_tap({.transposed = true}, 3, half, 683, 3, 1, stream_), ElementsAre(2050));
}

TEST_F(ForwardOperators, PromoteInputAndWeightAlone) {
  // 1 + 2^-11 is no FLOAT16; a FLOAT bias must not widen the product.
  const float odd = 1 + 0x1p-10F;
  const std::array<aclDataType, 4> types{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT};
  EXPECT_THAT(one_tap({}, 2, types, odd, odd, 0, stream_), ElementsAre(1 + 0x1p-9F));
  const std::array<aclDataType, 4> wide{ACL_FLOAT, ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT};
  EXPECT_THAT(one_tap({}, 2, wide, odd, odd, 0, stream_), ElementsAre(odd * odd));
}

TEST_F(ForwardOperators, ConvertByTheTableOnEveryProduct) {
  struct Cell {
    const char* soc;
    std::int8_t type;
    int kept;
  };
  for (const Cell& cell : {Cell{"Ascend910B1", 0, 23},
                           {"Ascend910B1", 1, 11},
                           {"Ascend910B1", 2, 10},
                           {"Ascend910_9391", 3, 11},
                           {"Ascend950PR_9589", 0, 23},
                           {"Ascend950PR_9589", 3, 10},
                           {"Ascend310P3", 1, 10},
                           {"Ascend310B1", 0, 23},
                           {"Ascend310B1", 3, 11},
                           {"Ascend310B1", 2, 10}}) {
    use(cell.soc);
    SCOPED_TRACE(testing::Message() << cell.soc << ", cubeMathType " << int{cell.type});
    const std::array<aclDataType, 4> types{ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, ACL_FLOAT};
    for (const int bits : {10, 11, 12, 23}) {
      const float value = 1 + std::ldexp(1.0F, -bits);
      EXPECT_THAT(one_tap({.cube_math_type = cell.type}, 2, types, value, 1, 0, stream_),
                  ElementsAre(bits <= cell.kept ? value : 1.0F))
          << bits;
    }
  }
}

TEST_F(ForwardOperators, ComputeEightBitTypesOnAscend950) {
  use("Ascend950PR_9589");
  const std::array<aclDataType, 4> hi{ACL_HIFLOAT8, ACL_HIFLOAT8, ACL_FLOAT, ACL_HIFLOAT8};
  EXPECT_THAT(one_tap({}, 2, hi, 1.25F, 1.25F, 0, stream_), ElementsAre(1.625F));
  EXPECT_THAT(one_tap({}, 2, hi, 1.25F, 1.25F, -0.0625F, stream_), ElementsAre(1.5F));
}

/// y (T = false) is gradInput of the backward operator with T = true, bit for bit.
TEST_F(ForwardOperators, EqualTheGradientOfTheOtherDirection) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 20; ++turn) {
    SCOPED_TRACE(turn);
    DrawnForward drawn(random, turn % 2 == 1, 2);
    std::ranges::fill(drawn.call.output_padding, 0);
    const auto x = drawn.x, y = drawn.y;
    if (drawn.call.transposed) {
      for (std::size_t i = 0; i < 2; ++i) {
        drawn.y[i + 2] = (x[i + 2] - 1) * drawn.call.stride[i] - 2 * drawn.call.padding[i] +
                         drawn.call.dilation[i] * (drawn.w[i + 2] - 1) + 1;
        if (drawn.y[i + 2] < 1) GTEST_SKIP();
      }
    }
    auto tensors = drawn.tensors({ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, ACL_FLOAT}, false);
    const auto odd = [&](DeviceTensor& tensor) {
      std::vector<float> values(static_cast<std::size_t>(count_of(tensor.shape())));
      for (float& value : values) value = std::ldexp(static_cast<float>(random()) - 2.1e9F, -31);
      tensor.write(values);
    };
    odd(*tensors.input);
    odd(*tensors.weight);
    tensors.output = std::make_unique<DeviceTensor>(ACL_FLOAT, drawn.y);
    ASSERT_EQ(run(drawn.call, tensors, stream_).synchronised, ACL_SUCCESS) << recent_error();
    const DeviceTensor gradient(ACL_FLOAT, drawn.y);
    const DeviceTensor feature(ACL_FLOAT, drawn.y);
    Arguments call{.grad_output = tensors.input->descriptor(),
                   .input = feature.descriptor(),
                   .weight = tensors.weight->descriptor(),
                   .stride = drawn.call.stride,
                   .padding = drawn.call.padding,
                   .dilation = drawn.call.dilation,
                   .transposed = !drawn.call.transposed,
                   .output_padding = {0, 0},
                   .groups = static_cast<int>(drawn.call.groups),
                   .mask = {true, false, false},
                   .grad_input = gradient.descriptor()};
    if (!drawn.call.transposed) {
      for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t rest =
            drawn.x[i + 2] -
            ((drawn.y[i + 2] - 1) * drawn.call.stride[i] - 2 * drawn.call.padding[i] +
             drawn.call.dilation[i] * (drawn.w[i + 2] - 1) + 1);
        call.output_padding[i] = rest;
      }
    }
    const Outcome outcome = run(call, stream_);
    ASSERT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
    EXPECT_EQ(tensors.output->download(), gradient.download());
  }
}

TEST_F(ForwardOperators, WriteTheBiasWhereTbcHasNoProduct) {
  const ForwardTensors tensors{std::make_unique<DeviceTensor>(ACL_FLOAT16, Ints{3, 2, 0}),
                               std::make_unique<DeviceTensor>(ACL_FLOAT16, Ints{2, 0, 2}),
                               filled(ACL_FLOAT, {2}, {1 + 0x1p-11F, -3}),
                               std::make_unique<DeviceTensor>(ACL_FLOAT16, Ints{2, 2, 2})};
  const Outcome outcome = run({.function = ForwardFunction::ConvTbc}, tensors, stream_);
  ASSERT_EQ(outcome.synchronised, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(outcome.workspace_size, 0U);
  EXPECT_THAT(tensors.output->read(), ElementsAre(1, -3, 1, -3, 1, -3, 1, -3));
}

TEST_F(ForwardOperators, WriteNothingIntoAnEmptyOutput) {
  const ForwardTensors tensors{std::make_unique<DeviceTensor>(ACL_FLOAT16, Ints{0, 1, 3}),
                               filled(ACL_FLOAT16, {1, 1, 1}, {2}), nullptr,
                               std::make_unique<DeviceTensor>(ACL_FLOAT16, Ints{0, 1, 3})};
  const Outcome outcome = run(ForwardAttributes{}, tensors, stream_);
  EXPECT_EQ(outcome.phase_one, ACL_SUCCESS) << recent_error();
  EXPECT_EQ(outcome.synchronised, ACL_SUCCESS);
  EXPECT_TRUE(tensors.output->untouched());
}

TEST_F(ForwardOperators, NameTheRuleAndTheFunctionThatRefuse) {
  const ForwardTensors tensors{filled(ACL_FLOAT, {1, 1, 3}, {1, 2, 3}),
                               filled(ACL_FLOAT, {1, 1, 1}, {2}), nullptr,
                               std::make_unique<DeviceTensor>(ACL_FLOAT, Ints{1, 1, 4})};
  EXPECT_EQ(run(ForwardAttributes{}, tensors, stream_).phase_one, ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(recent_error(), testing::HasSubstr("[FW-SHAPE-03] output has shape [1, 1, 4]"));
  EXPECT_TRUE(tensors.output->untouched());
}

/// Rebinding counts x 0, w 1, b 2 among the inputs.
TEST_F(ForwardOperators, CanBeRebound) {
  const ForwardTensors tensors{filled(ACL_FLOAT, {1, 1, 1}, {2}), filled(ACL_FLOAT, {1, 1, 1}, {3}),
                               filled(ACL_FLOAT, {1}, {4}),
                               std::make_unique<DeviceTensor>(ACL_FLOAT, Ints{1, 1, 1})};
  const auto other = filled(ACL_FLOAT, {1}, {5});
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(forward_phase_one({}, tensors, &bytes, &executor), ACL_SUCCESS);
  ASSERT_EQ(aclSetInputTensorAddr(executor, 2, other->descriptor(), other->memory()), ACL_SUCCESS);
  void* const workspace = device_memory(bytes + 1);
  EXPECT_EQ(aclnnConvolution(workspace, bytes, executor, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_THAT(tensors.output->read(), ElementsAre(11));
  aclrtFree(workspace);
}

}  // namespace
}  // namespace gradproof::kernel
