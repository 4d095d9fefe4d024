#include "properties/cases/calls/operator_convolution.h"

#include <algorithm>
#include <array>

#include "oracle/facts/axis_order.h"
#include "oracle/facts/operator_facts.h"
#include "properties/cases/calls/workable_length.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Format;
using corpus::InputRole;
using corpus::TensorCase;
using oracle::AxisOrder;
using oracle::OperatorFacts;
using oracle::Shape;
using Lengths = std::vector<std::int64_t>;

AxisOrder order_of(Format format) {
  return oracle::axis_order(format).value_or(*oracle::axis_order(Format::Ncdhw));
}

Format data_format_of(const Case& test_case) {
  const auto& named = test_case.attributes->data_format;
  return named ? corpus::format_named(*named).value_or(Format::Ncdhw) : Format::Ndhwc;
}

Lengths ordered(const Lengths& logical, Format format) {
  Shape values{};
  std::ranges::copy(logical, values.begin());
  const Shape own = oracle::in_tensor_order(values, order_of(format));
  return {own.begin(), own.end()};
}

Lengths logical(const Lengths& values, Format format) {
  const Shape result =
      oracle::in_logical_order(std::span<const std::int64_t, 5>(values), order_of(format));
  return {result.begin(), result.end()};
}

std::array<std::optional<TensorCase>*, 3> tensors_of(Case& test_case) {
  const bool dx = corpus::computes_dx(test_case.api);
  return {&test_case.grad_output, dx ? &test_case.grad_input : &test_case.input,
          dx ? &test_case.weight : &test_case.grad_weight};
}

std::optional<Lengths>& result_size_of(Case& test_case) {
  auto& attributes = *test_case.attributes;
  return &result_of(test_case) == &test_case.grad_input ? attributes.input_size
                                                        : attributes.filter_size;
}

void shift(Lengths& values, Format format, const Lengths& old, const Lengths& next) {
  if (values.size() != 5) return;
  const Lengths before = ordered(old, format), after = ordered(next, format);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = shifted(values[i], before[i], after[i]);
}

void shift(std::optional<TensorCase>& tensor, const Lengths& old, const Lengths& next) {
  if (tensor) shift(tensor->shape, tensor->format, old, next);
}

void replace(std::optional<Lengths>& array, Format format, const Convolution& old,
             const Convolution& next, std::int64_t SpatialAxis::*member) {
  if (!array || array->size() != 5) return;
  const AxisOrder order = order_of(format);
  for (std::size_t i = 0; i < 3; ++i) {
    if (old.axes[i].*member != next.axes[i].*member) {
      (*array)[order.at(i + oracle::axis_d)] = next.axes[i].*member;
    }
  }
}

void replace_pads(std::optional<Lengths>& pads, const Convolution& old, const Convolution& next) {
  if (!pads || pads->size() != 6) return;
  for (std::size_t i = 0; i < 3; ++i) {
    const SpatialAxis &before = old.axes[i], &after = next.axes[i];
    if (before.padding_begin != after.padding_begin) (*pads)[2 * i] = after.padding_begin;
    if (before.padding_end != after.padding_end) (*pads)[2 * i + 1] = after.padding_end;
  }
}

/// Listed elements that have no place any more are dropped.
void drop_outside(Case& test_case) {
  if (!test_case.data) return;
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    std::erase_if(test_case.data->listed[role], [&](const auto& element) {
      return !tensor || !std::ranges::equal(element.at, tensor->shape, std::ranges::less{});
    });
  }
}

}  // namespace

std::optional<TensorCase>& result_of(Case& test_case) {
  const bool dx = corpus::computes_dx(test_case.api);
  return dx ? test_case.grad_input : test_case.grad_weight;
}

void fit_result_size(Case& test_case) {
  if (result_of(test_case)) result_size_of(test_case) = result_of(test_case)->shape;
}

std::optional<Convolution> operator_convolution_of(const Case& test_case) {
  if (!test_case.attributes) return std::nullopt;
  const OperatorFacts facts = oracle::operator_facts_of(test_case);
  if (!facts.axes_are_known) return std::nullopt;
  const Shape& map = *facts.feature_map_shape;
  const Shape& filter = *facts.filter_shape;
  if (!std::ranges::all_of(map, [](auto length) { return is_workable(length); }) ||
      !std::ranges::all_of(filter, [](auto length) { return is_workable(length); })) {
    return std::nullopt;
  }
  Convolution read;
  read.sides_may_differ = true;
  read.batch = map[oracle::axis_n];
  read.groups = std::max(test_case.groups, 1);
  read.small_channels_per_group = filter[oracle::axis_n] / read.groups;
  read.big_channels_per_group = filter[oracle::axis_c];
  for (const oracle::SpatialAxis& axis : facts.axes.all()) {
    if (!is_workable_axis(axis)) return std::nullopt;
    read.axes.push_back({.big = axis.big,
                         .kernel = axis.kernel,
                         .stride = axis.stride,
                         .dilation = axis.dilation,
                         .padding_begin = axis.padding_begin,
                         .padding_end = axis.padding_end});
  }
  return read;
}

