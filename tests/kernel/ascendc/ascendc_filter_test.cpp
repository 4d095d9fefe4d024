// Conv3DBackpropFilter on the simulated cores: gradWeight by tiles against gradWeight by
// definition, the order of additions to memory, tiling and misuse.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
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
#include "tests/support/ascendc_device.h"
#include "tests/support/runtime_fixture.h"
#include "tiling/conv_backprop/conv3d_bp_filter_tiling.h"

namespace gradproof::kernel::ascendc {
namespace {

using ConvBackpropApi::Conv3dBpFilterTiling;
using ConvBackpropApi::ConvType;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Tiling = AscendC::tiling::TConv3DBpFilterTiling;

template <typename T>
using BackpropFilter =
    ConvBackpropApi::Conv3DBackpropFilter<ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::ND, int32_t>,
                                          ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, float>>;

struct Buffers {
  GM_ADDR input;
  GM_ADDR grad_output;
  GM_ADDR grad_weight;
};

/// One core's task.
struct Task {
  int64_t batch, depth, input_depth, kernel_depth;
  int64_t first_output, outputs, first_channel, channels, first_row, rows;
};

/// All pairs of gradOutput's D slices and kernel depths that meet an input slice, cut into the
/// tiling's shares.
std::vector<Task> tasks_of(const Tiling& t) {
  std::vector<Task> tasks;
  const auto share = [](int64_t all, int64_t first, int64_t part) {
    return std::min(part, all - first);
  };
  const int64_t cin_part = static_cast<int64_t>(t.singleCoreCin);
  for (int64_t batch = 0; batch < t.batch; ++batch)
    for (int64_t depth = 0; depth < t.dout; ++depth)
      for (int64_t kd = 0; kd < t.dk; ++kd) {
        const int64_t di = depth * t.strideD - t.padFront + kd * t.dilationD;
        if (di < 0 || di >= t.di) continue;
        for (int64_t row = 0; row < t.ho; row += t.singleCoreHo)
          for (int64_t co = 0; co < t.cout; co += t.singleCoreCout)
            for (int64_t ci = 0; ci < t.cin; ci += cin_part)
              tasks.push_back({batch, depth, di, kd, co, share(t.cout, co, t.singleCoreCout), ci,
                               share(t.cin, ci, cin_part), row, share(t.ho, row, t.singleCoreHo)});
      }
  return tasks;
}

uint64_t unsigned_of(int64_t value) { return static_cast<uint64_t>(value); }

template <typename T, typename Gradient>
__aicore__ void compute(Gradient& gradient, const Tiling& t, const Task& task,
                        const Buffers& buffers) {
  const int64_t c0 = t.channelSize, taps = int64_t{t.hk} * t.wk;
  const int64_t padded = (t.cout1G * c0 + 15) / 16 * 16;
  const int64_t input_row = std::max<int64_t>(task.first_row * t.strideH - t.padUp, 0);
  const int64_t dy =
      ((task.batch * t.dout + task.depth) * t.cout1G + task.first_output / c0) * t.ho * t.wo * c0 +
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

/// What a caller may choose about the cutting.
struct Cut {
  uint32_t base_m = 16, base_k = 16, base_n = 16, step_ka = 1, step_kb = 1, order = 1;
  int64_t rows = 2, output_blocks = 1, channel_blocks = 1;  ///< of one task
};

Tiling tiling_of(const Convolution& conv, uint32_t c0, const Cut& cut) {
  Tiling t;
  t.batch = narrow(conv.batch), t.cin = narrow(conv.cin), t.cout = narrow(conv.cout);
  t.cin1G = (t.cin + c0 - 1) / c0, t.cout1G = (t.cout + c0 - 1) / c0;
  t.dout = narrow(conv.d.output()), t.ho = narrow(conv.h.output()), t.wo = narrow(conv.w.output());
  t.di = narrow(conv.d.input), t.hi = narrow(conv.h.input), t.wi = narrow(conv.w.input);
  t.dk = narrow(conv.d.kernel), t.hk = narrow(conv.h.kernel), t.wk = narrow(conv.w.kernel);
  t.group = 1, t.channelSize = c0;
  t.strideD = narrow(conv.d.stride), t.strideH = narrow(conv.h.stride);
  t.strideW = narrow(conv.w.stride);
  t.dilationD = narrow(conv.d.dilation), t.dilationH = narrow(conv.h.dilation);
  t.dilationW = narrow(conv.w.dilation);
  t.padFront = narrow(conv.d.pad_before), t.padUp = narrow(conv.h.pad_before);
  t.padLeft = narrow(conv.w.pad_before);
  t.al0Pbuffer = t.bl0Pbuffer = 2, t.cl0Pbuffer = t.al1Pbuffer = t.bl1Pbuffer = 1;
  t.baseM = cut.base_m, t.baseK = cut.base_k, t.baseN = cut.base_n;
  t.stepM = t.stepN = 1, t.stepKa = cut.step_ka, t.stepKb = cut.step_kb;
  t.iterateOrder = cut.order;
  t.singleCoreDk = t.singleCoreGroup = 1, t.singleCoreBatch = 1;
  t.singleCoreHo = narrow(cut.rows);
  t.singleCoreCout = narrow(cut.output_blocks) * 16;
  t.singleCoreCin = unsigned_of(cut.channel_blocks) * c0;
  return t;
}

/// gradWeight as the program above adds it: for each task one FLOAT sum over its rows, added to
/// what is there, tasks in order.
Dense grad_weight_by_definition(const Convolution& conv, const Dense& dy, const Dense& x,
                                const Tiling& t) {
  Dense dw(conv.weight());
  for (const Task& task : tasks_of(t)) {
    cube::for_each_position(
        {task.outputs, task.channels, 1, conv.h.kernel, conv.w.kernel}, [&](auto at) {
          float sum = 0.0F;
          for (int64_t i = 0; i < task.rows * conv.w.output(); ++i) {
            const int64_t row = task.first_row + i / conv.w.output(), column = i % conv.w.output();
            const int64_t h = row * conv.h.stride - conv.h.pad_before + at.h * conv.h.dilation;
            const int64_t w = column * conv.w.stride - conv.w.pad_before + at.w * conv.w.dilation;
            if (h < 0 || h >= conv.h.input || w < 0 || w >= conv.w.input) continue;
            const float product =
                dy.at({task.batch, task.first_output + at.n, task.depth, row, column}) *
                x.at({task.batch, task.first_channel + at.c, task.input_depth, h, w});
            sum += product;
          }
          dw.at({task.first_output + at.n, task.first_channel + at.c, task.kernel_depth, at.h,
                 at.w}) += sum;
        });
  }
  return dw;
}

/// One convolution's operands on the host and on the device.
template <typename T>
struct Operands {
  Operands(const Convolution& of, const std::function<float()>& next)
      : conv(of), dy(filled(of.grad_output(), next)), x(filled(of.input(), next)) {
    grad_output = std::make_unique<DeviceVector>(
        arranged<T>(dy, cube::FeatureMapLayout{conv.grad_output(), c0}));
    input =
        std::make_unique<DeviceVector>(arranged<T>(x, cube::FeatureMapLayout{conv.input(), c0}));
    grad_weight = std::make_unique<DeviceVector>(storage_of(layout()) * sizeof(float));
    grad_weight->fill(0);
  }
  cube::WeightLayout layout() const { return {conv.weight(), 1, c0}; }
  Buffers buffers() const {
    return {input->address(), grad_output->address(), grad_weight->address()};
  }
  std::vector<uint8_t> found() const { return bytes_of(grad_weight->values<float>()); }
  std::vector<uint8_t> expected(const Tiling& tiling) const {
    return bytes_of(arranged<float>(grad_weight_by_definition(conv, dy, x, tiling), layout()));
  }

  static constexpr std::int64_t c0 = c0_of_type<T>;
  Convolution conv;
  Dense dy, x;
  std::unique_ptr<DeviceVector> grad_output, input, grad_weight;
};

class AscendcFilter : public OnDevice {};

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

Convolution split_convolution() {
  return {2, 20, 18, {4, 2, 1}, {9, 3, 2, 1, 1, 1}, {11, 3, 1, 2, 2, 1}};
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
TEST_F(AscendcFilter, RoundsProductsBeforeSumsUnlessTheMachineFusesThem) {
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
  EXPECT_EQ(grad_weight(), 0.0F);
  open({{"GRADPROOF_FLOAT_PRODUCTS", "fused"}});
  EXPECT_EQ(grad_weight(), 0x1p-24F);
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

// ---- tiling

Conv3dBpFilterTiling told(const Convolution& conv, ConvDtype dtype) {
  Conv3dBpFilterTiling tiling;
  tiling.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, dtype);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, dtype);
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, ConvDtype::FLOAT32);
  tiling.SetInputShape(conv.batch, conv.cin, conv.d.input, conv.h.input, conv.w.input);
  tiling.SetWeightShape(conv.cout, conv.cin, conv.d.kernel, conv.h.kernel, conv.w.kernel);
  tiling.SetGradOutputShape(conv.batch, conv.cout, conv.d.output(), conv.h.output(),
                            conv.w.output());
  tiling.SetPadding(conv.d.pad_before, conv.d.pad_after, conv.h.pad_before, conv.h.pad_after,
                    conv.w.pad_before, conv.w.pad_after);
  tiling.SetStride(conv.d.stride, conv.h.stride, conv.w.stride);
  tiling.SetDilation(conv.d.dilation, conv.h.dilation, conv.w.dilation);
  return tiling;
}

TEST_F(AscendcFilter, RunsWhatGetTilingDecides) {
  const Convolution wide{1, 40, 70, {1}, {6, 3, 2, 1, 1, 1}, {260, 3, 1, 2, 2, 2}};
  // The rows of input that a block reads would not fit in L1: it loads parts of them.
  const Convolution long_rows{1, 2, 16, {}, {3, 3, 1, 1, 1, 1}, {8192, 3, 1, 1, 1, 1}};
  for (const Convolution& conv : {split_convolution(), wide, long_rows}) {
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
  }
}

TEST(FilterTiling, IsTheSameInBothFlavours) {
  Conv3dBpFilterTiling tiling = told(split_convolution(), ConvDtype::FLOAT16);
  AscendC::tiling::Conv3DBackpropFilterTilingData plain;
  optiling::Conv3DBackpropFilterTilingData accessed;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  ASSERT_EQ(tiling.GetTiling(accessed), 0);
  AscendC::tiling::Conv3DBackpropFilterTilingData saved;
  ASSERT_EQ(accessed.GetDataSize(), sizeof saved);
  accessed.SaveToBuffer(&saved, sizeof saved);
  EXPECT_EQ(std::memcmp(&saved.dwTiling, &plain.dwTiling, sizeof saved.dwTiling), 0);
  EXPECT_EQ(saved.params.totalL1Size, 524288U);
  EXPECT_EQ(accessed.basicBlockTiling.get_singleCoreM(), plain.dwTiling.singleCoreCout);
  EXPECT_EQ(accessed.dwTiling.get_dilationW(), 2U);
  EXPECT_EQ(plain.dwTiling.channelSize, 16U);
}

struct Refusal {
  const char* names;
  std::function<void(Conv3dBpFilterTiling&)> change;
};

const Refusal refusals[] = {
    {"kernel along W is 0", [](auto& t) { t.SetWeightShape(20, 18, 2, 3, 0); }},
    {"kernel along H is 512", [](auto& t) { t.SetWeightShape(20, 18, 2, 512, 3); }},
    {"cin is 0", [](auto& t) { t.SetWeightShape(20, 0, 2, 3, 3); }},
    {"cout is -1", [](auto& t) { t.SetWeightShape(-1, 18, 2, 3, 3); }},
    {"batch is 0", [](auto& t) { t.SetInputShape(0, 18, 4, 9, 11); }},
    {"input along D is 0", [](auto& t) { t.SetInputShape(2, 18, 0, 9, 11); }},
    {"grad output along H is 0", [](auto& t) { t.SetGradOutputShape(2, 20, 3, 0, 5); }},
    {"stride along D is 0", [](auto& t) { t.SetStride(0, 1, 1); }},
    {"stride along H is 64", [](auto& t) { t.SetStride(1, 64, 1); }},
    {"stride along W is 64", [](auto& t) { t.SetStride(1, 1, 64); }},
    {"dilation along W is 256", [](auto& t) { t.SetDilation(1, 1, 256); }},
    {"padding before along H is 256", [](auto& t) { t.SetPadding(0, 0, 256, 0, 0, 0); }},
    {"padding after along W is -1", [](auto& t) { t.SetPadding(0, 0, 0, 0, 0, -1); }},
    {"input along W, a row that is loaded into L1, is 65536",
     [](auto& t) { t.SetInputShape(2, 18, 4, 9, 65536); }},
    {"grad output H times W", [](auto& t) { t.SetGradOutputShape(2, 20, 3, INT32_MAX, 5); }},
    {"no block of input fits in L1",
     [](auto& t) { t.SetInputShape(1, 1, 1, 1000, 65535), t.SetWeightShape(1, 1, 1, 511, 511); }},
    {"input format",
     [](auto& t) { t.SetInputType(TPosition::GM, ConvFormat::NCDHW, ConvDtype::FLOAT16); }},
    {"grad output format",
     [](auto& t) { t.SetGradOutputType(TPosition::GM, ConvFormat::ND, ConvDtype::FLOAT16); }},
    {"weight format",
     [](auto& t) { t.SetWeightType(TPosition::GM, ConvFormat::ND, ConvDtype::FLOAT32); }},
    {"dtype",
     [](auto& t) { t.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::BF16); }},
};

TEST(FilterTiling, RefusesEachBrokenRuleWithItsReasonAndLeavesTheDataAsItWas) {
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.names);
    Conv3dBpFilterTiling tiling = told(split_convolution(), ConvDtype::FLOAT16);
    refusal.change(tiling);
    error_text();
    AscendC::tiling::Conv3DBackpropFilterTilingData data;
    data.dwTiling.baseM = 77;
    EXPECT_EQ(tiling.GetTiling(data), -1);
    EXPECT_EQ(data.dwTiling.baseM, 77U);
    const std::string text = error_text();
    EXPECT_NE(text.find(refusal.names), std::string::npos) << text;
  }
}

