#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>

#include "properties/advice/explain/change.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using Lengths = std::vector<std::int64_t>;
using Array = std::optional<Lengths> Case::*;

struct AttributeRow {
  std::string_view name;
  Array values;
  std::int64_t lowest, neutral;
};
constexpr std::array attributes{
    AttributeRow{"stride", &Case::stride, 1, 1},
    AttributeRow{"padding", &Case::padding, 0, 0},
    AttributeRow{"dilation", &Case::dilation, 1, 1},
    AttributeRow{"outputPadding", &Case::output_padding, 0, 0},
};

/// Axes that attributes have values for; 0 where no tensor tells.
std::size_t spatial_axes(const Case& call) {
  const auto& tensor = call.input ? call.input : call.weight;
  return tensor && tensor->shape.size() > 2 ? tensor->shape.size() - 2 : 0;
}

/// Adds changes of the attribute to other values, gradOutput's shape following where need be.
void add_values(ChangeList& list, const AttributeRow& row, const Lengths& values) {
  const auto& before = list.original().*row.values;
  if (!before) return;
  list.add(
      row.name, words_for(row.name, values, *before),
      [&](Case& call) { call.*row.values = values; }, Follow::Shapes);
}

Lengths clamped(Lengths values, std::int64_t low, std::int64_t high) {
  for (std::int64_t& value : values) value = std::clamp(value, low, high);
  return values;
}

std::string bits_of(const std::vector<bool>& mask) {
  std::string text;
  for (const bool bit : mask) text += fmt::format("{}{}", text.empty() ? "" : ", ", bit);
  return "[" + text + "]";
}

void supply_outputs(ChangeList& list) {
  const Case& call = list.original();
  if (!call.grad_output || !call.input || !call.weight) return;
  for (const OutputRole role : corpus::output_roles) {
    if (corpus::tensor(call, role)) continue;
    list.add(
        name_of(role), fmt::format("a tensor instead of null for {}", name_of(role)),
        [&](Case& fixed) { corpus::tensor(fixed, role) = targets::fitting_output(call, role); });
  }
  if (call.bias_sizes) return;
  const Lengths sizes = targets::fitting_output(call, OutputRole::GradBias).shape;
  list.add("biasSizes", fmt::format("biasSizes {} instead of null", list_in_words(sizes)),
           [&](Case& fixed) { fixed.bias_sizes = sizes; });
}

void supply_arrays(ChangeList& list) {
  const Case& call = list.original();
  const std::size_t axes = spatial_axes(call);
  for (const AttributeRow& row : attributes) {
    if (call.*row.values || axes == 0) continue;
    const Lengths neutral(axes, row.neutral);
    list.add(
        row.name, fmt::format("{} {} instead of null", row.name, list_in_words(neutral)),
        [&](Case& fixed) { fixed.*row.values = neutral; }, Follow::Shapes);
  }
  if (call.output_mask) return;
  for (const bool bias : {true, false}) {
    const std::vector<bool> mask{true, true, bias};
    list.add("outputMask", fmt::format("outputMask {} instead of null", bits_of(mask)),
             [&](Case& fixed) { fixed.output_mask = mask; });
  }
}

/// An input has the shape of its gradient; gradOutput's follows from both others.
void supply_inputs(ChangeList& list) {
  const Case& call = list.original();
  const auto supply = [&](InputRole role, const std::optional<corpus::TensorCase>& like) {
    if (corpus::tensor(call, role) || !like) return;
    list.add(name_of(role),
             fmt::format("a tensor {} instead of null for {}", list_in_words(like->shape),
                         name_of(role)),
             [&](Case& fixed) { corpus::tensor(fixed, role) = like; });
  };
  supply(InputRole::Input, call.grad_input);
  supply(InputRole::Weight, call.grad_weight);
  const auto shape = targets::derived_grad_output(call);
  if (!shape) return;
  supply(InputRole::GradOutput, targets::contiguous(*shape, call.input->dtype, call.input->format));
}

}  // namespace

void supply_what_is_null(ChangeList& list) {
  supply_outputs(list);
  supply_arrays(list);
  supply_inputs(list);
}

void choose_math_type(ChangeList& list) {
  struct Row {
    std::int8_t type;
    std::string_view name;
  };
  constexpr std::array rows{Row{0, "KEEP_DTYPE"}, Row{1, "ALLOW_FP32_DOWN_PRECISION"},
                            Row{3, "USE_HF32"}, Row{2, "USE_FP16"}};
  for (const Row& row : rows) {
    list.add("cubeMathType",
             fmt::format("cubeMathType {} ({}) instead of {}", row.type, row.name,
                         list.original().cube_math_type),
             [&](Case& call) { call.cube_math_type = row.type; });
  }
}

void fit_bias_sizes(ChangeList& list) {
  const Case& call = list.original();
  if (!call.bias_sizes || !call.grad_output || !call.input || !call.weight) return;
  const Lengths sizes = targets::fitting_output(call, OutputRole::GradBias).shape;
  list.add(
      "biasSizes", words_for("biasSizes", sizes, *call.bias_sizes),
      [&](Case& fixed) { fixed.bias_sizes = sizes; }, Follow::Outputs);
}

