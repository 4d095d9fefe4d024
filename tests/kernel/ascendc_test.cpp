// Conv3DBackpropInput on the simulated cores: gradInput by tiles against gradInput by definition,
// bit for bit; memory that must stay untouched; every misuse.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernel_launcher.h"
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_input_api.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "tests/kernel/ascendc_convolution.h"
#include "tests/kernel/ascendc_device.h"
#include "tests/kernel/runtime_fixture.h"

namespace gradproof::kernel::ascendc {
namespace {

using AscendC::GlobalTensor;
using ConvBackpropApi::ConvType;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Tiling = AscendC::tiling::TConv3DBackpropInputTiling;

template <typename T, ConvFormat format = ConvFormat::NDC1HWC0>
using BackpropInput =
    ConvBackpropApi::Conv3DBackpropInput<ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, T>,
                                         ConvType<TPosition::GM, ConvFormat::ND, int32_t>,
                                         ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                         ConvType<TPosition::GM, format, T>>;

/// One core's task, and where its tensors begin.
struct Task {
  uint32_t batch, depth;
  uint64_t first_row, positions, first_block;
  uint32_t channels;
};

struct Slices {
  uint64_t grad_output, weight, grad_input;
};

/// The address contract of the API for group 0.
Slices slices_of(const Tiling& t, const Task& task) {
  const int64_t expanded = static_cast<int64_t>(task.first_row) - t.backpropPadUp;
  const uint64_t row =
      expanded < 0 ? 0 : (static_cast<uint64_t>(expanded) + t.strideH - 1) / t.strideH;
  const uint64_t hw = uint64_t{t.ho} * t.wo * t.c0;
  const uint64_t hwi = uint64_t{t.hi} * t.wi * t.c0;
  const uint64_t taps = uint64_t{t.hk} * t.wk * ((uint64_t{t.cout1G} * t.c0 + 15) / 16 * 16) * t.c0;
  return {task.batch * uint64_t{t.dout} * t.cout1 * hw + row * t.wo * t.c0, task.first_block * taps,
          task.batch * uint64_t{t.di} * t.cin1 * hwi + task.first_block * hwi +
              task.first_row * t.wi * t.c0};
}

/// The tasks of a whole gradInput, as a kernel enumerates them: block i takes every count-th.
std::vector<Task> tasks_of(const Tiling& t) {
  std::vector<Task> tasks;
  const uint64_t positions = uint64_t{t.hi} * t.wi;
  const uint64_t blocks_per_core = t.singleCoreCin / t.c0;
  for (uint32_t batch = 0; batch < t.batch; ++batch) {
    for (uint32_t depth = 0; depth < t.di; ++depth) {
      for (uint64_t m = 0; m < positions; m += t.singleCoreM) {
        for (uint64_t block = 0; block < t.cin1; block += blocks_per_core) {
          const uint64_t channels = std::min(t.singleCoreCin, t.cin - block * t.c0);
          tasks.push_back({batch, depth, m / t.wi, std::min(t.singleCoreM, positions - m), block,
                           static_cast<uint32_t>(channels)});
        }
      }
    }
  }
  return tasks;
}

struct Buffers {
  GM_ADDR grad_output;
  GM_ADDR weight;
  GM_ADDR grad_input;
};

template <typename T, typename Gradient>
__aicore__ void compute(Gradient& gradient, const Tiling& t, const Task& task,
                        const Buffers& buffers, uint8_t atomic) {
  const Slices slices = slices_of(t, task);
  gradient.SetSingleShape(task.positions, uint64_t{t.cout1G} * t.dk * t.hk * t.wk * t.c0,
                          task.channels);
  gradient.SetStartPosition(
      task.depth, static_cast<int32_t>(task.first_row) - static_cast<int32_t>(t.backpropPadUp));
  gradient.SetGradOutput(tensor_at<T>(buffers.grad_output)[slices.grad_output]);
  gradient.SetWeight(tensor_at<T>(buffers.weight)[slices.weight]);
  while (gradient.Iterate()) {
    gradient.GetTensorC(tensor_at<T>(buffers.grad_input)[slices.grad_input], atomic);
  }
  gradient.ctx.isFirstIter_ = true;
}

template <typename T>
__global__ __aicore__ void backprop_input(Buffers buffers, Tiling tiling, uint8_t atomic) {
  BackpropInput<T> gradient;
  gradient.Init(&tiling);
  const std::vector<Task> tasks = tasks_of(tiling);
  for (size_t i = AscendC::GetBlockIdx(); i < tasks.size(); i += AscendC::GetBlockNum()) {
    compute<T>(gradient, tiling, tasks[i], buffers, atomic);
  }
  gradient.End();
}

/// What a caller may choose about the cutting.
struct Cut {
  uint32_t base_m = 16, base_k = 16, base_n = 16, step_ka = 1, step_kb = 1, order = 1;
  uint64_t rows = 1;            ///< of gradInput in one task
  uint64_t channel_blocks = 1;  ///< of gradInput in one task
  int32_t init_output_flag = 0;
};

/// A tiling made by hand, also for what GetTiling would refuse.
Tiling tiling_of(const Convolution& conv, uint32_t c0, const Cut& cut) {
  Tiling t;
  t.batch = narrow(conv.batch), t.cin = narrow(conv.cin), t.cout = narrow(conv.cout);
  t.c0 = c0, t.c0Bits = c0 == 16 ? 4 : 3;
  t.cout1 = t.cout1G = (t.cout + c0 - 1) / c0;
  t.cin1 = t.cin1G = (t.cin + c0 - 1) / c0;
  t.dout = narrow(conv.d.output()), t.ho = narrow(conv.h.output()), t.wo = narrow(conv.w.output());
  t.di = narrow(conv.d.input), t.hi = narrow(conv.h.input), t.wi = narrow(conv.w.input);
  t.dk = narrow(conv.d.kernel), t.hk = narrow(conv.h.kernel), t.wk = narrow(conv.w.kernel);
  t.group = 1;
  t.strideD = narrow(conv.d.stride), t.strideH = narrow(conv.h.stride);
  t.strideW = narrow(conv.w.stride);
  t.dilationD = narrow(conv.d.dilation), t.dilationH = narrow(conv.h.dilation);
  t.dilationW = narrow(conv.w.dilation);
  t.padFront = narrow(conv.d.pad_before), t.padUp = narrow(conv.h.pad_before);
  t.padLeft = narrow(conv.w.pad_before);
  t.backpropPadUp = narrow(conv.h.reach() - 1 - conv.h.pad_before);
  t.backpropPadLeft = narrow(conv.w.reach() - 1 - conv.w.pad_before);
  t.al0Pbuffer = t.bl0Pbuffer = 2, t.cl0Pbuffer = t.al1Pbuffer = t.bl1Pbuffer = 1;
  t.singleCoreGroup = t.singleCoreDin = t.singleCoreHo = 1;
  t.singleCoreBatch = t.baseD = t.baseBatch = t.baseGroup = t.stepBatch = t.stepGroup = 1;
  t.singleCoreCout = t.cout1G * c0, t.singleCoreCout1 = t.cout1G;
  t.singleCoreCin1 = narrow(static_cast<int64_t>(cut.channel_blocks));
  t.singleCoreCin = cut.channel_blocks * c0;
  t.singleCoreM = cut.rows * t.wi;
  t.baseM = cut.base_m, t.baseK = cut.base_k, t.baseN = cut.base_n;
  t.stepM = t.stepN = 1, t.stepKa = cut.step_ka, t.stepKb = cut.step_kb;
  t.iterateOrder = cut.order;
  t.initOutputFlag = cut.init_output_flag;
  return t;
}

/// One convolution's operands on the host and on the device.
template <typename T>
struct Operands {
  Operands(const Convolution& of, const std::function<float()>& next)
      : conv(of), dy(filled(of.grad_output(), next)), w(filled(of.weight(), next)) {}

