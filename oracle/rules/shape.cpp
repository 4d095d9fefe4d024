#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::OutputRole;
using corpus::TensorCase;

constexpr Paths ordinary_shapes{Path::Ordinary};

// SHAPE-01..04: relations between the lengths of each spatial axis.

/// Overflow is RANGE-11's (the relation is Unknown): one mistake breaks one rule.
Standing standing_of_relation(Relation relation) {
  if (relation == Relation::Unknown) return Standing::Undefined;
  return met_if(relation == Relation::Holds);
}

/// 3D sizes are compared by the parameter checks, 1D and 2D ones by shape inference of what is
/// requested but the bias.
Consequence sizes_do_not_match(const Facts& facts) {
  if (facts.rank == 5) return always_invalid(facts);
  const bool inferred =
      facts.is_requested(OutputRole::GradInput) || facts.is_requested(OutputRole::GradWeight);
  if (inferred) return {invalid, inner, {invalid, inner}};
  return {invalid, success, {success_without_values, invalid, inner}};
}

Standing kernel_fits_everywhere(const Facts& facts) {
  if (!facts.axes_are_known) return Standing::Undefined;
  return standing_of_relation(on_all(facts.axes, kernel_fits));
}

template <bool transposed>
Standing small_lengths_are_right(const Facts& facts) {
  if (facts.transposed() != transposed || !facts.axes_are_known || !facts.stride_fits) {
    return Standing::Undefined;
  }
  return standing_of_relation(on_all(facts.axes, small_length_is_right));
}

/// SHAPE-03 and SHAPE-04 are one equation read in two directions: the small length is the floor, so
/// several big lengths satisfy SHAPE-03, and outputPadding picks one
/// (SpatialAxis::deduced_big_length).
Standing big_lengths_are_as_deduced(const Facts& facts) {
  const bool defined =
      facts.transposed() && facts.axes_are_known && facts.stride_fits && facts.output_padding_fits;
  if (!defined) return Standing::Undefined;
  return standing_of_relation(on_all(facts.axes, big_length_is_as_deduced));
}

/// outputPadding is never compared with the sizes; on success the sizes alone define the values.
Consequence output_padding_does_not_match(const Facts&) {
  return {invalid, success, {success, invalid, inner}};
}

std::size_t first_axis(const Facts& facts, Relation (*relation)(const SpatialAxis&)) {
  const auto axes = facts.axes.all();
  const auto failing = std::ranges::find_if(
      axes, [&](const SpatialAxis& axis) { return relation(axis) == Relation::Fails; });
  return static_cast<std::size_t>(failing - axes.begin());
}

/// "input's H 10 with padding 1 and 1, kernel 3, dilation 2, stride 1".
std::string setting(const Facts& facts, std::size_t i) {
  const SpatialAxis& axis = facts.axes.values.at(i);
  return fmt::format("{}'s {} {} with padding {} and {}, kernel {}, dilation {}, stride {}",
                     big_name(facts), axis_name(facts.rank, i), axis.big, axis.padding_begin,
                     axis.padding_end, axis.kernel, axis.dilation, axis.stride);
}

std::string words_for_kernel(const Facts& facts) {
  const std::size_t i = first_axis(facts, kernel_fits);
  const SpatialAxis& axis = facts.axes.values.at(i);
  return fmt::format("{}: the padded length {} is below the dilated kernel's {}", setting(facts, i),
                     axis.padded_length().value().value_or(0),
                     axis.kernel_extent().value().value_or(0));
}

std::string words_for_small_length(const Facts& facts) {
  const std::size_t i = first_axis(facts, small_length_is_right);
  const SpatialAxis& axis = facts.axes.values.at(i);
  return fmt::format("{0}'s {1} is {2}; {3} lead to {4}", small_name(facts),
                     axis_name(facts.rank, i), axis.small, setting(facts, i),
                     axis.small_length().value().value_or(0));
}

std::string words_for_deduced_length(const Facts& facts) {
  const std::size_t i = first_axis(facts, big_length_is_as_deduced);
  const SpatialAxis& axis = facts.axes.values.at(i);
  return fmt::format(
      "gradOutput's {} is {}; input's {} with padding {} and {}, kernel {}, dilation {}, stride "
      "{}, "
      "outputPadding {} leads to {}",
      axis_name(facts.rank, i), axis.big, axis.small, axis.padding_begin, axis.padding_end,
      axis.kernel, axis.dilation, axis.stride, axis.output_padding,
      axis.deduced_big_length().value().value_or(0));
}

// SHAPE-05..07: an output has the shape of what it is the gradient of.

Standing same_shape(const TensorCase* output, const TensorCase* model) {
  if (!output || !model) return Standing::Undefined;
  return met_if(output->shape == model->shape);
}

/// An output that is not requested may be ignored by another library.
template <OutputRole role>
Consequence shape_differs(const Facts& facts) {
  if (facts.is_requested(role)) return always_invalid(facts);
  return {invalid, invalid, {success, invalid}};
}

std::string words_for_shape(std::string_view name, const TensorCase& output,
                            std::string_view model_name, const TensorCase& model) {
  return fmt::format("{} has shape {}; it must be that of {}, {}", name, list_of(output.shape),
                     model_name, list_of(model.shape));
}

