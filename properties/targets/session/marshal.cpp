#include "properties/targets/session/marshal.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace gradproof::targets {
namespace {

using corpus::Case;

/// A pointer for an array without elements too: null would say that there is no array.
template <typename T>
const T* address_of(const std::vector<T>& values) {
  static constexpr T none{};
  return values.empty() ? &none : values.data();
}

}  // namespace

MarshalledCall::MarshalledCall(const CannApi& api, const Case& test_case,
                               const TensorAddresses& addresses)
    : api_(api),
      test_case_(test_case),
      bias_sizes_(create(test_case.bias_sizes)),
      stride_(create(test_case.stride)),
      padding_(create(test_case.padding)),
      dilation_(create(test_case.dilation)),
      output_padding_(create(test_case.output_padding)),
      kernel_size_(create(test_case.kernel_size)),
      output_mask_(create(test_case.output_mask)) {
  if (test_case.attributes) {
    const auto& attributes = *test_case.attributes;
    const bool dx = corpus::computes_dx(test_case.api);
    result_size_ = create(dx ? attributes.input_size : attributes.filter_size);
    strides_ = create(attributes.strides);
    pads_ = create(attributes.pads);
    dilations_ = create(attributes.dilations);
  }
  std::size_t i = 0;
  for (const auto role : corpus::input_roles) {
    tensors_[i] = create(corpus::tensor(test_case, role), addresses[i]);
    ++i;
  }
  for (const auto role : corpus::output_roles) {
    tensors_[i] = create(corpus::tensor(test_case, role), addresses[i]);
    ++i;
  }
  tensors_[i] = create(test_case.bias, addresses[i]);
}

MarshalledCall::~MarshalledCall() { release(); }

std::optional<std::string> MarshalledCall::release() {
  std::optional<std::string> problem;
  const auto destroy = [&](const char* name, auto function, auto*& object) {
    if (object == nullptr) return;
    const aclnnStatus status = function(std::exchange(object, nullptr));
    if (status == ACL_SUCCESS || problem) return;
    problem =
        fmt::format("{} returned {} for an object that only the caller may destroy", name, status);
  };
  for (aclTensor*& tensor : tensors_) destroy("aclDestroyTensor", api_.destroy_tensor, tensor);
  for (aclIntArray** array : {&bias_sizes_, &stride_, &padding_, &dilation_, &output_padding_,
                              &kernel_size_, &result_size_, &strides_, &pads_, &dilations_}) {
    destroy("aclDestroyIntArray", api_.destroy_int_array, *array);
  }
  destroy("aclDestroyBoolArray", api_.destroy_bool_array, output_mask_);
  return problem;
}

const corpus::OperatorAttributes& MarshalledCall::attributes() const {
  static const corpus::OperatorAttributes none;
  return test_case_.attributes ? *test_case_.attributes : none;
}

/// Row of an api and its phase one.
struct PhaseOneRow {
  corpus::Api api;
  aclnnStatus (*call)(const MarshalledCall&, std::uint64_t*, aclOpExecutor**);

  static aclnnStatus convolution(const MarshalledCall& it, std::uint64_t* size,
                                 aclOpExecutor** executor) {
    const auto& tensors = it.tensors_;
    const Case& test_case = it.test_case_;
    return it.api_.backward_workspace_size(
        tensors[0], tensors[1], tensors[2], it.bias_sizes_, it.stride_, it.padding_, it.dilation_,
        test_case.transposed, it.output_padding_, test_case.groups, it.output_mask_,
        test_case.cube_math_type, tensors[3], tensors[4], tensors[5], size, executor);
  }

  static aclnnStatus input_v2(const MarshalledCall& it, std::uint64_t* size,
                              aclOpExecutor** executor) {
    return it.api_.input_v2_workspace_size(
        it.result_size_, it.tensors_[2], it.tensors_[0], it.strides_, it.pads_, it.dilations_,
        it.test_case_.groups, data_format(it), hf32(it), it.tensors_[3], size, executor);
  }

  static aclnnStatus filter_v2(const MarshalledCall& it, std::uint64_t* size,
                               aclOpExecutor** executor) {
    return it.api_.filter_v2_workspace_size(
        it.tensors_[1], it.result_size_, it.tensors_[0], it.strides_, it.pads_, it.dilations_,
        it.test_case_.groups, data_format(it), hf32(it), it.tensors_[4], size, executor);
  }

  static aclnnStatus conv_tbc(const MarshalledCall& it, std::uint64_t* size,
                              aclOpExecutor** executor) {
    const auto& tensors = it.tensors_;
    const auto& padding = it.test_case_.padding;
    return it.api_.conv_tbc_workspace_size(
        tensors[0], tensors[1], tensors[2], tensors[6], padding ? padding->front() : 0,
        it.test_case_.cube_math_type, tensors[3], tensors[4], tensors[5], size, executor);
  }

