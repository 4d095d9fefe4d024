#include <fmt/core.h>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using Array = std::vector<std::int64_t>;

/// Spatial axes are counted by input's rank; a null array or a rank outside of 3 to 5 is another
/// rule's.
Standing fits(const Facts& facts, const Array* array, bool fits) {
  if (!array || facts.rank == 0) return Standing::Undefined;
  return met_if(fits);
}

std::string words_for_length(const Facts& facts, std::string_view name, const Array& array) {
  return fmt::format("{} has {} values, {}; input has {} dimensions, so there must be {}", name,
                     array.size(), list_of(array), facts.rank, facts.spatial_rank());
}

bool has_4_for_2d(const Facts& facts) {
  return facts.rank == 4 && facts.output_padding && facts.output_padding->size() == 4;
}

/// Four zeros for a 2D call are legal, which is a permission; other four values are refused by the
/// documents alone.
Standing output_padding_fits(const Facts& facts) {
  if (!facts.output_padding || facts.rank == 0) return Standing::Undefined;
  if (has_4_for_2d(facts) && facts.output_padding_fits) return Standing::Permitted;
  return met_if(facts.output_padding_fits);
}

Consequence output_padding_length(const Facts& facts) {
  if (!has_4_for_2d(facts)) return always_invalid(facts);
  if (facts.output_padding_fits) return legal_or_invalid(facts);
  return {invalid, success, {success_without_values, invalid}};
}

std::string words_for_output_padding(const Facts& facts) {
  const Array& values = *facts.output_padding;
  if (has_4_for_2d(facts) && facts.output_padding_fits) {
    return "outputPadding has 4 values for 2 spatial axes, which is legal since all are 0";
  }
  return words_for_length(facts, "outputPadding", values) +
         (has_4_for_2d(facts) ? " (or 4, all 0)" : "");
}

/// The released library reads biasSizes only where a tensor is empty and gradBias is requested.
Consequence bias_sizes_length(const Facts& facts) {
  const bool wants_db = facts.is_requested(corpus::OutputRole::GradBias);
  if (facts.path == Path::EmptyInput && wants_db) return always_invalid(facts);
  const bool looked_at = facts.any_is_empty && wants_db;
  return {invalid, looked_at ? invalid : success, {success, invalid}};
}

constexpr StatusRule length_rows[] = {
    {.id = "LEN-01",
     .demand = {"stride has one value per spatial axis",
                "步长 stride 的元素个数须等于空间轴的个数"},
     .source = "aclnnConvolutionBackward, parameter stride",
     .standing = [](const Facts& facts) { return fits(facts, facts.stride, facts.stride_fits); },
     .consequence = always_invalid,
     .words = [](const Facts& facts) { return words_for_length(facts, "stride", *facts.stride); }},
    {.id = "LEN-02",
     .demand = {"dilation has one value per spatial axis",
                "膨胀 dilation 的元素个数须等于空间轴的个数"},
     .source = "aclnnConvolutionBackward, parameter dilation",
     .standing =
         [](const Facts& facts) { return fits(facts, facts.dilation, facts.dilation_fits); },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) { return words_for_length(facts, "dilation", *facts.dilation); }},
    {.id = "LEN-03",
     .demand = {"padding has one value per spatial axis, or 4 for a 2D call",
                "填充 padding 的元素个数须等于空间轴的个数，2D 卷积也可以是 4 个"},
     .source = "aclnnConvolutionBackward, parameter padding",
     .standing = [](const Facts& facts) { return fits(facts, facts.padding, facts.padding_fits); },
     .consequence = always_invalid,
     .words =
         [](const Facts& facts) {
           return words_for_length(facts, "padding", *facts.padding) +
                  (facts.rank == 4 ? " (or 4: top, bottom, left, right)" : "");
         }},
    {.id = "LEN-04",
     .demand = {"outputPadding has one value per spatial axis, or 4 zeros for a 2D call",
                "输出填充 outputPadding 的元素个数须等于空间轴的个数，2D 卷积也可以是 4 个 0"},
     .source = "aclnnConvolutionBackward, parameter outputPadding",
     .standing = output_padding_fits,
     .consequence = output_padding_length,
     .words = words_for_output_padding},
    {.id = "LEN-05",
     .demand = {"biasSizes has 1 value", "biasSizes 须只有 1 个元素"},
     .source = "aclnnConvolutionBackward, parameter biasSizes",
     .standing =
         [](const Facts& facts) {
           if (!facts.bias_sizes) return Standing::Undefined;
           return met_if(facts.bias_sizes->size() == 1);
         },
     .consequence = bias_sizes_length,
     .words =
         [](const Facts& facts) {
           return fmt::format("biasSizes has {} values, {}; it must have 1",
                              facts.bias_sizes->size(), list_of(*facts.bias_sizes));
         }},
};

}  // namespace

std::span<const StatusRule> length_rules() { return length_rows; }

}  // namespace gradproof::oracle::rules
