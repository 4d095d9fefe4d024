// The machine's setting GRADPROOF_FLOAT_PRODUCTS as programs see it, on every path.

#include <gtest/gtest.h>

#include "tests/support/convolution_backward_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel {
namespace {

class FloatProducts : public OnDevice {
 protected:
  /// Of the default device where `products` is null.
  /// gradWeight = -1 * (1 + 2^-11) + (1 + 2^-12)^2: 2^-24, unless the square is rounded first.
  float grad_weight(const char* products, const char* path) {
    Variables variables{{"GRADPROOF_PATH", path}};
    if (products != nullptr) variables.emplace_back("GRADPROOF_FLOAT_PRODUCTS", products);
    open(variables);
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    float result = 0;
    {
      OneTap tensors(ACL_FLOAT, 2);
      tensors.grad_output.write({-1, 1 + 0x1p-12F});
      tensors.input.write({1 + 0x1p-11F, 1 + 0x1p-12F});
      tensors.weight.write({1});
      EXPECT_EQ(run(tensors.arguments(0), stream).synchronised, ACL_SUCCESS) << recent_error();
      result = tensors.grad_weight.read().front();
    }
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    return result;
  }
};

TEST_F(FloatProducts, AreFusedUnlessTheMachineRoundsThem) {
  for (const char* path : {"device", "scalar", "plain"}) {
    EXPECT_EQ(grad_weight(nullptr, path), 0x1p-24F) << path;
    EXPECT_EQ(grad_weight("fused", path), 0x1p-24F) << path;
    EXPECT_EQ(grad_weight("rounded", path), 0.0F) << path;
  }
}

}  // namespace
}  // namespace gradproof::kernel
