// The 2D example in FLOAT16, host values as raw 16-bit patterns.
//   g++ -std=c++17 convolution_backward_float16.cpp -lascendcl -lnnopbase -lopapi
#include "npu.h"

static std::vector<aclFloat16> halves(const std::vector<float>& values) {
  std::vector<aclFloat16> encoded;
  for (size_t i = 0; i < values.size(); ++i) encoded.push_back(aclFloatToFloat16(values[i]));
  return encoded;
}

static std::vector<float> floats(const std::vector<aclFloat16>& values) {
  std::vector<float> decoded;
  for (size_t i = 0; i < values.size(); ++i) decoded.push_back(aclFloat16ToFloat(values[i]));
  return decoded;
}

int main() {
  npu::Device device(0);
  npu::Stream stream;
  typedef npu::Tensor<aclFloat16> Half;
  const aclFormat nchw = ACL_FORMAT_NCHW;
  Half grad_output({1, 1, 2, 2}, halves({1, 2, 3, 4}), ACL_FLOAT16, nchw);
  Half input({1, 1, 3, 3}, halves({1, 2, 3, 4, 5, 6, 7, 8, 9}), ACL_FLOAT16, nchw);
  Half weight({1, 1, 2, 2}, halves({10, 20, 30, 40}), ACL_FLOAT16, nchw);
  Half grad_input({1, 1, 3, 3}, std::vector<aclFloat16>(9), ACL_FLOAT16, nchw);
  Half grad_weight({1, 1, 2, 2}, std::vector<aclFloat16>(4), ACL_FLOAT16, nchw);
  Half grad_bias({1}, std::vector<aclFloat16>(1), ACL_FLOAT16, ACL_FORMAT_ND);

  const npu::Attributes conv{{1, 1}, {0, 0}, {1, 1}, {0, 0}, false, 1, 0};
  npu::ConvolutionBackward call(grad_output, input, weight, 1, conv, grad_input, grad_weight,
                                grad_bias, stream);
  stream.synchronize();
  npu::print("gradInput", floats(grad_input.values()));
  npu::print("gradWeight", floats(grad_weight.values()));
  npu::print("gradBias", floats(grad_bias.values()));
  return 0;
}
