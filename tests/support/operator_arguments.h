// A case as the arguments of a graph operator's phase one.
#pragma once

#include <optional>

#include "corpus/case.h"
#include "tests/support/graph_operator_call.h"

namespace gradproof::kernel {

inline TensorText text_of(const std::optional<corpus::TensorCase>& tensor) {
  if (!tensor) return {.shape = {}, .is_null = true};
  return {.shape = tensor->shape,
          .type = static_cast<aclDataType>(tensor->dtype),
          .format = static_cast<aclFormat>(tensor->format),
          .strides = tensor->strides,
          .offset = tensor->offset};
}

inline Arguments arguments_of(const corpus::Case& test_case) {
  Arguments arguments;
  arguments.kind = test_case.api == corpus::Api::Conv3DBackpropInputV2 ? input_v2 : filter_v2;
  const bool is_input = arguments.kind == input_v2;
  arguments.feature = text_of(is_input ? test_case.grad_input : test_case.input);
  arguments.filter = text_of(is_input ? test_case.weight : test_case.grad_weight);
  arguments.out_backprop = text_of(test_case.grad_output);
  const corpus::OperatorAttributes& attributes = *test_case.attributes;
  arguments.size = is_input ? attributes.input_size : attributes.filter_size;
  arguments.strides = attributes.strides;
  arguments.pads = attributes.pads;
  arguments.dilations = attributes.dilations;
  arguments.groups = test_case.groups;
  arguments.data_format = attributes.data_format;
  arguments.enable_hf32 = attributes.enable_hf32.value_or(false);
  return arguments;
}

}  // namespace gradproof::kernel
