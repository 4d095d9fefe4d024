// The machine's setting GRADPROOF_WINOGRAD as programs see it, on every path.

#include <gtest/gtest.h>

#include "tests/support/convolution_backward_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel {
namespace {

class Winograd : public OnDevice {
 protected:
  /// dw[0][0][0][1] of a layer of 256 x 256 channels: an element without a product, in a tile that
  /// has one. Winograd's algorithm leaves a rounding there.
  float element_without_product(Variables variables, std::int8_t cube_math_type = 0) {
    variables.emplace_back("GRADPROOF_DEVICES", "Ascend950PR_9589");
    open(variables);
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    float result = 0;
    {
      constexpr std::int64_t channels = 256;
      DeviceTensor grad_output(ACL_FLOAT, {1, channels, 2, 2});
      DeviceTensor input(ACL_FLOAT, {1, channels, 4, 4});
      DeviceTensor weight(ACL_FLOAT, {channels, channels, 3, 3});
      DeviceTensor grad_weight(ACL_FLOAT, {channels, channels, 3, 3});
      std::vector<float> dy(channels * 4), x(channels * 16);
      dy[0] = 0x1.c3f35cp+0F;
      x[5] = 0x1.3c0ca2p+0F;
      x[9] = 0x1.948b10p-7F;
      grad_output.write(dy);
      input.write(x);
      Arguments call;
      call.grad_output = grad_output.descriptor();
      call.input = input.descriptor();
      call.weight = weight.descriptor();
      call.grad_weight = grad_weight.descriptor();
      call.bias_sizes = {channels};
      call.stride = call.dilation = {1, 1};
      call.padding = call.output_padding = {0, 0};
      call.mask = {false, true, false};
      call.cube_math_type = cube_math_type;
      EXPECT_EQ(run(call, stream).synchronised, ACL_SUCCESS) << recent_error();
      result = grad_weight.read().at(1);
    }
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    return result;
  }
};

TEST_F(Winograd, IsTakenWhereTheMachineSaysSo) {
  for (const char* path : {"device", "scalar", "plain"}) {
    const auto of = [&](const char* setting) {
      return element_without_product({{"GRADPROOF_PATH", path}, {"GRADPROOF_WINOGRAD", setting}});
    };
    EXPECT_EQ(of("on"), -0x1p-23F) << path;
    EXPECT_EQ(of("off"), 0.0F) << path;
  }
}

TEST_F(Winograd, IsNotTakenForHf32) {
  constexpr std::int8_t use_hf32 = 3;
  EXPECT_EQ(element_without_product({{"GRADPROOF_WINOGRAD", "on"}}, use_hf32), 0.0F);
}

}  // namespace
}  // namespace gradproof::kernel
