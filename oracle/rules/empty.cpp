#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::OutputRole;

constexpr Paths empty_input{Path::EmptyInput};
constexpr std::string_view source_of_empty = "aclnnConvolutionBackward, empty tensors";
constexpr std::string_view source_of_library = "CANN ops-nn, checks of empty tensors";

constexpr StatusRule row(std::string_view id, Clause demand, std::string_view source,
                         Standing (*standing)(const Facts&),
                         Consequence (*consequence)(const Facts&),
                         std::string (*words)(const Facts&)) {
  return {.id = id,
          .demand = demand,
          .source = source,
          .products = on_a23_a5,
          .paths = empty_input,
          .standing = standing,
          .consequence = consequence,
          .words = words};
}

/// A row of the specification that only points at others.
constexpr StatusRule reference(std::string_view id, Clause demand, std::string_view restates) {
  return {.id = id,
          .demand = demand,
          .source = source_of_empty,
          .products = on_a23_a5,
          .paths = empty_input,
          .standing = [](const Facts&) { return Standing::Undefined; },
          .consequence = always_invalid,
          .words = [](const Facts&) { return std::string(); },
          .never_decides = restates};
}

bool has_channels(const corpus::TensorCase* tensor) {
  return tensor != nullptr && tensor->shape.size() >= 2;
}

/// Consequence of breaking a demand of the documents that the released checks lack.
Consequence not_checked_by_library(const Facts&) { return {invalid, success, {success, invalid}}; }

std::string words_for_input_and_weight(const Facts& facts, std::string_view demand) {
  return fmt::format("input has shape {} and weight {}; {}", list_of(facts.input->shape),
                     list_of(facts.weight->shape), demand);
}

// EMPTY-03

/// Standing of an empty batch or no channels: then no product exists and every sum is empty. A
/// spatial length of 0 is no such problem: it is refused.
Standing empty_along_batch_or_channels(const Facts& facts) {
  if (!has_channels(facts.input)) return Standing::Undefined;
  const bool no_channels = !facts.transposed() && channels_of(*facts.input) == 0;
  return met_if(batch_of(*facts.input) == 0 || no_channels);
}

/// Released: looked at if gradInput is requested; a transposed input of 0 channels passes here and
/// fails EMPTY-07.
Consequence not_empty_along_batch_or_channels(const Facts& facts) {
  return facts.is_requested(OutputRole::GradInput) ? always_invalid(facts)
                                                   : not_checked_by_library(facts);
}

std::string words_for_batch_or_channels(const Facts& facts) {
  return fmt::format(
      "input has shape {}; an empty problem needs {}", list_of(facts.input->shape),
      facts.transposed() ? "input.N 0 in a transposed call" : "input.N or input.C 0");
}

// EMPTY-04, EMPTY-07, EMPTY-09

/// Ordinary: C of input and of weight are 0 together, as both count the channels that are summed.
/// Transposed: weight.N counts input's, and must be there.
Standing channels_vanish_together(const Facts& facts) {
  if (facts.transposed() || !are_paired(facts.input, facts.weight)) return Standing::Undefined;
  return met_if((channels_of(*facts.input) == 0) == (channels_of(*facts.weight) == 0));
}

Standing transposed_channels_agree(const Facts& facts) {
  if (!facts.transposed() || !are_paired(facts.input, facts.weight)) return Standing::Undefined;
  const std::int64_t channels = batch_of(*facts.weight);
  return met_if(channels > 0 && channels == channels_of(*facts.input));
}

Standing weight_has_outputs(const Facts& facts) {
  if (facts.transposed() || !facts.weight || facts.weight->shape.empty()) {
    return Standing::Undefined;
  }
  return met_if(batch_of(*facts.weight) >= 1);
}

// EMPTY-08. Of 4 paddings the released library takes the first two twice, once for H and once for
// W.

