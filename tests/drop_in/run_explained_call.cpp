// Runs the function that `gradproof explain` printed on tensors of ones: input 1,2,4,4,
// weight 3,2,3,3. Prints an element of each gradient: products of ones count the terms.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

// As printed: its own translation unit.
aclnnStatus call(void* grad_output, void* input, void* weight, void* grad_input, void* grad_weight,
                 void* grad_bias, aclrtStream stream);

namespace {

void* device_ones(std::size_t count) {
  const std::vector<float> ones(count, 1.0F);
  void* memory = nullptr;
  aclrtMalloc(&memory, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(memory, count * sizeof(float), ones.data(), count * sizeof(float),
              ACL_MEMCPY_HOST_TO_DEVICE);
  return memory;
}

float element(const void* memory, std::size_t index) {
  float value = 0;
  aclrtMemcpy(&value, sizeof value, static_cast<const float*>(memory) + index, sizeof value,
              ACL_MEMCPY_DEVICE_TO_HOST);
  return value;
}

}  // namespace

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void* grad_input = device_ones(32);
  void* grad_weight = device_ones(54);
  void* grad_bias = device_ones(3);
  const aclnnStatus status = call(device_ones(12), device_ones(32), device_ones(54), grad_input,
                                  grad_weight, grad_bias, stream);
  std::printf("status %d\n", static_cast<int>(status));
  std::printf("gradInput corner %g, inside %g\n", element(grad_input, 0), element(grad_input, 5));
  std::printf("gradWeight %g\n", element(grad_weight, 0));
  std::printf("gradBias %g\n", element(grad_bias, 0));
  return 0;
}
