#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using Array = std::vector<std::int64_t>;

// These bounds hold for arrays of any length, also of one that the length rules refuse; OPAD-02
// pairs two arrays.

// Lower bounds of single values: what makes the relation of an axis (geometry.h) have a meaning. A
// value of 0 in stride or dilation would divide by 0 or fold all taps into one.
bool is_below_0(std::int64_t value) { return value < 0; }
bool is_below_1(std::int64_t value) { return value < 1; }
bool is_not_0(std::int64_t value) { return value != 0; }

Standing none(const Array* values, bool (*is_out)(std::int64_t)) {
  return values ? met_if(std::ranges::none_of(*values, is_out)) : Standing::Undefined;
}

std::string words_for_first(std::string_view name, const Array& values,
                            bool (*is_out)(std::int64_t), std::string_view allowed) {
  const auto culprit = std::ranges::find_if(values, is_out);
  return fmt::format("{}[{}] is {}; every {} must be {}", name, culprit - values.begin(), *culprit,
                     name, allowed);
}

/// The index of the first output padding that is not below its stride.
std::optional<std::size_t> large_output_padding(const Facts& facts) {
  for (std::size_t i = 0; i < facts.spatial_rank(); ++i) {
    if ((*facts.output_padding)[i] >= (*facts.stride)[i]) return i;
  }
  return std::nullopt;
}

/// Standing of an output padding: from the stride on, another small length gives the same big one.
Standing output_padding_below_stride(const Facts& facts) {
  if (!facts.transposed()) return Standing::Met;
  if (!facts.output_padding_fits || !facts.stride_fits) return Standing::Undefined;
  return met_if(!large_output_padding(facts));
}

/// The released library checks 3D calls only (D-11).
Consequence output_padding_not_below_stride(const Facts& facts) {
  if (facts.rank == 5) return always_invalid(facts);
  return {invalid, success, {success, invalid, inner}};
}

constexpr StatusRule bound_rows[] = {
    {.id = "STRIDE-01",
     .demand = {"every stride is at least 1", "步长 stride 的每个值须大于等于 1"},
     .source = "aclnnConvolutionBackward, parameter stride",
     .products = on_supported,
     .paths = any_path,
     .standing = [](const Facts& facts) { return none(facts.stride, is_below_1); },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return words_for_first("stride", *facts.stride, is_below_1, ">= 1");
         }},
    {.id = "PAD-01",
     .demand = {"every padding is at least 0", "填充 padding 的每个值须大于等于 0"},
     .source = "aclnnConvolutionBackward, parameter padding",
     .products = on_supported,
     .paths = any_path,
     .standing = [](const Facts& facts) { return none(facts.padding, is_below_0); },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return words_for_first("padding", *facts.padding, is_below_0, ">= 0");
         }},
    {.id = "DIL-01",
     .demand = {"every dilation is at least 1", "膨胀 dilation 的每个值须大于等于 1"},
     .source = "aclnnConvolutionBackward, parameter dilation",
     .products = on_supported,
     .paths = any_path,
     .standing = [](const Facts& facts) { return none(facts.dilation, is_below_1); },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return words_for_first("dilation", *facts.dilation, is_below_1, ">= 1");
         }},
    {.id = "OPAD-01",
     .demand = {"transposed: every output padding is at least 0",
                "转置卷积：输出填充 outputPadding 的每个值须大于等于 0"},
     .source = "aclnnConvolutionBackward, parameter outputPadding",
     .products = on_supported,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           return facts.transposed() ? none(facts.output_padding, is_below_0) : Standing::Met;
         },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return words_for_first("outputPadding", *facts.output_padding, is_below_0, ">= 0");
         }},
    {.id = "OPAD-02",
     .demand = {"transposed: every output padding is below its stride",
                "转置卷积：输出填充 outputPadding 的每个值须小于同一轴的步长 stride"},
     .source = "aclnnConvolutionBackward, parameter outputPadding",
     .products = on_supported,
     .paths = any_path,
     .standing = output_padding_below_stride,
     .consequence = output_padding_not_below_stride,
     .words =
         [](const Facts& facts) {
           const std::size_t i = large_output_padding(facts).value_or(0);
           return fmt::format("outputPadding[{0}] is {1}; it must be below stride[{0}], {2}", i,
                              (*facts.output_padding)[i], (*facts.stride)[i]);
         }},
    {.id = "OPAD-03",
     .demand = {"not transposed: every output padding is 0",
                "非转置卷积：输出填充 outputPadding 的每个值须为 0"},
     .source = "aclnnConvolutionBackward, parameter outputPadding",
     .products = on_supported,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           return facts.transposed() ? Standing::Met : none(facts.output_padding, is_not_0);
         },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return words_for_first("outputPadding", *facts.output_padding, is_not_0,
                                  "0 in a call that is not transposed");
         }},
    {.id = "GRP-01",
     .demand = {"groups is at least 1", "分组数 groups 须大于等于 1"},
     .source = "aclnnConvolutionBackward, parameter groups",
     .products = on_supported,
     .paths = any_path,
     .standing = [](const Facts& facts) { return met_if(facts.test_case.groups >= 1); },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return fmt::format("groups is {}; it must be >= 1", facts.test_case.groups);
         }},
};

}  // namespace

std::span<const StatusRule> bound_rules() { return bound_rows; }

}  // namespace gradproof::oracle::rules
