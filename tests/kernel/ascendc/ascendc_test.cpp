// Conv3DBackpropInput on the simulated cores: gradInput by tiles against gradInput by definition,
// bit for bit; memory that must stay untouched.

#include "tests/kernel/ascendc/ascendc_grad_input.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace gradproof::kernel::ascendc {
namespace {

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

/// -1 * (1 + 2^-11) + (1 + 2^-12)^2 is 2^-24, unless the square is rounded first.
TEST_F(Ascendc, FusesProductsWithSumsUnlessTheMachineRoundsThem) {
  const auto grad_input = [] {
    Operands<float> operands({1, 2, 1, {}, {}, {}}, small_integers(1));
    operands.dy.values = {-1, 1 + 0x1p-12F};
    operands.w.values = {1 + 0x1p-11F, 1 + 0x1p-12F};
    operands.upload();
    EXPECT_EQ(launch(backprop_input<float>, 1, operands.buffers(), tiling_of(operands.conv, 8, {}),
                     uint8_t{0}),
              0)
        << error_text();
    return operands.grad_input->values<float>().front();
  };
  EXPECT_EQ(grad_input(), 0x1p-24F);
  open({{"GRADPROOF_FLOAT_PRODUCTS", "rounded"}});
  EXPECT_EQ(grad_input(), 0.0F);
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

}  // namespace
}  // namespace gradproof::kernel::ascendc
