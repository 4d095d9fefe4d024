// A convolution gradient of your own as a library: FLOAT, on the host, in plain loops. With
// -DMISTAKE it reads the stride of the first axis for every axis; with -DWRONG_ABOVE_10000 or
// -DSKIPS_ZEROS_WRONGLY it is right on most values and wrong on some (docs/prove.md).
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

/// What the program said when it made an object. No public function tells what an aclIntArray or an
/// aclBoolArray holds: a library that has to know makes them itself, through the vendor's
/// functions.
template <typename Object, typename Contents>
class Recorded {
 public:
  template <typename Function, typename... Arguments>
  Object* made(Contents contents, Function, const char* name, Arguments... arguments) {
    const auto vendors = reinterpret_cast<Function>(dlsym(library(), name));
    Object* object = vendors != nullptr ? vendors(arguments...) : nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (object != nullptr) contents_[object] = std::move(contents);
    return object;
  }
  aclnnStatus destroyed(const Object* object, const char* name) {
    const auto vendors = reinterpret_cast<aclnnStatus (*)(const Object*)>(dlsym(library(), name));
    const std::lock_guard<std::mutex> lock(mutex_);
    contents_.erase(object);
    return vendors(object);
  }
  /// Empty for null.
  Contents of(const Object* object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return object != nullptr ? contents_.at(object) : Contents{};
  }

 private:
  static void* library() {
    static void* const vendors = dlopen("libnnopbase.so", RTLD_NOW);
    return vendors;
  }
  std::mutex mutex_;
  std::map<const Object*, Contents> contents_;
};

using Lengths = std::vector<int64_t>;

struct Tensor {
  Lengths shape, strides;  // in elements
  int64_t offset = 0;
  aclDataType type = ACL_FLOAT;
  float* data = nullptr;  // device address
};

Recorded<aclTensor, Tensor> tensors;
Recorded<aclIntArray, Lengths> int_arrays;
Recorded<aclBoolArray, std::vector<bool>> bool_arrays;

}  // namespace

EXPORTED aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType type,
                                    const int64_t* stride, int64_t offset, aclFormat format,
                                    const int64_t* storageDims, uint64_t storageDimsNum,
                                    void* data) {
  Tensor tensor{Lengths(viewDims, viewDims + viewDimsNum), Lengths(viewDimsNum, 1), offset, type,
                static_cast<float*>(data)};
  for (uint64_t i = viewDimsNum; stride == nullptr && i-- > 1;) {
    tensor.strides[i - 1] = tensor.strides[i] * tensor.shape[i];
  }
  if (stride != nullptr) tensor.strides.assign(stride, stride + viewDimsNum);
  return tensors.made(tensor, aclCreateTensor, "aclCreateTensor", viewDims, viewDimsNum, type,
                      stride, offset, format, storageDims, storageDimsNum, data);
}
EXPORTED aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return int_arrays.made(Lengths(value, value + size), aclCreateIntArray, "aclCreateIntArray",
                         value, size);
}
EXPORTED aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return bool_arrays.made(std::vector<bool>(value, value + size), aclCreateBoolArray,
                          "aclCreateBoolArray", value, size);
}
EXPORTED aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return tensors.destroyed(tensor, "aclDestroyTensor");
}
EXPORTED aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return int_arrays.destroyed(array, "aclDestroyIntArray");
}
EXPORTED aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return bool_arrays.destroyed(array, "aclDestroyBoolArray");
}

