#pragma once

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution.h"
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
  /// Phase two of each executor's function.
  std::map<int, aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream)> phases_two;
  std::vector<aclTensor*> tensors;
  std::vector<aclIntArray*> arrays;
  aclBoolArray* mask = nullptr;
  void* ones = nullptr;       ///< the weight
  void* zeros = nullptr;      ///< a bias
  void* workspace = nullptr;  ///< enough for any of these problems

  static constexpr std::size_t workspace_bytes = std::size_t{1} << 20;

  Runtime() {
    aclrtGetCurrentContext(&contexts[default_context]);
    aclrtMalloc(&ones, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&zeros, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(zeros, block_bytes, 0, block_bytes);
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
    aclrtFree(zeros);
    aclrtFree(workspace);
    for (const auto& [id, context] : contexts) {
      if (id != default_context) aclrtDestroyContext(context);
    }
    aclrtSetDevice(0);
    aclrtResetDevice(0);
    aclGetRecentErrMsg();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }

  aclTensor* tensor(const std::vector<std::int64_t>& shape, aclFormat format, void* data) {
    tensors.push_back(aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, format,
                                      shape.data(), shape.size(), data));
    return tensors.back();
  }
  aclTensor* tensor(std::int64_t length, void* data) {
    return tensor({1, 1, length}, ACL_FORMAT_NCL, data);
  }
  aclIntArray* array(std::int64_t value, std::size_t count = 1) {
    const std::array<std::int64_t, 2> values{value, value};
    arrays.push_back(aclCreateIntArray(values.data(), count));
    return arrays.back();
  }

  /// gradInput of a kernel of one tap with weight 1: a copy of gradOutput.
  aclnnStatus plan(int from, int to, std::uint64_t& size, aclOpExecutor*& executor) {
    return aclnnConvolutionBackwardGetWorkspaceSize(
        tensor(block_floats, blocks.at(from)), tensor(block_floats, blocks.at(from)),
        tensor(1, ones), nullptr, array(1), array(0), array(1), false, array(0), 1, mask, 0,
        tensor(block_floats, blocks.at(to)), nullptr, nullptr, &size, &executor);
  }

  /// Plans the output of the same kernel, by each forward function in turn.
  aclnnStatus plan_forward(int id, const aclTensor* input, int to) {
    void* const data = blocks.at(to);
    std::uint64_t& size = workspace_sizes[id];
    aclOpExecutor*& executor = executors[id];
    switch (id % 3) {
      case 0:
        phases_two[id] = aclnnConvTbc;
        return aclnnConvTbcGetWorkspaceSize(
            input, tensor({1, 1, 1}, ACL_FORMAT_ND, ones), tensor({1}, ACL_FORMAT_ND, zeros), 0,
            tensor({block_floats, 1, 1}, ACL_FORMAT_ND, data), 0, &size, &executor);
      case 1:
        phases_two[id] = aclnnConvDepthwise2d;
        return aclnnConvDepthwise2dGetWorkspaceSize(
            input, tensor({1, 1, 1, 1}, ACL_FORMAT_NCHW, ones), array(1, 2), nullptr, array(1, 2),
            array(0, 2), array(1, 2), tensor({1, 1, 1, block_floats}, ACL_FORMAT_NCHW, data), 0,
            &size, &executor);
      default:
        phases_two[id] = aclnnConvolution;
        return aclnnConvolutionGetWorkspaceSize(input, tensor(1, ones), nullptr, array(1), array(0),
                                                array(1), false, nullptr, 1,
                                                tensor(block_floats, data), 0, &size, &executor);
    }
  }
  aclTensor* forward_input(int id, int from) {
    void* const data = blocks.at(from);
    if (id % 3 == 0) return tensor({block_floats, 1, 1}, ACL_FORMAT_ND, data);
    if (id % 3 == 1) return tensor({1, 1, 1, block_floats}, ACL_FORMAT_NCHW, data);
    return tensor(block_floats, data);
  }
};

}  // namespace gradproof::fuzz::runtime