  void upload() {
    grad_output = std::make_unique<DeviceVector>(
        arranged<T>(dy, cube::FeatureMapLayout{conv.grad_output(), c0}));
    weight =
        std::make_unique<DeviceVector>(arranged<T>(w, cube::WeightLayout{conv.weight(), 1, c0}));
    grad_input = std::make_unique<DeviceVector>(storage_of(layout()) * sizeof(T));
  }
  cube::FeatureMapLayout layout() const { return {conv.input(), c0}; }
  Buffers buffers() const {
    return {grad_output->address(), weight->address(), grad_input->address()};
  }

  static constexpr std::int64_t c0 = c0_of_type<T>;
  Convolution conv;
  Dense dy, w;
  std::unique_ptr<DeviceVector> grad_output, weight, grad_input;
};

/// gradInput in memory, zeros where nothing contributes. Channels past Cin are 0.
template <typename T>
std::vector<T> expected_grad_input(const Operands<T>& operands) {
  return arranged<T>(
      grad_input_by_definition(operands.conv, operands.dy, operands.w, Operands<T>::c0),
      operands.layout());
}

class Ascendc : public OnDevice {
 protected:
  template <typename T>
  void expect_definition(Operands<T>& operands, const Tiling& tiling, uint32_t blocks = 5) {
    operands.upload();
    operands.grad_input->fill(0);
    ASSERT_EQ(launch(backprop_input<T>, blocks, operands.buffers(), tiling, uint8_t{0}), 0)
        << error_text();
    EXPECT_EQ(bytes_of(operands.grad_input->template values<T>()),
              bytes_of(expected_grad_input(operands)));
  }
};

struct Named {
  const char* name;
  Convolution conv;
  Cut cut;
};

// Axes: input, kernel, stride, dilation, padding before and after.
const Named shapes[] = {
    {"one element", {1, 1, 1, {}, {}, {}}, {}},
    {"padding of channels", {1, 20, 19, {1}, {4, 3, 1, 1, 1, 1}, {5, 3, 1, 1, 1, 1}}, {}},
    {"stride with holes", {1, 4, 4, {3, 2, 1}, {7, 2, 3}, {8, 1, 3}}, {}},
    {"rows past the last window", {1, 4, 4, {5, 2, 2}, {6, 2, 3}, {4, 2, 1}}, {}},
    {"stride along D beyond the kernel", {1, 4, 4, {7, 2, 3}, {4, 2, 2}, {4, 2, 2}}, {}},
    {"dilation along D", {1, 4, 4, {6, 2, 1, 3}, {4, 2, 1}, {4, 2, 1}}, {}},
    {"dilation along H and W",
     {1, 4, 4, {2, 2, 1, 1, 1, 0}, {7, 3, 2, 2, 1, 1}, {8, 2, 3, 3, 0, 1}},
     {}},
    {"tails of M and N",
     {1, 17, 40, {1}, {5, 3, 1, 1, 1, 1}, {7, 3, 1, 1, 1, 1}},
     {.base_m = 16, .base_n = 32, .rows = 5, .channel_blocks = 3}},
    {"N fastest",
     {1, 17, 40, {1}, {5, 3, 1, 1, 1, 1}, {7, 3, 1, 1, 1, 1}},
     {.base_m = 16, .base_n = 16, .order = 0, .rows = 5, .channel_blocks = 3}},
    {"several samples and steps of K",
     {3, 50, 5, {2, 2, 1, 1, 1, 1}, {4, 3, 2, 1, 1, 1}, {5, 2, 1, 1, 1, 0}},
     {.base_m = 32, .base_k = 32, .step_ka = 2, .step_kb = 3, .rows = 4}},
};

TEST_F(Ascendc, GivesGradInputBitForBitOnSmallIntegers) {
  for (const Named& shape : shapes) {
    SCOPED_TRACE(shape.name);
    Operands<half> halves(shape.conv, small_integers(1));
    expect_definition(halves, tiling_of(shape.conv, 16, shape.cut));
    Operands<bfloat16_t> bfloats(shape.conv, small_integers(2));
    expect_definition(bfloats, tiling_of(shape.conv, 16, shape.cut));
    Operands<float> floats(shape.conv, small_integers(3));
    expect_definition(floats, tiling_of(shape.conv, 8, shape.cut));
  }
}

TEST_F(Ascendc, AddsInTheCanonicalOrder) {
  for (const Named& shape : shapes) {
    SCOPED_TRACE(shape.name);
    Operands<half> halves(shape.conv, rough_values<half>(4));
    expect_definition(halves, tiling_of(shape.conv, 16, shape.cut));
    Operands<float> floats(shape.conv, rough_values<float>(5));
    expect_definition(floats, tiling_of(shape.conv, 8, shape.cut));
  }
}

Cut random_cut(const Convolution& conv, uint32_t c0) {
  const auto blocks = [c0](int64_t most) {
    return c0 * static_cast<uint32_t>(*rc::gen::inRange<int64_t>(1, most + 1));
  };
  return {.base_m = *rc::gen::element<uint32_t>(8, 16, 24, 48, 256),
          .base_k = blocks(3),
          .base_n = blocks(3),
          .step_ka = *rc::gen::inRange<uint32_t>(1, 5),
          .step_kb = *rc::gen::inRange<uint32_t>(1, 5),
          .order = *rc::gen::inRange<uint32_t>(0, 2),
          .rows = static_cast<uint64_t>(*rc::gen::inRange<int64_t>(1, conv.h.input + 1)),
          .channel_blocks = static_cast<uint64_t>(*rc::gen::inRange<int64_t>(1, 4))};
}

template <typename T>
void check_random_case() {
  const DeviceForProperty device;
  const Convolution conv = random_convolution();
  Operands<T> operands(conv, rough_values<T>(*rc::gen::arbitrary<uint64_t>()));
  const Tiling tiling = tiling_of(conv, c0_of_type<T>, random_cut(conv, c0_of_type<T>));
  operands.upload();
  operands.grad_input->fill(0);
  const auto code = launch(backprop_input<T>, *rc::gen::inRange<uint32_t>(1, 9), operands.buffers(),
                           tiling, uint8_t{0});
  if (code != 0) RC_FAIL(error_text());
  RC_ASSERT(bytes_of(operands.grad_input->template values<T>()) ==
            bytes_of(expected_grad_input(operands)));
}

RC_GTEST_PROP(AnyCutOfGradInput, GivesTheSameBitsInHalf, ()) { check_random_case<half>(); }
RC_GTEST_PROP(AnyCutOfGradInput, GivesTheSameBitsInFloat, ()) { check_random_case<float>(); }

TEST_F(Ascendc, RunsWhatGetTilingDecides) {
  const Convolution conv{2, 40, 70, {4, 2, 2, 1, 1, 0}, {20, 3, 2, 1, 1, 1}, {17, 3, 1, 2, 2, 2}};
  for (const auto dtype : {ConvCommonApi::ConvDtype::FLOAT16, ConvCommonApi::ConvDtype::FLOAT32}) {
    ConvBackpropApi::Conv3DBpInputTiling host;
    host.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, dtype);
    host.SetWeightShape(conv.cout, conv.cin, 2, 3, 3);
    host.SetInputShape(conv.batch, conv.cin, 4, 20, 17);
    host.SetGradOutputShape(conv.batch, conv.cout, conv.d.output(), conv.h.output(),
                            conv.w.output());
    host.SetPadding(1, 0, 1, 1, 2, 2);
    host.SetStride(2, 2, 1);
    host.SetDilation(1, 1, 2);
    AscendC::tiling::Conv3DBackpropInputTilingData data;
    ASSERT_EQ(host.GetTiling(data), 0) << error_text();
    if (dtype == ConvCommonApi::ConvDtype::FLOAT16) {
      Operands<half> operands(conv, rough_values<half>(6));
      expect_definition(operands, data.conv3DDxTiling, 24);
    } else {
      Operands<float> operands(conv, rough_values<float>(7));
      expect_definition(operands, data.conv3DDxTiling, 24);
    }
  }
}

// ---- untouched memory

/// Whether the tile of that row leaves memory as it was, by the rules of contribution.
bool is_untouched(const Convolution& conv, int64_t depth, int64_t first_row, int64_t last_row,
                  int32_t flag) {
  bool meets_depth = false, meets_rows = false;
  for (int64_t kd = 0; kd < conv.d.kernel; ++kd) {
    meets_depth = meets_depth || conv.d.output_reading(depth, kd) >= 0;
  }
  for (int64_t row = first_row; row <= last_row; ++row) {
    for (int64_t kh = 0; kh < conv.h.kernel; ++kh) {
      meets_rows = meets_rows || conv.h.output_reading(row, kh) >= 0;
    }
  }
  return !meets_depth || (!meets_rows && flag == 1);
}

class Untouched : public Ascendc, public testing::WithParamInterface<int32_t> {};

TEST_P(Untouched, MemoryIsUntouchedExactlyWhereNothingContributes) {
  const int32_t flag = GetParam();
  // Rows 2, 5, 8 and slices 2, 5 meet no output; a tile is one row.
  const Convolution conv{2, 5, 20, {7, 2, 3}, {9, 2, 3}, {8, 3, 1, 1, 1, 1}};
  const Cut cut{
      .base_m = 8, .base_n = 16, .rows = 4, .channel_blocks = 2, .init_output_flag = flag};
  Operands<half> operands(conv, small_integers(8));
  operands.upload();
  ASSERT_EQ(
      launch(backprop_input<half>, 4, operands.buffers(), tiling_of(conv, 16, cut), uint8_t{0}), 0)
      << error_text();
  const auto found = operands.grad_input->values<half>();
  const auto expected = expected_grad_input(operands);
  int64_t untouched = 0;
  cube::for_each_position({2, 32, 7, 9, 8}, [&](const cube::Extents& at) {
    const cube::FeatureMapLayout padded{{2, 32, 7, 9, 8}, 16};
    const auto index = static_cast<std::size_t>(padded.index(at));
    const bool stays = is_untouched(conv, at.d, at.h, at.h, flag);
    untouched += stays ? 1 : 0;
    ASSERT_EQ(found[index].bits, stays ? 0xFFFF : expected[index].bits)
        << at.d << " " << at.h << " " << at.w << " channel " << at.c;
  });
  EXPECT_GT(untouched, 0);
}

INSTANTIATE_TEST_SUITE_P(InitOutputFlag, Untouched, testing::Values(0, 1));

TEST_F(Ascendc, ReadsNoPaddingOfChannels) {
  const Convolution conv{1, 5, 4, {}, {4, 2}, {4, 2}};
  Operands<half> operands(conv, small_integers(9));
  operands.upload();
  const cube::FeatureMapLayout padded{{1, 16, 1, 3, 3}, 16};
  auto dy = operands.grad_output->values<half>();
  cube::for_each_position(padded.extents, [&](const cube::Extents& at) {
    if (at.c >= 5) dy[static_cast<std::size_t>(padded.index(at))].bits = half(INFINITY).bits;
  });
  operands.grad_output = std::make_unique<DeviceVector>(dy);
  ASSERT_EQ(
      launch(backprop_input<half>, 1, operands.buffers(), tiling_of(conv, 16, {}), uint8_t{0}), 0);
  EXPECT_EQ(bytes_of(operands.grad_input->values<half>()), bytes_of(expected_grad_input(operands)));
}

TEST_F(Ascendc, LetsNoInfinityThroughPaddingAndHoles) {
  const Convolution conv{1, 3, 3, {}, {6, 3, 2, 1, 1, 1}, {6, 3, 2, 1, 1, 1}};
  Operands<float> operands(conv, small_integers(10));
  operands.w.at({1, 2, 0, 0, 0}) = std::numeric_limits<float>::infinity();
  for (float& value : operands.dy.values) value += 5;  // no 0 to multiply infinity with
  expect_definition(operands, tiling_of(conv, 8, {.base_k = 8, .base_n = 8, .rows = 3}));
}

// ---- arithmetic and output

TEST_F(Ascendc, RoundsOperandsToHf32WhereTheTilingAsksForIt) {
  const Convolution conv{1, 1, 1, {}, {}, {}};
  for (const int32_t flag : {0, 1}) {
    Operands<float> operands(conv, [] { return 1.0F + 0x1p-13F; });
    operands.upload();
    Tiling tiling = tiling_of(conv, 8, {.base_k = 8, .base_n = 8});
    tiling.hf32Flag = flag;
    ASSERT_EQ(launch(backprop_input<float>, 1, operands.buffers(), tiling, uint8_t{0}), 0);
    const float exact = (1.0F + 0x1p-13F) * (1.0F + 0x1p-13F);
    EXPECT_EQ(operands.grad_input->values<float>()[0], flag == 1 ? 1.0F : exact);
  }
}

TEST_F(Ascendc, AddsToMemoryWhereEnAtomicIsOne) {
  const Convolution conv{1, 4, 20, {2}, {4, 3, 1, 1, 1, 1}, {5, 3, 1, 1, 1, 1}};
  Operands<half> operands(conv, small_integers(11));
  operands.upload();
  operands.grad_input->fill(0);
  for (int repeat = 0; repeat < 3; ++repeat) {
    ASSERT_EQ(
        launch(backprop_input<half>, 3, operands.buffers(), tiling_of(conv, 16, {}), uint8_t{1}),
        0);
  }
  auto expected = expected_grad_input(operands);
  for (half& value : expected) value = half(3 * value);
  EXPECT_EQ(bytes_of(operands.grad_input->values<half>()), bytes_of(expected));
}

TEST_F(Ascendc, SaturatesWhereTheDeviceDoes) {
  const Convolution conv{1, 1, 1, {}, {}, {}};
  for (const bool saturates : {false, true}) {
    open({{"GRADPROOF_OVERFLOW_MODE", saturates ? "saturation" : "infnan"}});
    Operands<half> operands(conv, [] { return 300.0F; });
    operands.upload();
    aclrtStream stream = new_stream();
    ASSERT_EQ(launch_on(stream, backprop_input<half>, 1, operands.buffers(),
                        tiling_of(conv, 16, {}), uint8_t{0}),
              0);
    ASSERT_EQ(aclrtSynchronizeStream(stream), 0) << error_text();
    EXPECT_EQ(operands.grad_input->values<half>()[0].bits, saturates ? 0x7BFF : 0x7C00);
  }
}

TEST_F(Ascendc, WritesToTheBlocksScratchTileInNcdhw) {
  const Convolution conv{1, 4, 16, {2}, {3}, {5}};
  Operands<half> operands(conv, small_integers(12));
  operands.upload();
  const Tiling tiling = tiling_of(conv, 16, {.base_m = 16, .rows = 3});
  const DeviceVector scratch(std::size_t{16} * 16 * sizeof(half));  // one block's
  const auto kernel = [](Buffers buffers, Tiling t) {
    BackpropInput<half, ConvFormat::NCDHW> gradient;
    gradient.Init(&t);
    compute<half>(gradient, t, tasks_of(t)[AscendC::GetBlockIdx()], buffers, 0);
    gradient.End();
  };
  Buffers buffers = operands.buffers();
  buffers.grad_input = scratch.address();
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(+kernel, 2, buffers, tiling), 507043) << "the second block has its own tile";
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(launch(+kernel, 1, buffers, tiling), 0) << error_text();
  }
  const std::string warning = testing::internal::GetCapturedStderr();
  EXPECT_NE(warning.find("scratch"), std::string::npos);
  EXPECT_EQ(warning.find("scratch"), warning.rfind("scratch tile,")) << "told once";
  const auto expected = expected_grad_input(operands);
  const auto found = scratch.values<half>();
  for (std::size_t i = 0; i < 15 * 16; ++i) EXPECT_EQ(found[i].bits, expected[i].bits) << i;
  EXPECT_EQ(found[15 * 16].bits, 0xFFFF) << "past the tile's positions";
}

