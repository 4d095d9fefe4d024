// Every misuse of Conv3DBackpropInput ends the launch with a text that names call and core.

#include "tests/kernel/ascendc/ascendc_grad_input.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

namespace gradproof::kernel::ascendc {
namespace {

using AscendC::GlobalTensor;

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
    {"Init", "gradOutput has more elements",
     with_tiling([](Tiling& t) { t.ho = 1U << 20U, t.wo = (1U << 20U) + 1; })},
    {"Init", "dilationH is 4294967295",
     with_tiling([](Tiling& t) { t.hk = 65535, t.dilationH = UINT32_MAX; })},
    // 2^44 elements are not too many, so what comes next is named.
    {"Init", "dilationH is 4294967295", with_tiling([](Tiling& t) {
       t.ho = t.wo = 1U << 20U;
       t.hk = 65535, t.dilationH = UINT32_MAX;
     })},
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