// ---- misuse: what is this class's own; the order of calls is shared with Conv3DBackpropInput

struct Misuse {
  const char* call;
  const char* says;
  std::function<void(BackpropFilter<half>&, const Tiling&, const Buffers&)> program;
  aclError code = 507015;
};

Convolution misused() { return {1, 4, 4, {}, {8, 3, 1, 1, 1, 1}, {8, 3, 1, 1, 1, 1}}; }

void set_all(BackpropFilter<half>& gradient, const Buffers& buffers) {
  gradient.SetSingleShape(4, 4 * 9, 8 * 8);
  gradient.SetStartPosition(0);
  gradient.SetInput(tensor_at<half>(buffers.input));
  gradient.SetGradOutput(tensor_at<half>(buffers.grad_output));
}

std::function<void(BackpropFilter<half>&, const Tiling&, const Buffers&)> with_tiling(
    const std::function<void(Tiling&)>& change) {
  return [change](BackpropFilter<half>& gradient, const Tiling& tiling, const Buffers&) {
    Tiling changed = tiling;
    change(changed);
    gradient.Init(&changed);
    gradient.End();
  };
}

std::function<void(BackpropFilter<half>&, const Tiling&, const Buffers&)> after_init(
    const std::function<void(BackpropFilter<half>&, const Buffers&)>& program) {
  return [program](BackpropFilter<half>& gradient, const Tiling& tiling, const Buffers& buffers) {
    gradient.Init(&tiling);
    program(gradient, buffers);
  };
}

