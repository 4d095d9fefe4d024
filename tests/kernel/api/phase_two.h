#pragma once

// Phase two of an operator that adds one to each byte.

#include "kernel/api/objects/executor.h"

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "kernel/device/memory/memory.h"
#include "tests/support/runtime_fixture.h"

#include <atomic>
#include <memory>

#include <gtest/gtest.h>

namespace gradproof::kernel {

inline constexpr std::int64_t elements = 16;  // of one byte

/// An operator as simple as can be: output 0 becomes input 0 plus one, through the workspace if
/// there is one.
class AddOne : public api::Executor {
 public:
  explicit AddOne(std::uint64_t workspace) {
    workspace_size = workspace;
    ++alive;
  }
  ~AddOne() override { --alive; }

  device::Task make_task(void* workspace) override {
    return [from = inputs[0]->data, to = outputs[0]->data, workspace, size = workspace_size] {
      const std::byte* source = device::host_view(from, elements);
      std::byte* result = device::host_view(to, elements);
      if (source == nullptr || result == nullptr)
        return aclError{ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW};
      if (size > 0) std::fill_n(device::host_view(workspace, size), size, std::byte{1});
      for (std::int64_t index = 0; index < elements; ++index) {
        result[index] = std::byte(std::to_integer<int>(source[index]) + 1);
      }
      return aclError{0};
    };
  }

  static inline std::atomic<int> alive = 0;
};

class PhaseTwo : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    input_ = device_memory(elements);
    output_ = device_memory(elements);
    ASSERT_EQ(aclrtMemset(input_, elements, 1, elements), ACL_SUCCESS);
    tensor_ = descriptor(input_);
  }
  void TearDown() override {
    aclrtSynchronizeDevice();
    EXPECT_EQ(aclDestroyTensor(tensor_), OK);
    aclrtFree(input_);
    aclrtFree(output_);
    OnDevice::TearDown();
    EXPECT_EQ(AddOne::alive, 0);
  }

  static aclTensor* descriptor(void* data) {
    return aclCreateTensor(&elements, 1, ACL_UINT8, nullptr, 0, ACL_FORMAT_ND, &elements, 1, data);
  }

  /// What phase one would give: two inputs, of which the second is null, and one output.
  aclOpExecutor* executor(std::uint64_t workspace = 0, void* input = nullptr,
                          void* output = nullptr) const {
    auto made = std::make_unique<AddOne>(workspace);
    made->inputs = {tensor(input == nullptr ? input_ : input), std::nullopt};
    made->outputs = {tensor(output == nullptr ? output_ : output)};
    return api::register_executor(std::move(made));
  }

  static api::Operand tensor(void* data, std::vector<std::int64_t> shape = {elements},
                             bool is_used = true) {
    api::Tensor described;
    described.view_shape = described.storage_shape = shape;
    described.strides.assign(shape.size(), 1);
    described.data_type = ACL_UINT8;
    described.data = data;
    return *api::operand_of(described, is_used);
  }

  static aclnnStatus run(aclOpExecutor* executor, void* workspace = nullptr,
                         std::uint64_t size = 0) {
    return api::run_executor(workspace, size, executor, nullptr);
  }

  void *input_ = nullptr, *output_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

}  // namespace gradproof::kernel
