#include "tests/support/operator_calls.h"

#include "oracle/facts/axis_order.h"
#include "tests/support/status_calls.h"

namespace gradproof::oracle {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;

bool computes_feature_map(Api api) {
  return api == Api::Conv3DBackpropInputV2 || api == Api::Conv3DBpInputTiling;
}

std::int64_t big_length(const OperatorCall& call, std::size_t i) {
  return (call.small.at(i) - 1) * call.stride.at(i) +
         (call.kernel.at(i) - 1) * call.dilation.at(i) + 1 - call.pads.at(2 * i) -
         call.pads.at(2 * i + 1);
}

Shape by_axis(std::int64_t n, std::int64_t c, const std::vector<std::int64_t>& spatial) {
  return {n, c, spatial.at(0), spatial.at(1), spatial.at(2)};
}

}  // namespace

std::vector<std::int64_t> ordered(const Shape& values, corpus::Format format) {
  const Shape result = in_tensor_order(values, *axis_order(format));
  return {result.begin(), result.end()};
}

void fit_result_size(Case& test_case) {
  const bool dx = computes_feature_map(test_case.api);
  auto& size = dx ? test_case.attributes->input_size : test_case.attributes->filter_size;
  size = (dx ? test_case.grad_input : test_case.grad_weight)->shape;
}

Case operator_case(const OperatorCall& call) {
  const bool dx = computes_feature_map(call.api);
  const std::int64_t kernels = call.groups * call.out_channels_per_group;
  const Shape out = by_axis(call.batch, kernels, call.small);
  const Shape map = by_axis(call.batch, call.groups * call.in_channels_per_group,
                            {big_length(call, 0), big_length(call, 1), big_length(call, 2)});
  const Shape filter = by_axis(kernels, call.in_channels_per_group, call.kernel);
  Case test_case;
  test_case.id = "operator";
  test_case.api = call.api;
  test_case.soc = call.soc;
  test_case.groups = call.groups;
  test_case.grad_output = tensor_of(ordered(out, call.format), call.dtype, call.format);
  (dx ? test_case.grad_input : test_case.input) =
      tensor_of(ordered(map, call.format), call.dtype, call.format);
  (dx ? test_case.weight : test_case.grad_weight) = tensor_of(
      ordered(filter, call.filter_format), dx ? call.dtype : DataType::Float, call.filter_format);
  auto& attributes = test_case.attributes.emplace();
  attributes.data_format = corpus::name_of(call.format);
  attributes.pads = call.pads;
  attributes.strides = ordered(by_axis(1, 1, call.stride), call.format);
  attributes.dilations = ordered(by_axis(1, 1, call.dilation), call.format);
  if (call.enable_hf32) attributes.enable_hf32 = true;
  fit_result_size(test_case);
  return test_case;
}

}  // namespace gradproof::oracle
