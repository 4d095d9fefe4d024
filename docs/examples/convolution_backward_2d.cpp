// Gradients of a 2D convolution: one channel, 3x3 input, 2x2 kernel, stride 1, no padding.
//   g++ -std=c++17 convolution_backward_2d.cpp -lascendcl -lnnopbase -lopapi
#include "npu.h"

int main() {
  npu::Device device(0);
  npu::Stream stream;
  const aclFormat nchw = ACL_FORMAT_NCHW;
  npu::Tensor<float> grad_output({1, 1, 2, 2}, {1, 2, 3, 4}, ACL_FLOAT, nchw);
  npu::Tensor<float> input({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, ACL_FLOAT, nchw);
  npu::Tensor<float> weight({1, 1, 2, 2}, {10, 20, 30, 40}, ACL_FLOAT, nchw);
  npu::Tensor<float> grad_input({1, 1, 3, 3}, std::vector<float>(9), ACL_FLOAT, nchw);
  npu::Tensor<float> grad_weight({1, 1, 2, 2}, std::vector<float>(4), ACL_FLOAT, nchw);
  npu::Tensor<float> grad_bias({1}, std::vector<float>(1), ACL_FLOAT, ACL_FORMAT_ND);

  const npu::Attributes conv{{1, 1}, {0, 0}, {1, 1}, {0, 0}, false, 1, 0};
  npu::ConvolutionBackward call(grad_output, input, weight, 1, conv, grad_input, grad_weight,
                                grad_bias, stream);
  stream.synchronize();
  npu::print("gradInput", grad_input.values());
  npu::print("gradWeight", grad_weight.values());
  npu::print("gradBias", grad_bias.values());
  return 0;
}