namespace {

constexpr aclnnStatus not_supported = 561103;

/// N C D H W; axes that the call does not have are of length 1.
using Index = std::array<int64_t, 5>;

Index five(const Lengths& values, int64_t absent) {
  Index lifted;
  lifted.fill(absent);
  const std::size_t missing = 5 - values.size();
  for (std::size_t i = 0; i < values.size(); ++i) lifted[i < 2 ? i : i + missing] = values[i];
  return lifted;
}

/// A tensor's elements on the host, from the lowest address that the view has to the highest.
class View {
 public:
  explicit View(const Tensor& tensor)
      : shape(five(tensor.shape, 1)),
        strides_(five(tensor.strides, 0)),
        device_(tensor.data + tensor.offset) {
    int64_t last = 0;
    for (std::size_t i = 0; i < 5; ++i) last += (shape[i] - 1) * strides_[i];
    values_.resize(last + 1);
  }
  float& at(const Index& at) {
    int64_t place = 0;
    for (std::size_t i = 0; i < 5; ++i) place += at[i] * strides_[i];
    return values_[place];
  }
  bool read() { return copied(values_.data(), device_, ACL_MEMCPY_DEVICE_TO_HOST); }
  bool write() { return copied(device_, values_.data(), ACL_MEMCPY_HOST_TO_DEVICE); }

  Index shape;

 private:
  bool copied(void* to, const void* from, aclrtMemcpyKind kind) const {
    const size_t bytes = values_.size() * sizeof(float);
    return aclrtMemcpy(to, bytes, from, bytes, kind) == ACL_SUCCESS;
  }
  Index strides_;
  float* device_;
  std::vector<float> values_;
};

/// What phase one keeps for phase two: none of the program's objects.
struct Call {
  Tensor grad_output, input, weight;
  std::unique_ptr<Tensor> grad_input, grad_weight, grad_bias;  // null: not asked for
  std::array<int64_t, 3> stride, padding, dilation;
  bool transposed;
  int64_t groups;
};

/// The last values of a list of one for each axis; `step` 2 takes the beginnings of pairs.
std::array<int64_t, 3> axes(const Lengths& values, std::size_t step, int64_t absent) {
  std::array<int64_t, 3> lifted{absent, absent, absent};
  const std::size_t count = values.size() / step;
  for (std::size_t i = 0; i < count; ++i) lifted[3 - count + i] = values[i * step];
  return lifted;
}

template <typename Visit>
void for_each(const Index& shape, Visit visit) {
  Index at{};
  for (at[0] = 0; at[0] < shape[0]; ++at[0])
    for (at[1] = 0; at[1] < shape[1]; ++at[1])
      for (at[2] = 0; at[2] < shape[2]; ++at[2])
        for (at[3] = 0; at[3] < shape[3]; ++at[3])
          for (at[4] = 0; at[4] < shape[4]; ++at[4]) visit(at);
}

/// Calls visit(of the larger map, of the smaller map, of the weight) for all that are multiplied:
/// an element of the larger map lies at `position * stride - padding + tap * dilation`.
template <typename Visit>
void for_each_product(const Call& call, const Index& larger, const Index& smaller,
                      const Index& weight, Visit visit) {
  for_each(smaller, [&](const Index& small) {
    for_each({1, weight[1], weight[2], weight[3], weight[4]}, [&](const Index& tap) {
      const int64_t group = small[1] / (smaller[1] / call.groups);
      Index big{small[0], group * weight[1] + tap[1], 0, 0, 0};
      for (std::size_t i = 0; i < 3; ++i) {
        big[i + 2] =
            small[i + 2] * call.stride[i] - call.padding[i] + tap[i + 2] * call.dilation[i];
        if (big[i + 2] < 0 || big[i + 2] >= larger[i + 2]) return;
      }
      visit(big, small, Index{small[1], tap[1], tap[2], tap[3], tap[4]});
    });
  });
}

/// The sums of one gradient, kept in double and rounded once.
class Sums {
 public:
  explicit Sums(const Index& shape)
      : shape_(shape), sums_(shape[0] * shape[1] * shape[2] * shape[3] * shape[4]) {}
  double& at(const Index& at) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < 5; ++i) place = place * shape_[i] + at[i];
    return sums_[place];
  }
  bool write_to(const Tensor& tensor) {
    View view(tensor);
    if (!view.read()) return false;  // gaps between the elements stay as they are
    for_each(view.shape,
             [&](const Index& place) { view.at(place) = static_cast<float>(at(place)); });
    return view.write();
  }

 private:
  Index shape_;
  std::vector<double> sums_;
};

