// Two convolutions on two streams: both are enqueued before either is waited for. The second is the
// transposed convolution whose gradInput is the forward convolution of gradOutput.
//   g++ -std=c++17 convolution_backward_two_streams.cpp -lascendcl -lnnopbase -lopapi
#include "npu.h"

int main() {
  npu::Device device(0);
  npu::Stream first_stream;
  npu::Stream second_stream;
  const aclFormat nchw = ACL_FORMAT_NCHW;
  npu::Tensor<float> weight({1, 1, 2, 2}, {10, 20, 30, 40}, ACL_FLOAT, nchw);

  npu::Tensor<float> first_dy({1, 1, 2, 2}, {1, 2, 3, 4}, ACL_FLOAT, nchw);
  npu::Tensor<float> first_x({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, ACL_FLOAT, nchw);
  npu::Tensor<float> first_dx({1, 1, 3, 3}, std::vector<float>(9), ACL_FLOAT, nchw);
  npu::Tensor<float> first_dw({1, 1, 2, 2}, std::vector<float>(4), ACL_FLOAT, nchw);
  npu::Tensor<float> first_db({1}, std::vector<float>(1), ACL_FLOAT, ACL_FORMAT_ND);
  const npu::Attributes normal{{1, 1}, {0, 0}, {1, 1}, {0, 0}, false, 1, 0};
  npu::ConvolutionBackward first(first_dy, first_x, weight, 1, normal, first_dx, first_dw, first_db,
                                 first_stream);

  npu::Tensor<float> second_dy({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, ACL_FLOAT, nchw);
  npu::Tensor<float> second_x({1, 1, 2, 2}, {1, 2, 3, 4}, ACL_FLOAT, nchw);
  npu::Tensor<float> second_dx({1, 1, 2, 2}, std::vector<float>(4), ACL_FLOAT, nchw);
  npu::Tensor<float> second_dw({1, 1, 2, 2}, std::vector<float>(4), ACL_FLOAT, nchw);
  npu::Tensor<float> second_db({1}, std::vector<float>(1), ACL_FLOAT, ACL_FORMAT_ND);
  const npu::Attributes transposed{{1, 1}, {0, 0}, {1, 1}, {0, 0}, true, 1, 0};
  npu::ConvolutionBackward second(second_dy, second_x, weight, 1, transposed, second_dx, second_dw,
                                  second_db, second_stream);

  second_stream.synchronize();
  first_stream.synchronize();
  npu::print("first gradInput", first_dx.values());
  npu::print("first gradWeight", first_dw.values());
  npu::print("first gradBias", first_db.values());
  npu::print("second gradInput", second_dx.values());
  npu::print("second gradWeight", second_dw.values());
  npu::print("second gradBias", second_db.values());
  return 0;
}
