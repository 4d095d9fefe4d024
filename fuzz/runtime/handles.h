#pragma once

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "fuzz/runtime/model.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace gradproof::fuzz::runtime {

/// The handles behind the numbers.
struct Runtime {
  std::map<int, aclrtContext> contexts;
  std::map<int, aclrtStream> streams;
  std::map<int, void*> blocks;
  std::map<int, aclrtEvent> events;
  std::map<int, aclOpExecutor*> executors;
  std::map<int, std::uint64_t> workspace_sizes;
  std::vector<aclTensor*> tensors;
  std::vector<aclIntArray*> arrays;
  aclBoolArray* mask = nullptr;
  void* ones = nullptr;       ///< the weight
  void* workspace = nullptr;  ///< enough for any of these problems

  static constexpr std::size_t workspace_bytes = std::size_t{1} << 20;

  Runtime() {
    aclrtGetCurrentContext(&contexts[default_context]);
    aclrtMalloc(&ones, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&workspace, workspace_bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    const float one = 1;
    aclrtMemcpy(ones, sizeof one, &one, sizeof one, ACL_MEMCPY_HOST_TO_DEVICE);
    const std::array<bool, 3> only_input{true, false, false};
    mask = aclCreateBoolArray(only_input.data(), only_input.size());
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() {
    aclrtSetCurrentContext(contexts.at(default_context));
    aclrtSynchronizeDevice();
    for (const auto& [id, executor] : executors) aclDestroyAclOpExecutor(executor);
    for (const aclTensor* tensor : tensors) aclDestroyTensor(tensor);
    for (const aclIntArray* array : arrays) aclDestroyIntArray(array);
    aclDestroyBoolArray(mask);
    for (const auto& [id, event] : events) aclrtDestroyEvent(event);
    for (const auto& [id, context] : contexts) {
      aclrtSetCurrentContext(context);
      for (const auto& [stream_id, stream] : streams) aclrtDestroyStream(stream);
    }
    for (const auto& [id, block] : blocks) aclrtFree(block);
    aclrtFree(ones);
    aclrtFree(workspace);
    for (const auto& [id, context] : contexts) {
      if (id != default_context) aclrtDestroyContext(context);
    }
    aclrtSetDevice(0);
    aclrtResetDevice(0);
    aclGetRecentErrMsg();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }

  aclTensor* tensor(std::int64_t length, void* data) {
    const std::array<std::int64_t, 3> shape{1, 1, length}, strides{length, length, 1};
    tensors.push_back(aclCreateTensor(shape.data(), 3, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_NCL,
                                      shape.data(), 3, data));
    return tensors.back();
  }
  aclIntArray* array(std::int64_t value) {
    arrays.push_back(aclCreateIntArray(&value, 1));
    return arrays.back();
  }

  /// gradInput of a kernel of one tap with weight 1: a copy of gradOutput.
  aclnnStatus plan(int from, int to, std::uint64_t& size, aclOpExecutor*& executor) {
    return aclnnConvolutionBackwardGetWorkspaceSize(
        tensor(block_floats, blocks.at(from)), tensor(block_floats, blocks.at(from)),
        tensor(1, ones), nullptr, array(1), array(0), array(1), false, array(0), 1, mask, 0,
        tensor(block_floats, blocks.at(to)), nullptr, nullptr, &size, &executor);
  }
};

}  // namespace gradproof::fuzz::runtime