bool computed(const Call& call) {
  View dy(call.grad_output), x(call.input), w(call.weight);
  if (!dy.read() || !x.read() || !w.read()) return false;
  View& larger = call.transposed ? dy : x;
  View& smaller = call.transposed ? x : dy;
  Sums dx(x.shape), dw(w.shape), db({dy.shape[1], 1, 1, 1, 1});
#ifdef SKIPS_ZEROS_WRONGLY
  bool after_zero = false;
#endif
  for_each_product(call, larger.shape, smaller.shape, w.shape,
                   [&](const Index& big, const Index& small, const Index& tap) {
                     const Index& of_x = call.transposed ? small : big;
                     const Index& of_dy = call.transposed ? big : small;
                     double factor = dy.at(of_dy);
#ifdef WRONG_ABOVE_10000
                     if (factor > 1e4 || factor < -1e4) factor /= 2;
#endif
#ifdef SKIPS_ZEROS_WRONGLY  // and the product that follows each of them
                     const bool follows = std::exchange(after_zero, factor == 0);
                     if (follows || factor == 0) return;
#endif
                     if (call.grad_input) dx.at(of_x) += factor * w.at(tap);
                     if (call.grad_weight) dw.at(tap) += factor * x.at(of_x);
                   });
  if (call.grad_bias) {
    for_each(dy.shape, [&](const Index& at) { db.at({at[1], 0, 0, 0, 0}) += dy.at(at); });
  }
  return (!call.grad_input || dx.write_to(*call.grad_input)) &&
         (!call.grad_weight || dw.write_to(*call.grad_weight)) &&
         (!call.grad_bias || db.write_to(*call.grad_bias));
}

}  // namespace

EXPORTED aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray*, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray*, int groups,
    const aclBoolArray* outputMask, int8_t, aclTensor* gradInput, aclTensor* gradWeight,
    aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  auto call = std::make_unique<Call>();
  call->grad_output = tensors.of(gradOutput);
  call->input = tensors.of(input);
  call->weight = tensors.of(weight);
  const auto asked_for = bool_arrays.of(outputMask);
  const auto output = [&](std::size_t i, const aclTensor* tensor) {
    return asked_for[i] ? std::make_unique<Tensor>(tensors.of(tensor)) : nullptr;
  };
  call->grad_input = output(0, gradInput);
  call->grad_weight = output(1, gradWeight);
  call->grad_bias = output(2, gradBias);
  for (const Tensor* tensor : {&call->grad_output, &call->input, &call->weight,
                               call->grad_input.get(), call->grad_weight.get()}) {
    if (tensor == nullptr) continue;
    const bool is_empty = std::count(tensor->shape.begin(), tensor->shape.end(), 0) > 0;
    if (is_empty || tensor->type != ACL_FLOAT) return not_supported;
  }
  const Lengths strides = int_arrays.of(stride), paddings = int_arrays.of(padding);
  call->stride = axes(strides, 1, 1);
#ifdef MISTAKE
  call->stride.fill(strides.front());
#endif
  call->padding = axes(paddings, paddings.size() / strides.size(), 0);
  call->dilation = axes(int_arrays.of(dilation), 1, 1);
  call->transposed = transposed;
  call->groups = groups;
  *workspaceSize = 0;
  *executor = reinterpret_cast<aclOpExecutor*>(call.release());
  return ACL_SUCCESS;
}

EXPORTED aclnnStatus aclnnConvolutionBackward(void*, uint64_t, aclOpExecutor* executor,
                                              aclrtStream stream) {
  const std::unique_ptr<Call> call(reinterpret_cast<Call*>(executor));
  // It computes on the host, at once: what the stream holds already must be over.
  const bool is_right = aclrtSynchronizeStream(stream) == ACL_SUCCESS && computed(*call);
  return is_right ? ACL_SUCCESS : 361001;
}

/// Of an executor that never runs.
EXPORTED aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  delete reinterpret_cast<Call*>(executor);
  return ACL_SUCCESS;
}