Relation kernel_fits_in_release(const Facts& facts) {
  SpatialAxes read = facts.axes;
  if (facts.padding->size() != facts.spatial_rank()) {
    for (std::size_t i = 0; i < read.count; ++i) {
      read.values[i].padding_begin = read.values[i].padding_end = (*facts.padding)[i];
    }
  }
  return on_all(read, kernel_fits);
}

/// Standing of a kernel that must fit. Where only the released reading fails, a library may refuse.
Standing kernel_fits_into_input(const Facts& facts) {
  if (facts.transposed() || !facts.axes_are_known) return Standing::Undefined;
  const Relation fits = on_all(facts.axes, kernel_fits);
  if (fits == Relation::Unknown) return Standing::Undefined;
  if (fits == Relation::Fails) return Standing::Broken;
  return permitted_if(kernel_fits_in_release(facts) == Relation::Fails);
}

/// Consequence of a kernel that does not fit. With four padding values the released library adds
/// padding[i] twice on axis i (D-14), so that the two readings can differ.
Consequence kernel_does_not_fit(const Facts& facts) {
  const bool by_document = on_all(facts.axes, kernel_fits) == Relation::Fails;
  const bool by_release = kernel_fits_in_release(facts) == Relation::Fails;
  if (by_document && by_release) return always_invalid(facts);
  return {by_document ? invalid : success, by_release ? invalid : success, {success, invalid}};
}

std::string words_for_kernel(const Facts& facts) {
  const auto axes = facts.axes.all();
  const auto failing = std::ranges::find_if(
      axes, [](const SpatialAxis& axis) { return kernel_fits(axis) == Relation::Fails; });
  if (failing == axes.end()) {
    return fmt::format(
        "padding {}: legal, though the released library doubles the first two values",
        list_of(*facts.padding));
  }
  return fmt::format(
      "input's {} {} with padding {} and {} is below the dilated kernel's length: kernel {}, "
      "dilation {}",
      axis_name(facts.rank, static_cast<std::size_t>(failing - axes.begin())), failing->big,
      failing->padding_begin, failing->padding_end, failing->kernel, failing->dilation);
}

// EMPTY-10, EMPTY-11

Standing groups_divide(const Facts& facts) {
  const bool defined = facts.weight && !facts.weight->shape.empty() && facts.test_case.groups >= 1;
  if (!defined) return Standing::Undefined;
  return met_if(batch_of(*facts.weight) % facts.test_case.groups == 0);
}

std::string words_for_division(const Facts& facts) {
  return fmt::format("groups is {}; it must divide weight's first axis, {}", facts.test_case.groups,
                     batch_of(*facts.weight));
}

/// CH-02 for an empty problem; without a batch a transposed call has no channels to compare.
Standing grouped_channels_agree(const Facts& facts) {
  const bool batch_free = facts.transposed() && facts.input && !facts.input->shape.empty() &&
                          batch_of(*facts.input) == 0;
  if (batch_free) return Standing::Met;
  if (!are_paired(facts.big, facts.weight) || !facts.grouped_channels) return Standing::Undefined;
  const std::int64_t channels = channels_of(*facts.big);
  const bool both_vanish = channels == 0 && channels_of(*facts.weight) == 0;
  return met_if(both_vanish || channels == *facts.grouped_channels);
}

std::string words_for_grouped_channels(const Facts& facts) {
  return fmt::format("{} has {} channels; weight's second axis times groups is {} * {} = {}",
                     big_name(facts), channels_of(*facts.big), channels_of(*facts.weight),
                     facts.test_case.groups, facts.grouped_channels.value_or(0));
}

// EMPTY-12, EMPTY-13: shapes that an empty problem leaves uncompared. No rule is broken where they
// are consistent anyway.