const Misuse misuses[] = {
    {"Iterate", "before Init", [](auto& gradient, auto&, auto&) { gradient.Iterate(); }},
    {"Iterate", "before Conv3DBackpropFilter::SetInput",
     after_init([](auto& gradient, auto& buffers) {
       gradient.SetSingleShape(4, 36, 64), gradient.SetStartPosition(0);
       gradient.SetGradOutput(tensor_at<half>(buffers.grad_output)), gradient.Iterate();
     })},
    {"Iterate", "twice without GetTensorC", after_init([](auto& gradient, auto& buffers) {
       set_all(gradient, buffers), gradient.Iterate(), gradient.Iterate();
     })},
    {"GetTensorC", "there is no tile", after_init([](auto& gradient, auto& buffers) {
       gradient.GetTensorC(tensor_at<float>(buffers.grad_weight));
     })},
    {"Iterate", "ctx.isFirstIter_ is false", after_init([](auto& gradient, auto& buffers) {
       for (int task = 0; task < 2; ++task) {
         set_all(gradient, buffers);
         while (gradient.Iterate()) gradient.GetTensorC(tensor_at<float>(buffers.grad_weight));
       }
     })},
    {"End", "leak", after_init([](auto&, auto&) {})},
    {"Init", "called twice",
     [](auto& gradient, auto& tiling, auto&) { gradient.Init(&tiling), gradient.Init(&tiling); }},
    {"Init", "stepM is 2", with_tiling([](Tiling& t) { t.stepM = 2; })},
    {"Init", "baseK is 0", with_tiling([](Tiling& t) { t.baseK = 0; })},
    {"Init", "channelSize is 8", with_tiling([](Tiling& t) { t.channelSize = 8; })},
    {"Init", "L0C overflows", with_tiling([](Tiling& t) { t.baseM = t.baseN = 512; })},
    {"SetSingleShape", "singleShapeM is 17",
     after_init([](auto& gradient, auto&) { gradient.SetSingleShape(17, 36, 64); })},
    {"SetSingleShape", "singleShapeN is 37; it must be a multiple of hk * wk, 9",
     after_init([](auto& gradient, auto&) { gradient.SetSingleShape(4, 37, 64); })},
    {"SetSingleShape", "singleShapeK is 63; it must be whole rows of wo, 8",
     after_init([](auto& gradient, auto&) { gradient.SetSingleShape(4, 36, 63); })},
    {"SetStartPosition", "hoStartIdx is 8",
     after_init([](auto& gradient, auto&) { gradient.SetStartPosition(8); })},
    {"Iterate", "rows 1 to 8 of gradOutput", after_init([](auto& gradient, auto& buffers) {
       set_all(gradient, buffers), gradient.SetStartPosition(1), gradient.Iterate();
     })},
    {"Iterate", "has been freed or changed",
     [](auto& gradient, auto& tiling, auto& buffers) {
       Tiling changed = tiling;
       gradient.Init(&changed), set_all(gradient, buffers);
       changed.hi = 7;
       gradient.Iterate();
     }},
    {"Iterate", "input is read outside of device memory",
     after_init([](auto& gradient, auto& buffers) {
       set_all(gradient, buffers), gradient.SetInput(tensor_at<half>(buffers.input)[1024]);
       gradient.Iterate();
     }),
     507042},
    {"Iterate", "gradOutput is read outside of device memory",
     after_init([](auto& gradient, auto& buffers) {
       set_all(gradient, buffers);
       gradient.SetGradOutput(tensor_at<half>(buffers.grad_output)[1024]), gradient.Iterate();
     }),
     507042},
    {"GetTensorC", "gradWeight is written outside of device memory",
     after_init([](auto& gradient, auto& buffers) {
       set_all(gradient, buffers), gradient.Iterate();
       gradient.GetTensorC(tensor_at<float>(buffers.grad_weight)[9 * 16 * 16]);
     }),
     507043},
};

TEST_F(AscendcFilter, EndsEachMisuseWithATextThatNamesCallAndCore) {
  Operands<half> operands(misused(), small_integers(5));
  const Tiling tiling = tiling_of(misused(), 16, {.rows = 8});
  for (const Misuse& misuse : misuses) {
    SCOPED_TRACE(testing::Message() << misuse.call << ": " << misuse.says);
    error_text();
    const auto block = [&] {
      if (AscendC::GetBlockIdx() == 0) return;
      BackpropFilter<half> gradient;
      misuse.program(gradient, tiling, operands.buffers());
    };
    EXPECT_EQ(run_blocks(2, block), misuse.code);
    const std::string text = error_text();
    const std::string start =
        std::string("core 1 of 2: Conv3DBackpropFilter::") + misuse.call + ": ";
    EXPECT_NE(text.find(start), std::string::npos) << text;
    EXPECT_NE(text.find(misuse.says), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