Case with_operator_convolution(const Case& test_case, const Convolution& old,
                               const Convolution& next) {
  if (next.axes.size() != 3 || old.axes.size() != 3) return test_case;
  Case result = test_case;
  const auto [out, map, filter] = tensors_of(result);
  const bool fitted = result_of(result) && result_size_of(result) == result_of(result)->shape;
  const Format format_of_result = result_of(result) ? result_of(result)->format : Format::Ncdhw;
  const bool dx = &result_of(result) == map;
  if (auto& size = result_size_of(result); size && !fitted) {
    shift(*size, format_of_result, dx ? old.big_shape() : old.weight_shape(),
          dx ? next.big_shape() : next.weight_shape());
  }
  shift(*out, old.small_shape(), next.small_shape());
  shift(*map, old.big_shape(), next.big_shape());
  shift(*filter, old.weight_shape(), next.weight_shape());
  if (fitted) fit_result_size(result);
  if (next.groups != old.groups) result.groups = static_cast<std::int32_t>(next.groups);
  auto& attributes = *result.attributes;
  const Format format = data_format_of(result);
  replace(attributes.strides, format, old, next, &SpatialAxis::stride);
  replace(attributes.dilations, format, old, next, &SpatialAxis::dilation);
  replace_pads(attributes.pads, old, next);
  drop_outside(result);
  return result;
}

void set_operator_convolution(Case& test_case, const Convolution& sizes) {
  const auto [out, map, filter] = tensors_of(test_case);
  (*out)->shape = ordered(sizes.small_shape(), (*out)->format);
  (*map)->shape = ordered(sizes.big_shape(), (*map)->format);
  (*filter)->shape = ordered(sizes.weight_shape(), (*filter)->format);
  auto& attributes = *test_case.attributes;
  const Format format = data_format_of(test_case);
  Lengths strides{1, 1}, dilations{1, 1}, pads;
  for (const SpatialAxis& axis : sizes.axes) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    pads.insert(pads.end(), {axis.padding_begin, axis.padding_end});
  }
  attributes.strides = ordered(strides, format);
  attributes.dilations = ordered(dilations, format);
  attributes.pads = pads;
  test_case.groups = static_cast<std::int32_t>(sizes.groups);
  fit_result_size(test_case);
}

std::optional<TensorCase> in_format(const TensorCase& tensor, Format format) {
  const bool known = oracle::axis_order(tensor.format) && oracle::axis_order(format);
  if (!known || tensor.shape.size() != 5) return std::nullopt;
  TensorCase result = tensor;
  result.shape = ordered(logical(tensor.shape, tensor.format), format);
  result.format = format;
  return result;
}

std::optional<Case> in_plain_layout(const Case& test_case) {
  if (!corpus::is_graph_operator(test_case.api) || !test_case.attributes) return std::nullopt;
  Case result = test_case;
  auto& attributes = *result.attributes;
  const Format old_format = data_format_of(test_case);
  if (!oracle::axis_order(old_format)) return std::nullopt;
  if (result.data) {
    for (const InputRole role : corpus::input_roles) {
      const auto& tensor = corpus::tensor(test_case, role);
      for (auto& element : result.data->listed[role]) {
        if (tensor && element.at.size() == 5) element.at = logical(element.at, tensor->format);
      }
    }
  }
  for (auto* tensor : tensors_of(result)) {
    if (!*tensor) continue;
    *tensor = in_format(**tensor, Format::Ncdhw);
    if (!*tensor) return std::nullopt;
  }
  for (auto* array : {&attributes.strides, &attributes.dilations}) {
    if (*array && (*array)->size() == 5) *array = logical(**array, old_format);
  }
  Case unchanged = test_case;
  const auto& before = result_of(unchanged);
  if (auto& size = result_size_of(result); size && size->size() == 5 && before) {
    size = logical(*size, before->format);
  }
  attributes.data_format = corpus::name_of(Format::Ncdhw);
  return result;
}

}  // namespace gradproof::cases