bool grad_output_is_consistent(const Facts& facts) {
  const auto channels =
      facts.transposed() ? facts.grouped_channels : std::optional(batch_of(*facts.weight));
  if (batch_of(*facts.grad_output) != batch_of(*facts.input)) return false;
  if (channels && channels_of(*facts.grad_output) != *channels) return false;
  const bool lengths_are_defined = facts.axes_are_known && facts.stride_fits;
  return !lengths_are_defined || on_all(facts.axes, small_length_is_right) == Relation::Holds;
}

Standing grad_output_is_free(const Facts& facts) {
  if (!are_paired(facts.grad_output, facts.input) || !are_paired(facts.input, facts.weight)) {
    return Standing::Undefined;
  }
  return permitted_if(!grad_output_is_consistent(facts));
}

Standing output_padding_is_free(const Facts& facts) {
  const bool defined =
      facts.transposed() && facts.axes_are_known && facts.stride_fits && facts.output_padding_fits;
  if (!defined) return Standing::Undefined;
  return permitted_if(on_all(facts.axes, big_length_is_as_deduced) != Relation::Holds);
}

// EMPTY-14

bool shape_differs(const corpus::TensorCase* output, const corpus::TensorCase* model) {
  return output && model && output->shape != model->shape;
}

bool bias_shape_differs(const Facts& facts) {
  const bool compared = facts.is_requested(OutputRole::GradBias) && facts.grad_bias &&
                        facts.bias_sizes && facts.bias_sizes->size() == 1;
  return compared && facts.grad_bias->shape != *facts.bias_sizes;
}

bool weight_shape_differs(const Facts& facts) {
  return shape_differs(facts.grad_weight, facts.weight);
}

Standing outputs_have_their_shapes(const Facts& facts) {
  return met_if(!shape_differs(facts.grad_input, facts.input) && !weight_shape_differs(facts) &&
                !bias_shape_differs(facts));
}

/// The library copies zeros into gradWeight and gradBias, which fails where the shapes differ.
Consequence outputs_of_other_shapes(const Facts& facts) {
  const bool copied = bias_shape_differs(facts) ||
                      (facts.is_requested(OutputRole::GradWeight) && weight_shape_differs(facts));
  const StatusSet released = copied ? StatusSet{success, inner} : StatusSet(success);
  return {invalid, released, {success_without_values, invalid, inner}};
}

std::string words_for_outputs(const Facts& facts) {
  if (shape_differs(facts.grad_input, facts.input)) {
    return fmt::format("gradInput has shape {}; it must be that of input, {}",
                       list_of(facts.grad_input->shape), list_of(facts.input->shape));
  }
  if (weight_shape_differs(facts)) {
    return fmt::format("gradWeight has shape {}; it must be that of weight, {}",
                       list_of(facts.grad_weight->shape), list_of(facts.weight->shape));
  }
  return fmt::format("gradBias has shape {}; it must be that in biasSizes, {}",
                     list_of(facts.grad_bias->shape), list_of(*facts.bias_sizes));
}