Standing bias_has_one_per_channel(const Facts& facts) {
  if (!facts.grad_bias || !facts.grad_output || facts.grad_output->shape.size() < 2) {
    return Standing::Undefined;
  }
  const auto& shape = facts.grad_bias->shape;
  return met_if(shape.size() == 1 && shape[0] == channels_of(*facts.grad_output));
}

// SHAPE-08

/// True if the case breaks a rule of these groups, asked as if gradOutput were not empty.
bool breaks_one_of(std::span<const StatusRule> rules, const Facts& facts) {
  return std::ranges::any_of(rules, [&](const StatusRule& rule) {
    return rule.paths.contains(Path::Ordinary) && rule.products.contains(facts.product_class) &&
           rule.standing(facts) == Standing::Broken;
  });
}

/// A transposed call may have no output along spatial axes; then all its gradients are 0.
bool is_transposed_without_positions(const Facts& facts) {
  const auto& shape = facts.grad_output->shape;
  return facts.transposed() && shape.size() >= 3 && shape[0] > 0 && shape[1] > 0 &&
         !breaks_one_of(channel_rules(), facts) && !breaks_one_of(shape_rules(), facts);
}

/// Zero gradients are what an empty sum gives, so a foreign library that returns them is right.
Consequence grad_output_empty(const Facts& facts) {
  if (is_transposed_without_positions(facts)) return {invalid, invalid, {success, invalid}};
  return always_invalid(facts);
}

constexpr StatusRule shape_rows[] = {
    {"SHAPE-01",
     {"the dilated kernel fits into the padded larger map, on every axis",
      "按膨胀 dilation 展开的卷积核 weight，在每个空间轴上都不能超出加上填充 padding 的 "
      "input（转置卷积：gradOutput）"},
     "aclnnConvolutionBackward, formula 1",
     on_supported,
     ordinary_shapes,
     kernel_fits_everywhere,
     sizes_do_not_match,
     words_for_kernel},
    {"SHAPE-02",
     {"not transposed: gradOutput has the lengths that input leads to",
      "非转置卷积：gradOutput 的空间长度须与由 input、weight、步长 stride、填充 padding 和膨胀 "
      "dilation 推导的一致"},
     "aclnnConvolutionBackward, formula of the output size",
     on_supported,
     ordinary_shapes,
     small_lengths_are_right<false>,
     sizes_do_not_match,
     words_for_small_length},
    {"SHAPE-03",
     {"transposed: input has the lengths that gradOutput leads to",
      "转置卷积：input 的空间长度须与由 gradOutput、weight、步长 stride、填充 padding 和膨胀 "
      "dilation 推导的一致"},
     "CANN ops-nn, checks of shapes",
     on_supported,
     ordinary_shapes,
     small_lengths_are_right<true>,
     sizes_do_not_match,
     words_for_small_length},
    {"SHAPE-04",
     {"transposed: gradOutput has the lengths deduced with outputPadding",
      "转置卷积：gradOutput 的空间长度须与由 input、weight、stride、padding、dilation 和输出填充 "
      "outputPadding 推导的一致"},
     "aclnnConvolutionBackward, parameter outputPadding",
     on_supported,
     ordinary_shapes,
     big_lengths_are_as_deduced,
     output_padding_does_not_match,
     words_for_deduced_length},
    {"SHAPE-05",
     {"gradInput has the shape of input", "gradInput 的形状须与 input 相同"},
     "aclnnConvolutionBackward, parameter gradInput",
     on_supported,
     ordinary_shapes,
     [](const Facts& facts) { return same_shape(facts.grad_input, facts.input); },
     shape_differs<OutputRole::GradInput>,
     [](const Facts& facts) {
       return words_for_shape("gradInput", *facts.grad_input, "input", *facts.input);
     }},
    {"SHAPE-06",
     {"gradWeight has the shape of weight", "gradWeight 的形状须与 weight 相同"},
     "aclnnConvolutionBackward, parameter gradWeight",
     on_supported,
     ordinary_shapes,
     [](const Facts& facts) { return same_shape(facts.grad_weight, facts.weight); },
     shape_differs<OutputRole::GradWeight>,
     [](const Facts& facts) {
       return words_for_shape("gradWeight", *facts.grad_weight, "weight", *facts.weight);
     }},
    {"SHAPE-07",
     {"gradBias has one axis, with one element per channel of gradOutput",
      "gradBias 的维数须为 1，元素个数等于 gradOutput 的通道数"},
     "aclnnConvolutionBackward, parameter gradBias",
     on_supported,
     ordinary_shapes,
     bias_has_one_per_channel,
     shape_differs<OutputRole::GradBias>,
     [](const Facts& facts) {
       return fmt::format("gradBias has shape {}; it must be [{}], gradOutput's channels",
                          list_of(facts.grad_bias->shape), channels_of(*facts.grad_output));
     }},
    {.id = "SHAPE-08",
     .demand = {"gradOutput has elements where input and weight have",
                "input 和 weight 都不是空 tensor 时，gradOutput 也不能为空 tensor"},
     .source = "aclnnConvolutionBackward, empty tensors",
     .products = on_a23_a5,
     .paths = {Path::EmptyGradOutput},
     .standing = [](const Facts&) { return Standing::Broken; },
     .consequence = grad_output_empty,
     .words =
         [](const Facts& facts) {
           return fmt::format("gradOutput has shape {}, no element, though input and weight have",
                              list_of(facts.grad_output->shape));
         }},
};

}  // namespace

std::span<const StatusRule> shape_rules() { return shape_rows; }

}  // namespace gradproof::oracle::rules
