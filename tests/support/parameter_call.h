// A case as the call that the kernel's rules of aclnnConvolutionBackward look at.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "kernel/api/convolution_rules/parameter_checks.h"

namespace gradproof::kernel::api {

inline device::Product product_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(device::Product::Ascend950); ++i) {
    const auto product = static_cast<device::Product>(i);
    if (device::name_of(product) == name) return product;
  }
  ADD_FAILURE() << "no product " << name;
  return device::Product::Ascend310;
}

inline void pass(const std::optional<corpus::TensorCase>& from,
                 parameter_checks::Argument<Tensor>& to) {
  to.given = from.has_value();
  if (!from) return;
  to.value = Tensor{.view_shape = from->shape,
                    .strides = from->strides.value_or(corpus::row_major_strides(from->shape)),
                    .storage_shape = from->storage_shape.value_or(from->shape),
                    .offset = from->offset,
                    .data_type = static_cast<aclDataType>(from->dtype),
                    .format = static_cast<aclFormat>(from->format),
                    .data = nullptr};
}

template <typename Values>
void pass(const std::optional<Values>& from, parameter_checks::Argument<Values>& to) {
  to.given = from.has_value();
  to.value = from;
}

/// On the product where its status was observed, else on its own.
inline parameter_checks::Call call_of(const corpus::Case& test_case, device::Profile profile) {
  parameter_checks::Call call;
  call.product = product_named(test_case.soc_exercised.value_or(test_case.soc));
  call.profile = profile;
  pass(test_case.grad_output, call.grad_output);
  pass(test_case.input, call.input);
  pass(test_case.weight, call.weight);
  pass(test_case.bias_sizes, call.bias_sizes);
  pass(test_case.stride, call.stride);
  pass(test_case.padding, call.padding);
  pass(test_case.dilation, call.dilation);
  call.transposed = test_case.transposed;
  pass(test_case.output_padding, call.output_padding);
  call.groups = test_case.groups;
  pass(test_case.output_mask, call.output_mask);
  call.cube_math_type = test_case.cube_math_type;
  pass(test_case.grad_input, call.grad_input);
  pass(test_case.grad_weight, call.grad_weight);
  pass(test_case.grad_bias, call.grad_bias);
  return call;
}

/// A line for each breach: id, status, text.
inline std::string words_of(const std::vector<Breach>& breaches) {
  std::string words;
  for (const Breach& breach : breaches) {
    words +=
        std::string(breach.rule) + " " + std::to_string(breach.status) + ": " + breach.text + "\n";
  }
  return words;
}

}  // namespace gradproof::kernel::api