constexpr StatusRule empty_rows[] = {
    reference("EMPTY-01",
              {"gradOutput is empty only where input or weight is",
               "只有 input 或 weight 为空 tensor 时，gradOutput 才能为空 tensor"},
              "restates SHAPE-08"),
    reference("EMPTY-02",
              {"gradBias requested: what is asked of biasSizes",
               "要求计算 gradBias 时，对 biasSizes 的要求"},
              "restates NULL-16, LEN-05 and BIAS-02"),
    row("EMPTY-03",
        {"input.N is 0 or (not transposed) input.C is 0",
         "空 tensor 只能是 input 的 N 为 0，非转置卷积也可以是 C 为 0"},
        source_of_empty, empty_along_batch_or_channels, not_empty_along_batch_or_channels,
        words_for_batch_or_channels),
    row("EMPTY-04",
        {"not transposed: input.C and weight.C are 0 together or not at all",
         "非转置卷积的空 tensor：input 的 C 与 weight 的 C 须同为 0 或都不为 0"},
        source_of_empty, channels_vanish_together, always_invalid,
        [](const Facts& facts) {
          return words_for_input_and_weight(facts, "their C axes must be 0 together or not at all");
        }),
    row(
        "EMPTY-05", {"input has more than 2 dimensions", "空 tensor：input 的维数须大于 2"},
        source_of_empty,
        [](const Facts& facts) {
          return facts.input ? met_if(facts.input->shape.size() > 2) : Standing::Undefined;
        },
        always_invalid,
        [](const Facts& facts) {
          return fmt::format("input has shape {}; an empty input must have more than 2 dimensions",
                             list_of(facts.input->shape));
        }),
    reference("EMPTY-06",
              {"the arrays have the lengths that input's rank asks for",
               "空 tensor：各数组的元素个数须与 input 的维数相符"},
              "restates LEN-01 to LEN-04"),
    row("EMPTY-07",
        {"transposed: weight.N is input.C and not 0",
         "转置卷积的空 tensor：weight 的 N 须等于 input 的 C，且不为 0"},
        source_of_empty, transposed_channels_agree, always_invalid,
        [](const Facts& facts) {
          return words_for_input_and_weight(facts, "weight.N must be input.C and above 0");
        }),
    row("EMPTY-08",
        {"not transposed: the dilated kernel fits into the padded input",
         "非转置卷积的空 tensor：按膨胀 dilation 展开的卷积核 weight 不能超出加上填充 padding 的 "
         "input"},
        source_of_empty, kernel_fits_into_input, kernel_does_not_fit, words_for_kernel),
    row("EMPTY-09",
        {"not transposed: weight.N is not 0", "非转置卷积的空 tensor：weight 的 N 不能为 0"},
        source_of_empty, weight_has_outputs, not_checked_by_library,
        [](const Facts& facts) {
          return fmt::format("weight has shape {}; its first axis must not be 0",
                             list_of(facts.weight->shape));
        }),
    row("EMPTY-10", {"groups divides weight.N", "空 tensor：weight 的 N 须能被分组数 groups 整除"},
        source_of_library, groups_divide, always_invalid, words_for_division),
    row("EMPTY-11",
        {"weight.C * groups is the channels of input (transposed: of gradOutput)",
         "空 tensor：weight 的 C 乘以分组数 groups 须等于 input 的通道数（转置卷积：gradOutput "
         "的通道数）"},
        source_of_empty, grouped_channels_agree, always_invalid, words_for_grouped_channels),
    row("EMPTY-12",
        {"gradOutput's sizes are not compared with input and weight",
         "空 tensor：gradOutput 的形状不与 input 和 weight 比较"},
        source_of_empty, grad_output_is_free, legal_or_invalid,
        [](const Facts& facts) {
          return fmt::format(
              "gradOutput has shape {}, which does not match input {} and weight {}: legal, since "
              "the problem is empty",
              list_of(facts.grad_output->shape), list_of(facts.input->shape),
              list_of(facts.weight->shape));
        }),
    row("EMPTY-13",
        {"transposed: outputPadding is not compared with the sizes",
         "转置卷积的空 tensor：输出填充 outputPadding 不与各维长度比较"},
        source_of_library, output_padding_is_free, legal_or_invalid,
        [](const Facts& facts) {
          return fmt::format(
              "outputPadding {} does not match the sizes: legal, since the problem is empty",
              list_of(*facts.output_padding));
        }),
    row("EMPTY-14",
        {"gradInput, gradWeight and a requested gradBias have their shapes",
         "空 tensor：gradInput、gradWeight 和要求计算的 gradBias 的形状须分别与 input、weight 和 "
         "biasSizes 一致"},
        "aclnnConvolutionBackward, parameters gradInput, gradWeight, gradBias",
        outputs_have_their_shapes, outputs_of_other_shapes, words_for_outputs),
};

}  // namespace

std::span<const StatusRule> empty_rules() { return empty_rows; }

}  // namespace gradproof::oracle::rules