void fit_array_lengths(ChangeList& list) {
  const std::size_t axes = spatial_axes(list.original());
  if (axes == 0) return;
  for (const AttributeRow& row : attributes) {
    const auto& values = list.original().*row.values;
    if (!values || values->size() == axes) continue;
    Lengths resized = *values;
    // One value is meant for all axes; pairs are begin and end of each.
    const std::int64_t filler = resized.size() == 1 ? resized.front() : row.neutral;
    if (resized.size() == 2 * axes) {
      for (std::size_t i = 0; i < axes; ++i) resized[i] = resized[2 * i];
    }
    resized.resize(axes, filler);
    add_values(list, row, resized);
    add_values(list, row, Lengths(axes, row.neutral));
  }
  const auto& mask = list.original().output_mask;
  if (!mask || mask->size() == 3) return;
  std::vector<bool> resized = *mask;
  resized.resize(3, false);
  list.add("outputMask",
           fmt::format("outputMask {} instead of {}", bits_of(resized), bits_of(*mask)),
           [&](Case& call) { call.output_mask = resized; });
}

/// The elements of gradOutput that no position of the kernel reaches are what it stands for.
void agree_output_padding(ChangeList& list) {
  const Case& call = list.original();
  if (!call.output_padding) return;
  const auto set = [&](const Lengths& values) {
    list.add("outputPadding", words_for("outputPadding", values, *call.output_padding),
             [&](Case& fixed) { fixed.output_padding = values; });
  };
  const auto convolution = cases::convolution_of(call);
  if (call.transposed && convolution) {
    Lengths unread;
    for (const cases::SpatialAxis& axis : convolution->axes)
      unread.push_back(cases::unread_length(axis));
    set(unread);
  }
  if (!call.transposed) set(Lengths(spatial_axes(call), 0));
}

void derive_grad_output(ChangeList& list) {
  const Case& call = list.original();
  if (!call.grad_output) return;
  const auto shape = targets::derived_grad_output(call);
  if (!shape) return;
  list.add(
      "gradOutput", words_for("gradOutput", *shape, call.grad_output->shape),
      [&](Case& fixed) {
        fixed.grad_output =
            targets::contiguous(*shape, call.grad_output->dtype, call.grad_output->format);
      },
      Follow::Outputs);
}

void narrow_mask(ChangeList& list) {
  const auto& mask = list.original().output_mask;
  if (!mask || mask->size() != 3) return;
  const auto bits = [](const std::vector<bool>& values) {
    return (values[0] ? 1U : 0U) | (values[1] ? 2U : 0U) | (values[2] ? 4U : 0U);
  };
  // One bit flipped before two; a mask that asks for nothing is no remedy.
  for (int flips = 1; flips <= 2; ++flips) {
    for (unsigned wanted = 7; wanted > 0; --wanted) {
      if (std::popcount(wanted ^ bits(*mask)) != flips) continue;
      const std::vector<bool> next{(wanted & 1U) != 0, (wanted & 2U) != 0, (wanted & 4U) != 0};
      list.add("outputMask",
               fmt::format("outputMask {} instead of {}", bits_of(next), bits_of(*mask)),
               [&](Case& call) { call.output_mask = next; });
    }
  }
}

void bound_attributes(ChangeList& list) {
  const Case& call = list.original();
  constexpr std::array highest{std::int64_t{1} << 31, std::int64_t{255}, std::int64_t{63}};
  for (const AttributeRow& row : attributes) {
    const auto& values = call.*row.values;
    if (!values) continue;
    for (const std::int64_t high : highest)
      add_values(list, row, clamped(*values, row.lowest, high));
  }
  if (!call.output_padding || !call.stride) return;
  if (call.output_padding->size() != call.stride->size()) return;
  Lengths below = *call.output_padding;
  for (std::size_t i = 0; i < below.size(); ++i) {
    below[i] =
        std::clamp<std::int64_t>(below[i], 0, std::max<std::int64_t>((*call.stride)[i], 1) - 1);
  }
  add_values(list, attributes.back(), below);
  add_values(list, attributes.back(), Lengths(below.size(), 0));
}

/// Adds padding that lets the kernel take one position at least, or a kernel without gaps.
void make_kernel_fit(ChangeList& list) {
  const Case& call = list.original();
  const auto convolution = cases::convolution_of(call);
  if (!convolution || !call.padding || !call.dilation) return;
  // Not those of input: in a transposed call its rank may differ from gradOutput's and weight's.
  const std::size_t axes = convolution->axes.size();
  if (call.padding->size() != axes) return;
  Lengths padding = *call.padding;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t lacking = -cases::room(convolution->axes[i]);
    if (lacking > 0) padding[i] += (lacking + 1) / 2;
  }
  add_values(list, attributes[1], padding);
  add_values(list, attributes[2], Lengths(axes, 1));
}

}  // namespace gradproof::advice
