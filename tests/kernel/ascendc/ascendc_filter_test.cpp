// Conv3DBackpropFilter on the simulated cores: gradWeight by tiles against gradWeight by
// definition, and the order of additions to memory.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kernel_launcher.h"
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_filter_api.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tests/kernel/ascendc/ascendc_grad_weight.h"
#include "tests/support/ascendc_device.h"
#include "tests/support/runtime_fixture.h"
#include "tiling/conv_backprop/conv3d_bp_filter_tiling.h"

namespace gradproof::kernel::ascendc {
namespace {

template <typename T, typename Gradient>
__aicore__ void compute(Gradient& gradient, const Tiling& t, const Task& task,
                        const Buffers& buffers) {
  const int64_t c0 = t.channelSize, taps = int64_t{t.hk} * t.wk;
  // GetTiling counts channels of whole fractals in cout1G; gradOutput has no more than it needs.
  const int64_t packs = (t.cout + c0 - 1) / c0, padded = (t.cout1G * c0 + 15) / 16 * 16;
  const int64_t input_row = std::max<int64_t>(task.first_row * t.strideH - t.padUp, 0);
  const int64_t dy =
      ((task.batch * t.dout + task.depth) * packs + task.first_output / c0) * t.ho * t.wo * c0 +
      task.first_row * t.wo * c0;
  const int64_t x = ((task.batch * t.di + task.input_depth) * t.cin1G + task.first_channel / c0) *
                        t.hi * t.wi * c0 +
                    input_row * t.wi * c0;
  const int64_t dw = (task.kernel_depth * t.cin1G + task.first_channel / c0) * taps * padded * c0 +
                     task.first_output * c0;
  gradient.SetSingleShape(unsigned_of(task.outputs), unsigned_of(task.channels * taps),
                          unsigned_of(task.rows * t.wo));
  gradient.SetStartPosition(narrow(task.first_row));
  gradient.SetInput(tensor_at<T>(buffers.input)[unsigned_of(x)]);
  gradient.SetGradOutput(tensor_at<T>(buffers.grad_output)[unsigned_of(dy)]);
  while (gradient.Iterate()) {
    gradient.GetTensorC(tensor_at<float>(buffers.grad_weight)[unsigned_of(dw)]);
  }
  gradient.ctx.isFirstIter_ = true;
}

template <typename T>
__global__ __aicore__ void backprop_filter(Buffers buffers, Tiling tiling) {
  BackpropFilter<T> gradient;
  gradient.Init(&tiling);
  const std::vector<Task> tasks = tasks_of(tiling);
  for (size_t i = AscendC::GetBlockIdx(); i < tasks.size(); i += AscendC::GetBlockNum()) {
    compute<T>(gradient, tiling, tasks[i], buffers);
  }
  gradient.End();
}

template <typename T>
void check_random_case() {
  const DeviceForProperty device;
  const Convolution conv = random_convolution();
  const uint32_t c0 = c0_of_type<T>;
  const auto some = [](int64_t most) { return *rc::gen::inRange<int64_t>(1, most + 1); };
  const Cut cut{.base_m = 16 * narrow(some(3)),
                .base_k = 16 * narrow(some(3)),
                .base_n = c0 * narrow(some(4)),
                .step_ka = narrow(some(4)),
                .step_kb = narrow(some(4)),
                .order = narrow(some(2) - 1),
                .step_m = narrow(some(3)),
                .step_n = narrow(some(3)),
                .rows = some(conv.h.output()),
                .output_blocks = some(3),
                .channel_blocks = some(3)};
  Operands<T> operands(conv, rough_values<T>(*rc::gen::arbitrary<uint64_t>()));
  const Tiling tiling = tiling_of(conv, c0, cut);
  if (launch(backprop_filter<T>, 1, operands.buffers(), tiling) != 0) RC_FAIL(error_text());
  RC_ASSERT(operands.found() == operands.expected(tiling));
}

RC_GTEST_PROP(AnyCutOfGradWeight, GivesTheBitsOfItsDefinitionInHalf, ()) {
  check_random_case<half>();
}
RC_GTEST_PROP(AnyCutOfGradWeight, GivesTheBitsOfItsDefinitionInFloat, ()) {
  check_random_case<float>();
}

TEST_F(AscendcFilter, GivesGradWeightBitForBitOnSmallIntegersOverManyCores) {
  Operands<bfloat16_t> operands(split_convolution(), small_integers(1));
  const Tiling tiling = tiling_of(operands.conv, 16, {.base_n = 48, .channel_blocks = 2});
  ASSERT_EQ(launch(backprop_filter<bfloat16_t>, 24, operands.buffers(), tiling), 0) << error_text();
  EXPECT_EQ(operands.found(), operands.expected(tiling));
}

TEST_F(AscendcFilter, AddsInAnOrderThatVariesUnlessTheDeviceIsDeterministic) {
  std::set<std::vector<uint8_t>> by_default, deterministic;
  const auto run = [](bool in_order) {
    EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, in_order ? 1 : 0), 0);
    Operands<half> operands(split_convolution(), rough_values<half>(2));
    const Tiling tiling = tiling_of(operands.conv, 16, {});
    EXPECT_EQ(launch(backprop_filter<half>, 7, operands.buffers(), tiling), 0) << error_text();
    return operands.found();
  };
  for (const std::string seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    open({{"GRADPROOF_SCHEDULE_SEED", seed}});
    by_default.insert(run(false));
    deterministic.insert(run(true));
  }
  EXPECT_GT(by_default.size(), 1U);
  EXPECT_EQ(deterministic.size(), 1U);
}

