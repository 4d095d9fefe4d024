// Gradients of a 1D convolution with stride 2 and padding 1 (format NCL).
//   g++ -std=c++17 convolution_backward_1d.cpp -lascendcl -lnnopbase -lopapi
#include "npu.h"

int main() {
  npu::Device device(0);
  npu::Stream stream;
  const aclFormat ncl = ACL_FORMAT_NCL;
  npu::Tensor<float> grad_output({1, 1, 3}, {1, 2, 3}, ACL_FLOAT, ncl);
  npu::Tensor<float> input({1, 1, 5}, {1, 2, 3, 4, 5}, ACL_FLOAT, ncl);
  npu::Tensor<float> weight({1, 1, 3}, {1, 10, 100}, ACL_FLOAT, ncl);
  npu::Tensor<float> grad_input({1, 1, 5}, std::vector<float>(5), ACL_FLOAT, ncl);
  npu::Tensor<float> grad_weight({1, 1, 3}, std::vector<float>(3), ACL_FLOAT, ncl);
  npu::Tensor<float> grad_bias({1}, std::vector<float>(1), ACL_FLOAT, ACL_FORMAT_ND);

  const npu::Attributes conv{{2}, {1}, {1}, {0}, false, 1, 0};
  npu::ConvolutionBackward call(grad_output, input, weight, 1, conv, grad_input, grad_weight,
                                grad_bias, stream);
  stream.synchronize();
  npu::print("gradInput", grad_input.values());
  npu::print("gradWeight", grad_weight.values());
  npu::print("gradBias", grad_bias.values());
  return 0;
}
