#include "tests/support/status_calls.h"

#include <utility>

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Format;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

Format format_of(std::size_t rank) {
  if (rank == 3) return Format::Ncl;
  return rank == 4 ? Format::Nchw : Format::Ncdhw;
}

Lengths or_default(const Lengths& given, std::size_t axes, std::int64_t value) {
  return given.empty() ? Lengths(axes, value) : given;
}

TensorCase feature_tensor(std::int64_t first, std::int64_t second, const Lengths& spatial,
                          corpus::DataType dtype) {
  Lengths shape{first, second};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  const Format format = format_of(shape.size());
  return tensor_of(std::move(shape), dtype, format);
}

}  // namespace

TensorCase tensor_of(Lengths shape, corpus::DataType dtype, Format format) {
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.format = format;
  return tensor;
}

Case case_of(const LegalCall& call) {
  const std::size_t axes = call.rank - 2;
  const Lengths small = or_default(call.small, axes, 4);
  const Lengths kernel = or_default(call.kernel, axes, 3);
  Case test_case;
  test_case.soc = call.soc;
  test_case.transposed = call.transposed;
  test_case.groups = call.groups;
  test_case.stride = or_default(call.stride, axes, 1);
  test_case.padding = or_default(call.padding, axes, 0);
  test_case.dilation = or_default(call.dilation, axes, 1);
  test_case.output_padding = or_default(call.output_padding, axes, 0);
  Lengths big(axes);
  for (std::size_t i = 0; i < axes; ++i) {
    big[i] = (small[i] - 1) * (*test_case.stride)[i] - 2 * (*test_case.padding)[i] +
             (*test_case.dilation)[i] * (kernel[i] - 1) + 1 + (*test_case.output_padding)[i];
  }
  const std::int64_t small_channels = call.small_channels_per_group * call.groups;
  const std::int64_t big_channels = call.big_channels_per_group * call.groups;
  const TensorCase smaller = feature_tensor(call.batch, small_channels, small, call.dtype);
  const TensorCase larger = feature_tensor(call.batch, big_channels, big, call.dtype);
  test_case.grad_output = call.transposed ? larger : smaller;
  test_case.input = call.transposed ? smaller : larger;
  test_case.weight =
      feature_tensor(small_channels, call.big_channels_per_group, kernel, call.dtype);
  test_case.output_mask = {true, true, true};
  test_case.bias_sizes = {test_case.grad_output->shape[1]};
  fit_outputs(test_case);
  return test_case;
}

Case changed(Case test_case, const Change& change) {
  change(test_case);
  return test_case;
}

void fit_outputs(Case& test_case) {
  test_case.grad_input = test_case.input;
  test_case.grad_weight = test_case.weight;
  const bool sized = test_case.bias_sizes && !test_case.bias_sizes->empty();
  const std::int64_t channels =
      sized ? test_case.bias_sizes->front() : test_case.grad_output->shape.at(1);
  test_case.grad_bias = tensor_of({channels}, test_case.grad_output->dtype, Format::Nd);
}

void set_dtype(Case& test_case, corpus::DataType dtype) {
  for (auto* tensor : {&test_case.grad_output, &test_case.input, &test_case.weight,
                       &test_case.grad_input, &test_case.grad_weight, &test_case.grad_bias}) {
    if (*tensor) (*tensor)->dtype = dtype;
  }
}

void set_mask(Case& test_case, bool dx, bool dw, bool db) { test_case.output_mask = {dx, dw, db}; }

}  // namespace gradproof::oracle
