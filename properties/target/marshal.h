#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/target/cann_api.h"

namespace gradproof::properties {

/// Data addresses of the six tensors: the inputs by InputRole, then the outputs by OutputRole.
using TensorAddresses = std::array<void*, 6>;

/// A case as CANN's objects: what is null in the case is a null pointer. Destroys what it created.
class MarshalledCall {
 public:
  MarshalledCall(const CannApi& api, const corpus::Case& problem, const TensorAddresses& addresses);
  ~MarshalledCall();
  MarshalledCall(const MarshalledCall&) = delete;
  MarshalledCall& operator=(const MarshalledCall&) = delete;

  /// The first function that returned a null pointer for an object that should exist; null: none
  /// did.
  const char* failed_function() const { return failed_function_; }

  /// Destroys what it created. Errors: the first function that failed, as it does where the target
  /// destroyed an object that it was only given.
  std::optional<std::string> release();

  /// aclnnConvolutionBackwardGetWorkspaceSize.
  aclnnStatus phase_one(std::uint64_t* workspace_size, aclOpExecutor** executor) const;

 private:
  aclTensor* create(const std::optional<corpus::TensorCase>& tensor, void* address);
  aclIntArray* create(const std::optional<std::vector<std::int64_t>>& values);
  aclBoolArray* create(const std::optional<std::vector<bool>>& values);

  const CannApi& api_;
  std::array<aclTensor*, 6> tensors_{};
  aclIntArray *bias_sizes_ = nullptr, *stride_ = nullptr, *padding_ = nullptr, *dilation_ = nullptr,
              *output_padding_ = nullptr;
  aclBoolArray* output_mask_ = nullptr;
  bool transposed_;
  int groups_;
  std::int8_t cube_math_type_;
  const char* failed_function_ = nullptr;
};

}  // namespace gradproof::properties