  // Forward: x in the place of gradOutput, b in that of input, y in that of gradInput.

  static aclnnStatus forward(const MarshalledCall& it, std::uint64_t* size,
                             aclOpExecutor** executor) {
    const auto& tensors = it.tensors_;
    const Case& test_case = it.test_case_;
    return it.api_.forward_workspace_size(tensors[0], tensors[2], tensors[1], it.stride_,
                                          it.padding_, it.dilation_, test_case.transposed,
                                          it.output_padding_, test_case.groups, tensors[3],
                                          test_case.cube_math_type, size, executor);
  }

  static aclnnStatus forward_tbc(const MarshalledCall& it, std::uint64_t* size,
                                 aclOpExecutor** executor) {
    const auto& tensors = it.tensors_;
    const auto& padding = it.test_case_.padding;
    return it.api_.forward_tbc_workspace_size(tensors[0], tensors[2], tensors[1],
                                              padding ? padding->front() : 0, tensors[3],
                                              it.test_case_.cube_math_type, size, executor);
  }

  static aclnnStatus depthwise(const MarshalledCall& it, std::uint64_t* size,
                               aclOpExecutor** executor) {
    const auto& tensors = it.tensors_;
    return it.api_.depthwise_workspace_size(tensors[0], tensors[2], it.kernel_size_, tensors[1],
                                            it.stride_, it.padding_, it.dilation_, tensors[3],
                                            it.test_case_.cube_math_type, size, executor);
  }

 private:
  static const char* data_format(const MarshalledCall& it) {
    const auto& format = it.attributes().data_format;
    return format ? format->c_str() : nullptr;
  }
  static bool hf32(const MarshalledCall& it) { return it.attributes().enable_hf32.value_or(false); }
};

aclnnStatus MarshalledCall::phase_one(std::uint64_t* workspace_size,
                                      aclOpExecutor** executor) const {
  using corpus::Api;
  static constexpr PhaseOneRow rows[] = {{Api::ConvolutionBackward, PhaseOneRow::convolution},
                                         {Api::Conv3DBackpropInputV2, PhaseOneRow::input_v2},
                                         {Api::Conv3DBackpropFilterV2, PhaseOneRow::filter_v2},
                                         {Api::ConvTbcBackward, PhaseOneRow::conv_tbc},
                                         {Api::Convolution, PhaseOneRow::forward},
                                         {Api::ConvTbc, PhaseOneRow::forward_tbc},
                                         {Api::ConvDepthwise2d, PhaseOneRow::depthwise}};
  return std::ranges::find(rows, test_case_.api, &PhaseOneRow::api)
      ->call(*this, workspace_size, executor);
}

aclTensor* MarshalledCall::create(const std::optional<corpus::TensorCase>& tensor, void* address) {
  if (!tensor) return nullptr;
  std::vector<std::int64_t> row_major;
  if (!tensor->strides) row_major = corpus::row_major_strides(tensor->shape);
  const auto& strides = tensor->strides ? *tensor->strides : row_major;
  // Row-major strides that leave 64 bits cannot be written down; no strides mean row-major too.
  const bool has_strides = tensor->strides || std::ranges::count(strides, 0) == 0;
  const auto& storage = tensor->storage_shape ? *tensor->storage_shape : tensor->shape;
  aclTensor* created = api_.create_tensor(
      address_of(tensor->shape), tensor->shape.size(), static_cast<aclDataType>(tensor->dtype),
      has_strides ? address_of(strides) : nullptr, tensor->offset,
      static_cast<aclFormat>(tensor->format), address_of(storage), storage.size(), address);
  if (!created) failed_function_ = "aclCreateTensor";
  return created;
}

aclIntArray* MarshalledCall::create(const std::optional<std::vector<std::int64_t>>& values) {
  if (!values) return nullptr;
  aclIntArray* created = api_.create_int_array(address_of(*values), values->size());
  if (!created) failed_function_ = "aclCreateIntArray";
  return created;
}

aclBoolArray* MarshalledCall::create(const std::optional<std::vector<bool>>& values) {
  if (!values) return nullptr;
  // vector<bool> has no array of bool to point to. One more element, so that there is always an
  // address.
  const auto bools = std::make_unique<bool[]>(values->size() + 1);
  std::ranges::copy(*values, bools.get());
  aclBoolArray* created = api_.create_bool_array(bools.get(), values->size());
  if (!created) failed_function_ = "aclCreateBoolArray";
  return created;
}

}  // namespace gradproof::targets
