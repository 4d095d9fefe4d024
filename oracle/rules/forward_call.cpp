#include "oracle/rules/forward_call.h"

#include <algorithm>

namespace gradproof::oracle::rules {

using corpus::TensorCase;

std::array<ForwardTensor, 3> maps_of(const Facts& facts) {
  return {ForwardTensor{"input", x_of(facts)}, {"weight", w_of(facts)}, {"output", y_of(facts)}};
}

bool is_transposed(const Facts& facts) {
  return facts.test_case.api == corpus::Api::Convolution && facts.test_case.transposed;
}

std::size_t rank_of(const Facts& facts) {
  if (x_of(facts) == nullptr) return 0;
  const std::size_t rank = x_of(facts)->shape.size();
  const bool is_taken = is_tbc(facts)         ? rank == 3
                        : is_depthwise(facts) ? rank == 4
                                              : rank >= 3 && rank <= 5;
  const auto maps = maps_of(facts);
  const bool agree = std::ranges::all_of(maps, [&](const ForwardTensor& named) {
    return named.tensor != nullptr && named.tensor->shape.size() == rank;
  });
  return is_taken && agree ? rank : 0;
}

std::size_t axes_of(const Facts& facts) {
  const std::size_t rank = rank_of(facts);
  return rank == 0 ? 0 : rank - 2;
}

bool has_no_elements(const TensorCase* tensor) {
  return tensor != nullptr && std::ranges::find(tensor->shape, 0) != tensor->shape.end();
}

std::optional<std::int64_t> output_channels(const Facts& facts) {
  const TensorCase* weight = w_of(facts);
  if (weight == nullptr || weight->shape.size() < 3) return std::nullopt;
  if (is_tbc(facts)) return weight->shape[2];
  if (!is_transposed(facts)) return weight->shape[0];
  return (CheckedInteger(weight->shape[1]) * facts.test_case.groups).value();
}

CheckedInteger ForwardAxis::extent() const {
  return CheckedInteger(dilation) * (CheckedInteger(kernel) - 1) + 1;
}

CheckedInteger ForwardAxis::padded() const {
  return CheckedInteger(from) + padding_begin + padding_end;
}

bool padding_fits(const Facts& facts) {
  const std::size_t axes = axes_of(facts);
  if (axes == 0 || facts.padding == nullptr) return false;
  if (is_tbc(facts) || facts.padding->size() == axes) return true;
  if (is_depthwise(facts)) return false;
  if (axes == 2) return facts.padding->size() == 4;
  return axes == 1 && facts.padding->size() == 2 && !is_transposed(facts);
}

namespace {

ForwardAxis line_of_tbc(const Facts& facts) {
  const std::int64_t pad = facts.padding->front();
  return {.from = x_of(facts)->shape[0],
          .kernel = w_of(facts)->shape[0],
          .to = y_of(facts)->shape[0],
          .padding_begin = pad,
          .padding_end = pad};
}

bool arrays_fit(const Facts& facts, std::size_t axes) {
  const bool reads_output_padding = is_transposed(facts);
  return padding_fits(facts) && has_length(facts.stride, axes) &&
         has_length(facts.dilation, axes) &&
         (!reads_output_padding || has_length(facts.output_padding, axes));
}

}  // namespace

std::vector<ForwardAxis> forward_axes(const Facts& facts) {
  const std::size_t axes = axes_of(facts);
  if (axes == 0) return {};
  if (is_tbc(facts)) return {line_of_tbc(facts)};
  if (!arrays_fit(facts, axes)) return {};
  const auto& padding = *facts.padding;
  const bool per_end = padding.size() != axes;
  std::vector<ForwardAxis> result;
  for (std::size_t i = 0; i < axes; ++i) {
    ForwardAxis axis{.from = x_of(facts)->shape[i + 2],
                     .kernel = w_of(facts)->shape[i + 2],
                     .to = y_of(facts)->shape[i + 2],
                     .stride = (*facts.stride)[i],
                     .dilation = (*facts.dilation)[i],
                     .padding_begin = padding[per_end ? 2 * i : i],
                     .padding_end = padding[per_end ? 2 * i + 1 : i]};
    if (is_transposed(facts)) axis.output_padding = (*facts.output_padding)[i];
    if (axis.stride < 1 || axis.dilation < 1) return {};
    result.push_back(axis);
  }
  return result;
}

/// Rounds the quotient of an empty input towards zero (FW-EMPTY-05).
std::optional<std::int64_t> length_due(const Facts& facts, const ForwardAxis& axis) {
  if (is_transposed(facts)) {
    const CheckedInteger spread = (CheckedInteger(axis.from) - 1) * axis.stride;
    const CheckedInteger length =
        spread - axis.padding_begin - axis.padding_end + axis.extent() + axis.output_padding;
    return length.value();
  }
  const CheckedInteger room = axis.padded() - axis.extent();
  if (!room.value()) return std::nullopt;
  if (has_no_elements(x_of(facts))) return *room.value() / axis.stride + 1;
  return (floor_quotient(room, axis.stride) + 1).value();
}

using namespace codes;

Consequence refused_by_the_pages(const Facts&) {
  return {invalid, success, {success, invalid, device_refuses}};
}

Consequence out_of_range(const Facts&) {
  return {inner, {success, device_refuses}, {success, invalid, device_refuses}};
}

}  // namespace gradproof::oracle::rules
