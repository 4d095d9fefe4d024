#ifndef GRADPROOF_GRADPROOF_GRAPH_OPERATORS_HPP
#define GRADPROOF_GRADPROOF_GRAPH_OPERATORS_HPP

// The graph operators of gradproof/graph_operators.h as C++ functions: parameters by name, with
// their defaults, and one call for both phases. C++11, nothing but the C functions behind it.

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "gradproof/graph_operators.h"

namespace gradproof {
namespace graph_operators {

/// Result of a call.
struct Outcome {
  aclnnStatus status;  ///< 0: y is computed
  std::string text;    ///< the library's words where status is not 0

  explicit operator bool() const { return status == 0; }
};

/// The parameters that both operators have; graph_operators.h says what each may be.
struct Convolution {
  std::vector<std::int64_t> strides;  ///< required; 5 values
  std::vector<std::int64_t> pads;     ///< required; 6 values
  std::vector<std::int64_t> dilations = {1, 1, 1, 1, 1};
  std::int64_t groups = 1;
  std::string data_format = "NDHWC";
  bool enable_hf32 = false;
};

/// The gradient of a 3D convolution with respect to its input: what `run` is told.
struct Conv3DBackpropInputV2 {
  std::vector<std::int64_t> input_size;  ///< required; the shape of y
  const aclTensor* filter = nullptr;
  const aclTensor* out_backprop = nullptr;
  Convolution convolution;
  aclTensor* y = nullptr;
};

/// The gradient of a 3D convolution with respect to its filter: what `run` is told.
struct Conv3DBackpropFilterV2 {
  const aclTensor* x = nullptr;
  std::vector<std::int64_t> filter_size;  ///< required; the shape of y
  const aclTensor* out_backprop = nullptr;
  Convolution convolution;
  aclTensor* y = nullptr;
};

namespace detail {

/// An aclIntArray that is destroyed with the object.
class IntArray {
 public:
  explicit IntArray(const std::vector<std::int64_t>& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  ~IntArray() { aclDestroyIntArray(handle_); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;

  const aclIntArray* handle() const { return handle_; }

 private:
  aclIntArray* handle_;
};

/// Device memory that is freed with the object.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace() {
    if (memory_ != nullptr) aclrtFree(memory_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  aclError allocate(std::uint64_t bytes) {
    return bytes == 0 ? 0 : aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  }
  void* memory() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

inline Outcome outcome_of(aclnnStatus status) {
  if (status == 0) return {0, ""};
  const char* const words = aclGetRecentErrMsg();
  return {status, words == nullptr ? "" : words};
}

typedef aclnnStatus (*PhaseTwo)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);

/// Phase two with its own workspace, up to the end of the work.
inline Outcome completed(PhaseTwo phase_two, std::uint64_t workspace_size, aclOpExecutor* executor,
                         aclrtStream stream) {
  Workspace workspace;
  const aclError allocated = workspace.allocate(workspace_size);
  if (allocated != 0) {
    const Outcome outcome = outcome_of(allocated);
    aclDestroyAclOpExecutor(executor);
    return outcome;
  }
  const aclnnStatus launched = phase_two(workspace.memory(), workspace_size, executor, stream);
  if (launched != 0) return outcome_of(launched);
  return outcome_of(aclrtSynchronizeStream(stream));
}

}  // namespace detail

/// Runs both phases on `stream` (null: the context's default stream); returns when y is computed. A
/// status that is neither 0 nor one of graph_operators.h comes from the runtime: memory for the
/// workspace, or the stream.
inline Outcome run(const Conv3DBackpropInputV2& call, aclrtStream stream = nullptr) {
  const detail::IntArray size(call.input_size), strides(call.convolution.strides),
      pads(call.convolution.pads), dilations(call.convolution.dilations);
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  const aclnnStatus status = gradproofConv3DBackpropInputV2GetWorkspaceSize(
      size.handle(), call.filter, call.out_backprop, strides.handle(), pads.handle(),
      dilations.handle(), call.convolution.groups, call.convolution.data_format.c_str(),
      call.convolution.enable_hf32, call.y, &workspace_size, &executor);
  if (status != 0) return detail::outcome_of(status);
  return detail::completed(gradproofConv3DBackpropInputV2, workspace_size, executor, stream);
}

/// Computes the gradient with respect to the filter.
inline Outcome run(const Conv3DBackpropFilterV2& call, aclrtStream stream = nullptr) {
  const detail::IntArray size(call.filter_size), strides(call.convolution.strides),
      pads(call.convolution.pads), dilations(call.convolution.dilations);
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  const aclnnStatus status = gradproofConv3DBackpropFilterV2GetWorkspaceSize(
      call.x, size.handle(), call.out_backprop, strides.handle(), pads.handle(), dilations.handle(),
      call.convolution.groups, call.convolution.data_format.c_str(), call.convolution.enable_hf32,
      call.y, &workspace_size, &executor);
  if (status != 0) return detail::outcome_of(status);
  return detail::completed(gradproofConv3DBackpropFilterV2, workspace_size, executor, stream);
}

}  // namespace graph_operators
}  // namespace gradproof

#endif
