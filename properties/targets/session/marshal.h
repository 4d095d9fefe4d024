#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/targets/target/cann_api.h"

namespace gradproof::targets {

/// Data addresses of the tensors: the inputs by InputRole, the outputs by OutputRole, the bias.
using TensorAddresses = std::array<void*, 7>;

/// A case as CANN's objects: what is null in the case is a null pointer. Destroys what it created.
/// Not of a tiling class; the target has the call's functions.
class MarshalledCall {
 public:
  MarshalledCall(const CannApi& api, const corpus::Case& test_case,
                 const TensorAddresses& addresses);
  ~MarshalledCall();
  MarshalledCall(const MarshalledCall&) = delete;
  MarshalledCall& operator=(const MarshalledCall&) = delete;

  /// The first function that returned a null pointer for an object that should exist; null: none
  /// did.
  const char* failed_function() const { return failed_function_; }

  /// Destroys what it created. Errors: the first function that failed, as it does where the target
  /// destroyed an object that it was only given.
  std::optional<std::string> release();

  /// Tensor that was created for an input or an output; null: nothing.
  aclTensor* tensor(corpus::InputRole role) const { return tensors_[to_size(role)]; }
  aclTensor* tensor(corpus::OutputRole role) const {
    return tensors_.at(corpus::input_roles.size() + to_size(role));
  }

  /// The ...GetWorkspaceSize function of what the case calls.
  aclnnStatus phase_one(std::uint64_t* workspace_size, aclOpExecutor** executor) const;

 private:
  aclTensor* create(const std::optional<corpus::TensorCase>& tensor, void* address);
  aclIntArray* create(const std::optional<std::vector<std::int64_t>>& values);
  aclBoolArray* create(const std::optional<std::vector<bool>>& values);

  friend struct PhaseOneRow;
  const corpus::OperatorAttributes& attributes() const;

  const CannApi& api_;
  const corpus::Case& test_case_;
  std::array<aclTensor*, 7> tensors_{};
  aclIntArray *bias_sizes_ = nullptr, *stride_ = nullptr, *padding_ = nullptr, *dilation_ = nullptr,
              *output_padding_ = nullptr, *kernel_size_ = nullptr;
  /// Arrays of a graph operator: input_size or filter_size, and its attributes.
  aclIntArray *result_size_ = nullptr, *strides_ = nullptr, *pads_ = nullptr, *dilations_ = nullptr;
  aclBoolArray* output_mask_ = nullptr;
  const char* failed_function_ = nullptr;
};

}  // namespace gradproof::targets