// ---- misuse: each ends the launch with a text that names call and core

/// A right program in pieces, to be misarranged. Two tiles in each task.
struct Pieces {
  BackpropInput<half>& gradient;
  const Tiling& tiling;
  Buffers buffers;

  void init() const { gradient.Init(&tiling); }
  void set_single_shape() const { gradient.SetSingleShape(2 * 16, 9 * 16, 4); }
  void set_start_position() const { gradient.SetStartPosition(0, -1); }
  void set_grad_output() const { gradient.SetGradOutput(tensor_at<half>(buffers.grad_output)); }
  void set_weight() const { gradient.SetWeight(tensor_at<half>(buffers.weight)); }
  void set_all() const {
    set_single_shape();
    set_start_position();
    set_grad_output();
    set_weight();
  }
  void get_tensor() const { gradient.GetTensorC(tensor_at<half>(buffers.grad_input)); }
  void run_task() const {
    set_all();
    while (gradient.Iterate()) get_tensor();
  }
};

using Program = std::function<void(const Pieces&)>;

struct Misuse {
  const char* call;  ///< after "Conv3DBackpropInput::"
  const char* says;
  Program program;
  aclError code = 507015;
};

// 16 x 16 positions, 3 x 3 taps, one block of channels on both sides.
Convolution misused() { return {1, 4, 4, {}, {16, 3, 1, 1, 1, 1}, {16, 3, 1, 1, 1, 1}}; }
Tiling misused_tiling() { return tiling_of(misused(), 16, {.rows = 2}); }

