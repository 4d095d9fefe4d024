// The few lines around a CANN operator call that every example needs. C++11, nothing but CANN's
// headers.
#pragma once

#include <acl/acl.h>
#include <aclnnop/aclnn_convolution_backward.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace npu {

// Stops with the call's name, its code and the library's own words.
inline void require(int status, const char* call) {
  if (status == 0) return;
  const char* words = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s returned %d\n%s\n", call, status, words == nullptr ? "" : words);
  std::exit(1);
}

// A device and its runtime, for the life of the program.
class Device {
 public:
  explicit Device(int32_t id) : id_(id) {
    require(aclInit(nullptr), "aclInit");
    require(aclrtSetDevice(id_), "aclrtSetDevice");
  }
  ~Device() {
    aclrtResetDevice(id_);
    aclFinalize();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

 private:
  int32_t id_;
};

class Stream {
 public:
  Stream() { require(aclrtCreateStream(&handle_), "aclrtCreateStream"); }
  ~Stream() { aclrtDestroyStream(handle_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  aclrtStream handle() const { return handle_; }
  void synchronize() { require(aclrtSynchronizeStream(handle_), "aclrtSynchronizeStream"); }

 private:
  aclrtStream handle_ = nullptr;
};

// Device memory with a tensor descriptor over it; contiguous, row-major.
template <typename Element>
class Tensor {
 public:
  Tensor(const std::vector<int64_t>& shape, const std::vector<Element>& values, aclDataType type,
         aclFormat format)
      : count_(values.size()) {
    const size_t bytes = count_ * sizeof(Element);
    require(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    require(aclrtMemcpy(memory_, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
            "aclrtMemcpy to the device");
    descriptor_ = aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, format,
                                  shape.data(), shape.size(), memory_);
    if (descriptor_ == nullptr) require(-1, "aclCreateTensor");
  }
  ~Tensor() {
    aclDestroyTensor(descriptor_);
    aclrtFree(memory_);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  aclTensor* descriptor() const { return descriptor_; }
  std::vector<Element> values() const {
    std::vector<Element> host(count_);
    const size_t bytes = count_ * sizeof(Element);
    require(aclrtMemcpy(host.data(), bytes, memory_, bytes, ACL_MEMCPY_DEVICE_TO_HOST),
            "aclrtMemcpy to the host");
    return host;
  }

 private:
  size_t count_;
  void* memory_ = nullptr;
  aclTensor* descriptor_ = nullptr;
};

// What a convolution is, apart from its tensors.
struct Attributes {
  std::vector<int64_t> stride, padding, dilation, output_padding;
  bool transposed;
  int groups;
  int8_t cube_math_type;
};

// Both phases of aclnnConvolutionBackward for all three gradients; the results are there after
// the stream's synchronisation and the destruction of this object.
class ConvolutionBackward {
 public:
  template <typename Element>
  ConvolutionBackward(const Tensor<Element>& grad_output, const Tensor<Element>& input,
                      const Tensor<Element>& weight, int64_t bias_size, const Attributes& conv,
                      const Tensor<Element>& grad_input, const Tensor<Element>& grad_weight,
                      const Tensor<Element>& grad_bias, const Stream& stream) {
    aclIntArray* bias_sizes = aclCreateIntArray(&bias_size, 1);
    aclIntArray* stride = aclCreateIntArray(conv.stride.data(), conv.stride.size());
    aclIntArray* padding = aclCreateIntArray(conv.padding.data(), conv.padding.size());
    aclIntArray* dilation = aclCreateIntArray(conv.dilation.data(), conv.dilation.size());
    aclIntArray* output_padding =
        aclCreateIntArray(conv.output_padding.data(), conv.output_padding.size());
    const bool all[3] = {true, true, true};
    aclBoolArray* mask = aclCreateBoolArray(all, 3);

    uint64_t workspace_size = 0;
    aclOpExecutor* executor = nullptr;
    require(aclnnConvolutionBackwardGetWorkspaceSize(
                grad_output.descriptor(), input.descriptor(), weight.descriptor(), bias_sizes,
                stride, padding, dilation, conv.transposed, output_padding, conv.groups, mask,
                conv.cube_math_type, grad_input.descriptor(), grad_weight.descriptor(),
                grad_bias.descriptor(), &workspace_size, &executor),
            "aclnnConvolutionBackwardGetWorkspaceSize");
    if (workspace_size > 0) {
      require(aclrtMalloc(&workspace_, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
              "aclrtMalloc of the workspace");
    }
    require(aclnnConvolutionBackward(workspace_, workspace_size, executor, stream.handle()),
            "aclnnConvolutionBackward");

    aclDestroyBoolArray(mask);
    aclDestroyIntArray(output_padding);
    aclDestroyIntArray(dilation);
    aclDestroyIntArray(padding);
    aclDestroyIntArray(stride);
    aclDestroyIntArray(bias_sizes);
  }
  ~ConvolutionBackward() {
    if (workspace_ != nullptr) aclrtFree(workspace_);
  }
  ConvolutionBackward(const ConvolutionBackward&) = delete;
  ConvolutionBackward& operator=(const ConvolutionBackward&) = delete;

 private:
  void* workspace_ = nullptr;
};

inline void print(const char* name, const std::vector<float>& values) {
  std::printf("%s:", name);
  for (size_t i = 0; i < values.size(); ++i) std::printf(" %g", values[i]);
  std::printf("\n");
}

}  // namespace npu
