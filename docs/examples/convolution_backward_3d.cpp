// Gradients of a 3D convolution of all ones: two channels in and out, 2x2x2 kernel, 3x3x3 input.
//   g++ -std=c++17 convolution_backward_3d.cpp -lascendcl -lnnopbase -lopapi
#include "npu.h"

int main() {
  npu::Device device(0);
  npu::Stream stream;
  const aclFormat ncdhw = ACL_FORMAT_NCDHW;
  npu::Tensor<float> grad_output({1, 2, 2, 2, 2}, std::vector<float>(16, 1), ACL_FLOAT, ncdhw);
  npu::Tensor<float> input({1, 2, 3, 3, 3}, std::vector<float>(54, 1), ACL_FLOAT, ncdhw);
  npu::Tensor<float> weight({2, 2, 2, 2, 2}, std::vector<float>(32, 1), ACL_FLOAT, ncdhw);
  npu::Tensor<float> grad_input({1, 2, 3, 3, 3}, std::vector<float>(54), ACL_FLOAT, ncdhw);
  npu::Tensor<float> grad_weight({2, 2, 2, 2, 2}, std::vector<float>(32), ACL_FLOAT, ncdhw);
  npu::Tensor<float> grad_bias({2}, std::vector<float>(2), ACL_FLOAT, ACL_FORMAT_ND);

  const npu::Attributes conv{{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, false, 1, 0};
  npu::ConvolutionBackward call(grad_output, input, weight, 2, conv, grad_input, grad_weight,
                                grad_bias, stream);
  stream.synchronize();
  npu::print("gradInput", grad_input.values());
  npu::print("gradWeight", grad_weight.values());
  npu::print("gradBias", grad_bias.values());
  return 0;
}