Program with_tiling(const std::function<void(Tiling&)>& change) {
  return [change](const Pieces& p) {
    Tiling tiling = p.tiling;
    change(tiling);
    p.gradient.Init(&tiling);
    p.gradient.End();
  };
}

Program with_shape(uint64_t m, uint64_t k, uint32_t n) {
  return [=](const Pieces& p) {
    p.init();
    p.gradient.SetSingleShape(m, k, n);
  };
}

const Misuse misuses[] = {
    {"SetSingleShape", "before Init", [](const Pieces& p) { p.set_single_shape(); }},
    {"SetStartPosition", "before Init", [](const Pieces& p) { p.set_start_position(); }},
    {"SetGradOutput", "before Init", [](const Pieces& p) { p.set_grad_output(); }},
    {"SetWeight", "before Init", [](const Pieces& p) { p.set_weight(); }},
    {"Iterate", "before Init", [](const Pieces& p) { p.gradient.Iterate(); }},
    {"GetTensorC", "before Init", [](const Pieces& p) { p.get_tensor(); }},
    {"End", "before Init", [](const Pieces& p) { p.gradient.End(); }},
    {"Iterate", "before Conv3DBackpropInput::SetSingleShape",
     [](const Pieces& p) { p.init(), p.set_start_position(), p.gradient.Iterate(); }},
    {"Iterate", "before Conv3DBackpropInput::SetStartPosition",
     [](const Pieces& p) { p.init(), p.set_single_shape(), p.gradient.Iterate(); }},
    {"Iterate", "before Conv3DBackpropInput::SetGradOutput",
     [](const Pieces& p) {
       p.init(), p.set_single_shape(), p.set_start_position(), p.set_weight(), p.gradient.Iterate();
     }},
    {"Iterate", "before Conv3DBackpropInput::SetWeight",
     [](const Pieces& p) {
       p.init(), p.set_single_shape(), p.set_start_position(), p.set_grad_output(),
           p.gradient.Iterate();
     }},
    {"GetTensorC", "there is no tile",
     [](const Pieces& p) { p.init(), p.set_all(), p.get_tensor(); }},
    {"GetTensorC", "there is no tile",
     [](const Pieces& p) {
       p.init(), p.set_all(), p.gradient.Iterate(), p.get_tensor(), p.get_tensor();
     }},
    {"GetTensorC", "there is no tile",
     [](const Pieces& p) { p.init(), p.run_task(), p.get_tensor(); }},
    {"Iterate", "twice without GetTensorC",
     [](const Pieces& p) { p.init(), p.set_all(), p.gradient.Iterate(), p.gradient.Iterate(); }},
    {"Iterate", "ctx.isFirstIter_ is false",
     [](const Pieces& p) { p.init(), p.run_task(), p.run_task(); }},
    {"Init", "stepM is 2; it must be 1", with_tiling([](Tiling& t) { t.stepM = 2; })},
    {"Init", "stepN is 0; it must be 1", with_tiling([](Tiling& t) { t.stepN = 0; })},
    {"Init", "batch is 0", with_tiling([](Tiling& t) { t.batch = 0; })},
    {"Init", "cin is 0", with_tiling([](Tiling& t) { t.cin = 0; })},
    {"Init", "cout is 0", with_tiling([](Tiling& t) { t.cout = 0; })},
    {"Init", "ho is 0", with_tiling([](Tiling& t) { t.ho = 0; })},
    {"Init", "wo is 0", with_tiling([](Tiling& t) { t.wo = 0; })},
    {"Init", "hi is 0", with_tiling([](Tiling& t) { t.hi = 0; })},
    {"Init", "wi is 0", with_tiling([](Tiling& t) { t.wi = 0; })},
    {"Init", "hk is 0", with_tiling([](Tiling& t) { t.hk = 0; })},
    {"Init", "wk is 0", with_tiling([](Tiling& t) { t.wk = 0; })},
    {"Init", "strideH is 0", with_tiling([](Tiling& t) { t.strideH = 0; })},
    {"Init", "singleCoreM is 0", with_tiling([](Tiling& t) { t.singleCoreM = 0; })},
    {"Init", "baseM is 0", with_tiling([](Tiling& t) { t.baseM = 0; })},
    {"Init", "baseK is 0", with_tiling([](Tiling& t) { t.baseK = 0; })},
    {"Init", "baseN is 0", with_tiling([](Tiling& t) { t.baseN = 0; })},
    {"Init", "stepKa is 0", with_tiling([](Tiling& t) { t.stepKa = 0; })},
    {"Init", "baseN is 24; it must be a multiple of c0, 16",
     with_tiling([](Tiling& t) { t.baseN = 24; })},
    {"Init", "iterateOrder is 2", with_tiling([](Tiling& t) { t.iterateOrder = 2; })},
    {"Init", "c0 is 8; elements of 2 bytes have 16", with_tiling([](Tiling& t) { t.c0 = 8; })},
    {"Init", "gradOutput has more elements",
     with_tiling([](Tiling& t) { t.ho = t.wo = UINT32_MAX; })},
    {"Init", "dilationH is 4294967295",
     with_tiling([](Tiling& t) { t.hk = 65535, t.dilationH = UINT32_MAX; })},
    {"Init", "L0A overflows", with_tiling([](Tiling& t) { t.baseM = 4096; })},
    {"Init", "L0B overflows", with_tiling([](Tiling& t) { t.baseN = 4096; })},
    {"Init", "L0C overflows", with_tiling([](Tiling& t) { t.baseM = t.baseN = 512; })},
    {"Iterate", "L1 overflows",
     [](const Pieces& p) {
       Tiling tiling = p.tiling;
       tiling.wo = 200'000;
       p.gradient.Init(&tiling);
       p.run_task();
     }},
    {"Init", "the tiling is null", [](const Pieces& p) { p.gradient.Init(nullptr); }},
    {"Init", "can't be read",
     [](const Pieces& p) { p.gradient.Init(garbage_handle<const Tiling*>()); }},
    {"SetSingleShape", "singleShapeK is 145; it must be a multiple of dk * hk * wk * c0, 144",
     with_shape(32, 145, 4)},
    {"SetSingleShape", "singleShapeK is 288", with_shape(32, 288, 4)},
    {"SetSingleShape", "singleShapeK is 0", with_shape(32, 0, 4)},
    {"SetSingleShape", "singleShapeM is 33; it must be whole rows of wi, 16",
     with_shape(33, 144, 4)},
    {"SetSingleShape", "singleShapeM is 272", with_shape(272, 144, 4)},
    {"SetSingleShape", "singleShapeN is 17", with_shape(32, 144, 17)},
    {"SetStartPosition", "curDinStartIdx is 1",
     [](const Pieces& p) { p.init(), p.gradient.SetStartPosition(1, 0); }},
    {"Iterate", "rows 15 to 16 of gradInput, which has 16",
     [](const Pieces& p) {
       p.init(), p.set_all(), p.gradient.SetStartPosition(0, 14), p.gradient.Iterate();
     }},
    {"Iterate", "rows -1 to 0 of gradInput",
     [](const Pieces& p) {
       p.init(), p.set_all(), p.gradient.SetStartPosition(0, -2), p.gradient.Iterate();
     }},
    {"Iterate", "has been freed or changed",
     [](const Pieces& p) {
       auto tiling = std::make_unique<Tiling>(p.tiling);
       p.gradient.Init(tiling.get());
       p.set_all();
       tiling.reset();
       p.gradient.Iterate();
     }},
    {"GetTensorC", "has been freed or changed",
     [](const Pieces& p) {
       Tiling tiling = p.tiling;
       p.gradient.Init(&tiling);
       p.set_all();
       p.gradient.Iterate();
       tiling.hi = 15;
       p.get_tensor();
     }},
    {"Iterate", "gradOutput is read outside of device memory",
     [](const Pieces& p) {
       p.init(), p.set_all();
       p.gradient.SetGradOutput(tensor_at<half>(p.buffers.grad_output)[16 * 16 * 16]);
       p.gradient.Iterate();
     },
     507042},
    {"Iterate", "weight is read outside of device memory",
     [](const Pieces& p) {
       p.init(), p.set_all();
       p.gradient.SetWeight(tensor_at<half>(p.buffers.weight)[16]);
       p.gradient.Iterate();
     },
     507042},
    {"GetTensorC",
     "gradInput is written out of bounds at elements 0 to 255: SetGlobalBuffer gave 255",
     [](const Pieces& p) {
       p.init(), p.set_all(), p.gradient.Iterate();
       GlobalTensor<half> output;
       output.SetGlobalBuffer(reinterpret_cast<half*>(p.buffers.grad_input), 255);
       p.gradient.GetTensorC(output);
     },
     507043},
    {"SetWeight", "not a multiple of 32 bytes",
     [](const Pieces& p) { p.init(), p.gradient.SetWeight(tensor_at<half>(p.buffers.weight)[1]); }},
    {"GetTensorC", "enAtomic is 2",
     [](const Pieces& p) {
       p.init(), p.set_all(), p.gradient.Iterate();
       p.gradient.GetTensorC(tensor_at<half>(p.buffers.grad_input), 2);
     }},
    {"GetTensorC", "enSequentialWrite is true",
     [](const Pieces& p) {
       p.init(), p.set_all(), p.gradient.Iterate();
       p.gradient.GetTensorC(tensor_at<half>(p.buffers.grad_input), 0, true);
     }},
    {"End", "leak: an object was initialised and not ended",
     [](const Pieces& p) { p.init(), p.run_task(); }},
    {"End", "not moved",
     [](const Pieces& p) { p.init(), p.set_all(), p.gradient.Iterate(), p.gradient.End(); }},
    {"End", "called after End",
     [](const Pieces& p) { p.init(), p.gradient.End(), p.gradient.End(); }},
    {"Init", "called twice", [](const Pieces& p) { p.init(), p.init(); }},
    {"Init", "called after End", [](const Pieces& p) { p.init(), p.gradient.End(), p.init(); }},
};

