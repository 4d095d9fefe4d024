// The gradient of a 2D convolution of all ones with respect to its input, by a graph operator, in
// NDHWC, with a pad on the right side alone; then a call that is refused.

#include <aclnn/aclnn_base.h>
#include <gradproof/graph_operators.hpp>

#include <cstdio>

namespace {

// Device memory full of ones, with a tensor descriptor over it. Lives as long as the program.
struct Ones {
  Ones(const std::vector<int64_t>& shape, aclFormat format) : count(1), memory(nullptr) {
    for (int64_t length : shape) count *= static_cast<size_t>(length);
    const std::vector<float> ones(count, 1.0f);
    aclrtMalloc(&memory, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory, count * sizeof(float), ones.data(), count * sizeof(float),
                ACL_MEMCPY_HOST_TO_DEVICE);
    descriptor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, format,
                                 shape.data(), shape.size(), memory);
  }
  ~Ones() {
    aclDestroyTensor(descriptor);
    aclrtFree(memory);
  }

  size_t count;
  void* memory;
  aclTensor* descriptor;
};

void print(const Ones& tensor) {
  std::vector<float> values(tensor.count);
  aclrtMemcpy(values.data(), tensor.count * sizeof(float), tensor.memory,
              tensor.count * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST);
  for (float value : values) std::printf("%g ", value);
  std::printf("\n");
}

}  // namespace

int main() {
  namespace graph = gradproof::graph_operators;
  aclInit(nullptr);
  aclrtSetDevice(0);
  {
    const Ones filter({1, 1, 2, 1, 4}, ACL_FORMAT_DHWCN);        // H 1, W 2; 1 channel in, 4 out
    const Ones out_backprop({1, 1, 1, 4, 4}, ACL_FORMAT_NDHWC);  // W 4
    const Ones y({1, 1, 1, 4, 1}, ACL_FORMAT_NDHWC);             // W 4, and one pad on its right

    graph::Conv3DBackpropInputV2 call;
    call.input_size = {1, 1, 1, 4, 1};
    call.filter = filter.descriptor;
    call.out_backprop = out_backprop.descriptor;
    call.convolution.strides = {1, 1, 1, 1, 1};
    call.convolution.pads = {0, 0, 0, 0, 0, 1};
    call.y = y.descriptor;

    const graph::Outcome computed = graph::run(call);
    std::printf("status %d\n", computed.status);
    print(y);

    call.convolution.strides[2] = 64;
    const graph::Outcome refused = graph::run(call);
    std::printf("status %d\n%s\n", refused.status, refused.text.c_str());
  }
  aclrtResetDevice(0);
  return aclFinalize();
}
