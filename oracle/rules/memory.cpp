#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::TensorCase;

/// True if elements lie one after the other. The stride of an axis of length 1 moves nowhere, and
/// an empty tensor has no order. Row-major: the stride of an axis is the product of the lengths
/// behind it.
bool is_dense(const TensorCase& tensor) {
  if (!tensor.strides || is_empty(tensor)) return true;
  CheckedInteger expected = 1;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    const bool moves = tensor.shape[axis] != 1;
    if (moves && (*tensor.strides)[axis] != expected.value()) return false;
    expected = expected * tensor.shape[axis];
  }
  return true;
}

bool is_strided_view(const TensorCase* tensor) {
  return tensor && (tensor->offset != 0 || !is_dense(*tensor));
}

bool is_scattered(const TensorCase* tensor) { return tensor && !is_dense(*tensor); }

/// True if no two elements share a place, as far as nesting shows it: each axis steps beyond all
/// that those of smaller strides reach. Views that interleave without nesting count as sharing.
/// Sufficient: with strides s_1 <= s_2 <= ... and reach_k = sum over i <= k of (length_i - 1) s_i,
/// the condition s_(k+1) > reach_k makes places a number in mixed radix, whose digits are unique.
/// Deciding it in general is a problem of integer programming.
bool has_distinct_places(const TensorCase& tensor) {
  if (is_dense(tensor)) return true;
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, length
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (tensor.shape[axis] > 1) axes.emplace_back((*tensor.strides)[axis], tensor.shape[axis]);
  }
  std::ranges::sort(axes);
  CheckedInteger reach = 0;
  for (const auto& [stride, length] : axes) {
    if (stride <= reach.value().value_or(std::numeric_limits<std::int64_t>::max())) return false;
    reach = reach + (CheckedInteger(length) - 1) * stride;
  }
  return true;
}

/// True if no requested output shares places: it would keep one value of those in a place.
bool has_values(const Facts& facts) {
  return std::ranges::all_of(corpus::output_roles, [&](corpus::OutputRole role) {
    const TensorCase* tensor = facts.outputs().at(static_cast<std::size_t>(role));
    return !tensor || !facts.is_requested(role) || has_distinct_places(*tensor);
  });
}

std::string words_for_view(const Facts& facts) {
  for (const auto role : corpus::input_roles) {
    const TensorCase* tensor = facts.inputs().at(static_cast<std::size_t>(role));
    if (is_strided_view(tensor)) {
      return fmt::format("{} is a view with strides or an offset, which is legal",
                         corpus::name_of(role));
    }
  }
  return {};
}

std::string words_for_output(const Facts& facts) {
  for (const auto role : corpus::output_roles) {
    const TensorCase* tensor = facts.outputs().at(static_cast<std::size_t>(role));
    if (is_scattered(tensor)) {
      return fmt::format("{} has shape {} and strides {}; an output must be contiguous",
                         corpus::name_of(role), list_of(tensor->shape), list_of(*tensor->strides));
    }
  }
  return {};
}

constexpr StatusRule memory_rows[] = {
    {.id = "LAYOUT-01",
     .demand = {"gradOutput, input and weight may be views with strides and an offset",
                "gradOutput、input 和 weight 可以是非连续的 tensor（带偏移的视图）"},
     .source = "aclnnConvolutionBackward, column of non-contiguous tensors",
     .products = on_supported,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           return permitted_if(std::ranges::any_of(facts.inputs(), is_strided_view));
         },
     .consequence = always_legal,
     .words = words_for_view},
    {.id = "LAYOUT-02",
     .demand = {"gradInput, gradWeight and gradBias are contiguous",
                "gradInput、gradWeight 和 gradBias 须为连续的 tensor"},
     .source = "aclnnConvolutionBackward, column of non-contiguous tensors",
     .products = on_supported,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           return met_if(std::ranges::none_of(facts.outputs(), is_scattered));
         },
     .consequence =
         [](const Facts& facts) {
           const StatusSet written =
               has_values(facts) ? StatusSet(success) : success_without_values;
           return Consequence{invalid, written, {written, invalid}};
         },
     .words = words_for_output},
    {.id = "LAYOUT-03",
     .demand = {"outputs overlap neither each other nor inputs",
                "输出的内存不能相互重叠，也不能与输入重叠"},
     .source = "unspecified",
     .products = on_supported,
     .paths = any_path,
     .standing = [](const Facts&) { return Standing::Undefined; },
     .consequence = always_legal,
     .words = [](const Facts&) { return std::string(); },
     .never_decides =
         "a case gives every tensor its own memory; never tested on foreign libraries"},
    {.id = "HW-01",
     .demand = {"the device has the resources for a legal call",
                "合法的调用还需要设备有足够的资源"},
     .source = "aclnnConvolutionBackward, resource limits",
     .products = on_supported,
     .paths = any_path,
     .standing = [](const Facts&) { return Standing::Undefined; },
     .consequence = always_legal,
     .words = [](const Facts&) { return std::string(); },
     .never_decides = "a refusal of a legal call is reported as such (may_be_refused)"},
};

}  // namespace

std::span<const StatusRule> memory_rules() { return memory_rows; }

}  // namespace gradproof::oracle::rules