/// Runs the program on core 1 of 2 and a right one on core 0.
aclError run_on_second_core(const Program& program, Operands<half>& operands) {
  const Tiling tiling = misused_tiling();
  return run_blocks(2, [&] {
    BackpropInput<half> gradient;
    const Pieces pieces{gradient, tiling, operands.buffers()};
    if (AscendC::GetBlockIdx() == 1) return program(pieces);
    pieces.init();
    pieces.run_task();
    gradient.End();
  });
}

TEST_F(Ascendc, AcceptsWhatTheMisusesAreVariationsOf) {
  Operands<half> operands(misused(), small_integers(13));
  operands.upload();
  const auto right = [](const Pieces& p) {
    p.init();
    p.run_task();
    EXPECT_FALSE(p.gradient.Iterate()) << "no more tiles, however often it is asked";
    p.gradient.ctx.isFirstIter_ = true;
    p.run_task();
    p.gradient.End();
  };
  EXPECT_EQ(run_on_second_core(right, operands), 0) << error_text();
}

TEST_F(Ascendc, EndsEachMisuseWithATextThatNamesCallAndCore) {
  Operands<half> operands(misused(), small_integers(14));
  operands.upload();
  for (const Misuse& misuse : misuses) {
    SCOPED_TRACE(testing::Message() << misuse.call << ": " << misuse.says);
    error_text();
    EXPECT_EQ(run_on_second_core(misuse.program, operands), misuse.code);
    const std::string text = error_text();
    const std::string start =
        std::string("core 1 of 2: Conv3DBackpropInput::") + misuse.call + ": ";
    EXPECT_NE(text.find(start), std::string::npos) << text;
    EXPECT_NE(text.find(misuse.says), std::string::npos) << text;
  }
}

TEST_F(Ascendc, ExistsOnAscend910BAnd91093Alone) {
  for (const auto& [soc, code] :
       {std::pair{"Ascend910B3", 0}, std::pair{"Ascend910_9391", 0},
        std::pair{"Ascend950PR_9589", 507015}, std::pair{"Ascend910B", 507015}}) {
    open({{"GRADPROOF_DEVICES", soc}});
    const Tiling tiling = misused_tiling();
    EXPECT_EQ(run_blocks(1,
                         [&] {
                           BackpropInput<half> gradient;
                           gradient.Init(&tiling);
                           gradient.End();
                         }),
              code)
        << soc;
  }
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
