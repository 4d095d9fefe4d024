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
  Case problem;
  problem.soc = call.soc;
  problem.transposed = call.transposed;
  problem.groups = call.groups;
  problem.stride = or_default(call.stride, axes, 1);
  problem.padding = or_default(call.padding, axes, 0);
  problem.dilation = or_default(call.dilation, axes, 1);
  problem.output_padding = or_default(call.output_padding, axes, 0);
  Lengths big(axes);
  for (std::size_t i = 0; i < axes; ++i) {
    big[i] = (small[i] - 1) * (*problem.stride)[i] - 2 * (*problem.padding)[i] +
             (*problem.dilation)[i] * (kernel[i] - 1) + 1 + (*problem.output_padding)[i];
  }
  const std::int64_t small_channels = call.small_channels_per_group * call.groups;
  const std::int64_t big_channels = call.big_channels_per_group * call.groups;
  const TensorCase smaller = feature_tensor(call.batch, small_channels, small, call.dtype);
  const TensorCase larger = feature_tensor(call.batch, big_channels, big, call.dtype);
  problem.grad_output = call.transposed ? larger : smaller;
  problem.input = call.transposed ? smaller : larger;
  problem.weight = feature_tensor(small_channels, call.big_channels_per_group, kernel, call.dtype);
  problem.output_mask = {true, true, true};
  problem.bias_sizes = {problem.grad_output->shape[1]};
  fit_outputs(problem);
  return problem;
}

Case changed(Case problem, const Change& change) {
  change(problem);
  return problem;
}

void fit_outputs(Case& problem) {
  problem.grad_input = problem.input;
  problem.grad_weight = problem.weight;
  const bool sized = problem.bias_sizes && !problem.bias_sizes->empty();
  const std::int64_t channels =
      sized ? problem.bias_sizes->front() : problem.grad_output->shape.at(1);
  problem.grad_bias = tensor_of({channels}, problem.grad_output->dtype, Format::Nd);
}

void set_dtype(Case& problem, corpus::DataType dtype) {
  for (auto* tensor : {&problem.grad_output, &problem.input, &problem.weight, &problem.grad_input,
                       &problem.grad_weight, &problem.grad_bias}) {
    if (*tensor) (*tensor)->dtype = dtype;
  }
}

void set_mask(Case& problem, bool dx, bool dw, bool db) { problem.output_mask = {dx, dw, db}; }

}  // namespace gradproof::oracle
