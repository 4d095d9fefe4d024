// Both phases of the operators; aclnnConvolution and aclnnAdd are in training.cpp.
#include <vector>

#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "family.h"

/// A FLOAT tensor of the device.
class Tensor {
 public:
  Tensor(const std::vector<std::int64_t>& shape, const std::vector<float>& values, aclFormat format)
      : memory_(values.size() * sizeof(float)), count_(values.size()) {
    memory_.write(values.data());
    tensor_ = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, format,
                              shape.data(), shape.size(), memory_);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() { CHECK(aclDestroyTensor(tensor_)); }
  operator aclTensor*() const { return tensor_; }
  void print(const char* name) const {
    std::vector<float> values(count_);
    memory_.read(values.data());
    std::printf("%s:", name);
    for (const float value : values) std::printf(" %g", value);
    std::printf("\n");
  }

 private:
  Memory memory_;
  std::size_t count_;
  aclTensor* tensor_ = nullptr;
};

static aclIntArray* array(const std::vector<std::int64_t>& values) {
  return aclCreateIntArray(values.data(), values.size());
}

template <class Phase>
void run(Phase phase_two, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  const Memory workspace(bytes + 1);
  CHECK(phase_two(workspace, bytes, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
}

static void convolution_backward(aclrtStream stream) {
  const Tensor grad_output({1, 1, 2}, {1, 10}, ACL_FORMAT_NCL);
  const Tensor input({1, 1, 3}, {1, 2, 3}, ACL_FORMAT_NCL);
  const Tensor weight({1, 1, 2}, {1, 5}, ACL_FORMAT_NCL);
  const Tensor grad_input({1, 1, 3}, {0, 0, 0}, ACL_FORMAT_NCL);
  const Tensor grad_weight({1, 1, 2}, {0, 0}, ACL_FORMAT_NCL);
  const Tensor grad_bias({1}, {0}, ACL_FORMAT_ND);
  const bool all[] = {true, true, true};
  aclIntArray *const channels = array({1}), *const one = array({1}), *const none = array({0});
  aclBoolArray* const mask = aclCreateBoolArray(all, 3);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnConvolutionBackwardGetWorkspaceSize(grad_output, input, weight, channels, one, none,
                                                 one, false, none, 1, mask, 0, grad_input,
                                                 grad_weight, grad_bias, &bytes, &executor));
  run(aclnnConvolutionBackward, bytes, executor, stream);
  grad_input.print("gradInput");
  grad_weight.print("gradWeight");
  grad_bias.print("gradBias");
  for (aclIntArray* const values : {channels, one, none}) CHECK(aclDestroyIntArray(values));
  CHECK(aclDestroyBoolArray(mask));
}

static void conv_tbc_backward(aclrtStream stream) {
  const Tensor self({2, 1, 1}, {1, 10}, ACL_FORMAT_ND), input({3, 1, 1}, {1, 2, 3}, ACL_FORMAT_ND);
  const Tensor weight({2, 1, 1}, {1, 5}, ACL_FORMAT_ND), bias({1}, {0}, ACL_FORMAT_ND);
  const Tensor grad_input({3, 1, 1}, {0, 0, 0}, ACL_FORMAT_ND);
  const Tensor grad_weight({2, 1, 1}, {0, 0}, ACL_FORMAT_ND), grad_bias({1}, {0}, ACL_FORMAT_ND);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnConvTbcBackwardGetWorkspaceSize(self, input, weight, bias, 0, 0, grad_input,
                                             grad_weight, grad_bias, &bytes, &executor));
  run(aclnnConvTbcBackward, bytes, executor, stream);
  grad_input.print("TBC gradInput");
  grad_weight.print("TBC gradWeight");
}

static void forward(aclrtStream stream) {
  const Tensor self({3, 1, 1}, {1, 2, 3}, ACL_FORMAT_ND), weight({2, 1, 1}, {1, 5}, ACL_FORMAT_ND);
  const Tensor bias({1}, {3}, ACL_FORMAT_ND), output({2, 1, 1}, {0, 0}, ACL_FORMAT_ND);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnConvTbcGetWorkspaceSize(self, weight, bias, 0, output, 0, &bytes, &executor));
  run(aclnnConvTbc, bytes, executor, stream);
  output.print("TBC output");
  const Tensor map({1, 1, 1, 2}, {1, 2}, ACL_FORMAT_NCHW);
  const Tensor kernel({1, 1, 1, 2}, {3, 3}, ACL_FORMAT_NCHW),
      out({1, 1, 1, 1}, {0}, ACL_FORMAT_NCHW);
  aclIntArray *const sizes = array({1, 2}), *const ones = array({1, 1}),
                     *const none = array({0, 0});
  CHECK(aclnnConvDepthwise2dGetWorkspaceSize(map, kernel, sizes, nullptr, ones, none, ones, out, 0,
                                             &bytes, &executor));
  run(aclnnConvDepthwise2d, bytes, executor, stream);
  out.print("depthwise output");
  for (aclIntArray* const values : {sizes, ones, none}) CHECK(aclDestroyIntArray(values));
}

int main() {
  const Device device;
  const Stream stream;
  convolution_backward(stream);
  conv_tbc_backward(stream);
  forward(stream);
  return failures;
}
