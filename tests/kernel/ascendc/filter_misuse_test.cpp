// Misuse of Conv3DBackpropFilter: what is this class's own; the order of calls is shared with
// Conv3DBackpropInput.

#include <gtest/gtest.h>

#include <string>

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
    {"Init", "stepM is 0", with_tiling([](Tiling& t) { t.stepM = 0; })},
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