/// -1 * (1 + 2^-11) + (1 + 2^-12)^2 is 2^-24, unless the square is rounded first.
TEST_F(AscendcFilter, FusesProductsWithSumsUnlessTheMachineRoundsThem) {
  const auto grad_weight = [] {
    Operands<float> operands({1, 1, 1, {}, {}, {2}}, small_integers(1));
    operands.dy.values = {-1, 1 + 0x1p-12F};
    operands.x.values = {1 + 0x1p-11F, 1 + 0x1p-12F};
    operands.grad_output = std::make_unique<DeviceVector>(
        arranged<float>(operands.dy, cube::FeatureMapLayout{operands.conv.grad_output(), 8}));
    operands.input = std::make_unique<DeviceVector>(
        arranged<float>(operands.x, cube::FeatureMapLayout{operands.conv.input(), 8}));
    const Tiling tiling = tiling_of(operands.conv, 8, {});
    EXPECT_EQ(launch(backprop_filter<float>, 1, operands.buffers(), tiling), 0) << error_text();
    return operands.grad_weight->values<float>().front();
  };
  EXPECT_EQ(grad_weight(), 0x1p-24F);
  open({{"GRADPROOF_FLOAT_PRODUCTS", "rounded"}});
  EXPECT_EQ(grad_weight(), 0.0F);
}

TEST_F(AscendcFilter, LetsNoInfinityThroughPadding) {
  const Convolution conv{1, 3, 3, {}, {4, 3, 1, 1, 1, 1}, {4, 3, 1, 1, 1, 1}};
  Operands<float> operands(conv, [] { return 1.0F; });
  operands.dy.at({0, 1, 0, 0, 0}) = std::numeric_limits<float>::infinity();  // meets padding above
  operands.grad_output = std::make_unique<DeviceVector>(
      arranged<float>(operands.dy, cube::FeatureMapLayout{conv.grad_output(), 8}));
  const Tiling tiling = tiling_of(conv, 8, {.base_n = 8, .rows = 4});
  ASSERT_EQ(launch(backprop_filter<float>, 1, operands.buffers(), tiling), 0) << error_text();
  // In channels past Cin, which readers ignore, infinity times their 0 is NaN.
  const auto found = operands.grad_weight->values<float>();
  const Dense expected = grad_weight_by_definition(conv, operands.dy, operands.x, tiling);
  cube::for_each_position(conv.weight(), [&](const cube::Extents& at) {
    EXPECT_EQ(found[static_cast<std::size_t>(operands.layout().index(at))], expected.at(at));
  });
  EXPECT_EQ(expected.at({1, 0, 0, 0, 0}), 9.0F);
  EXPECT_TRUE(std::isinf(expected.at({1, 0, 0, 1, 1})));
}

TEST_F(AscendcFilter, RunsWhatGetTilingDecides) {
  const Convolution wide{1, 40, 70, {1}, {6, 3, 2, 1, 1, 1}, {260, 3, 1, 2, 2, 2}};
  // The rows of input that a block reads would not fit in L1: it loads parts of them.
  const Convolution long_rows{1, 2, 16, {}, {3, 3, 1, 1, 1, 1}, {8192, 3, 1, 1, 1, 1}};
  // Several blocks of M are one share of a core.
  const Convolution blocks{1, 129, 1, {}, {6, 6, 1, 1, 0, 0}, {3, 3, 1, 1, 0, 0}};
  std::uint32_t most_steps = 1;
  for (const Convolution& conv : {split_convolution(), wide, long_rows, blocks}) {
    AscendC::tiling::Conv3DBackpropFilterTilingData data;
    ASSERT_EQ(told(conv, ConvDtype::FLOAT16).GetTiling(data), 0) << error_text();
    Operands<half> operands(conv, small_integers(3));
    ASSERT_EQ(launch(backprop_filter<half>, 5, operands.buffers(), data.dwTiling), 0)
        << error_text();
    EXPECT_EQ(operands.found(), operands.expected(data.dwTiling));
    ASSERT_EQ(told(conv, ConvDtype::FLOAT32).GetTiling(data), 0) << error_text();
    Operands<float> floats(conv, small_integers(4));
    ASSERT_EQ(launch(backprop_filter<float>, 5, floats.buffers(), data.dwTiling), 0)
        << error_text();
    EXPECT_EQ(floats.found(), floats.expected(data.dwTiling));
    most_steps = std::max(most_steps, data.dwTiling.stepM);
  }
  EXPECT_GT(most_steps, 1U);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
