#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "corpus/element_encoding.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::OutputRole;
using corpus::TensorCase;

using Change = std::optional<Case> (*)(Case);

/// Changes the product to Ascend910B; 8-bit calls, which it lacks, stay until their dtype is plain.
std::optional<Case> on_the_norms_product(Case test_case) {
  const bool has_8_bits = std::ranges::any_of(corpus::input_roles, [&](const auto role) {
    const auto& tensor = corpus::tensor(test_case, role);
    return tensor && corpus::is_8_bit_float(tensor->dtype);
  });
  if (has_8_bits) return std::nullopt;
  test_case.soc = "Ascend910B";
  test_case.soc_exercised.reset();
  return test_case;
}

std::optional<Case> without_determinism(Case test_case) {
  test_case.deterministic = false;
  return test_case;
}

template <OutputRole only>
std::optional<Case> with_one_output(Case test_case) {
  if (!test_case.output_mask || !corpus::is_requested(test_case, only)) return std::nullopt;
  std::vector<bool> mask(test_case.output_mask->size(), false);
  mask[to_size(only)] = true;
  test_case.output_mask = std::move(mask);
  return test_case;
}

template <OutputRole dropped>
std::optional<Case> without_output(Case test_case) {
  const bool alone = !test_case.output_mask || std::ranges::count(*test_case.output_mask, true) < 2;
  if (alone || !corpus::is_requested(test_case, dropped)) return std::nullopt;
  (*test_case.output_mask)[to_size(dropped)] = false;
  return test_case;
}

std::optional<Case> in_kept_precision(Case test_case) {
  test_case.cube_math_type = 0;
  return test_case;
}

std::optional<Case> without_hf32(Case test_case) {
  if (!test_case.attributes || !test_case.attributes->enable_hf32) return std::nullopt;
  test_case.attributes->enable_hf32.reset();
  return test_case;
}

std::optional<Case> of_one_layout(Case test_case) {
  auto plain = in_plain_layout(test_case);
  if (!plain) return std::nullopt;
  test_case = std::move(*plain);
  return test_case;
}

std::array<std::optional<TensorCase>*, 7> all_tensors_of(Case& test_case) {
  return {&test_case.grad_output, &test_case.input,       &test_case.weight,   &test_case.bias,
          &test_case.grad_input,  &test_case.grad_weight, &test_case.grad_bias};
}

template <std::size_t index>
std::optional<Case> with_contiguous(Case test_case) {
  auto& tensor = *all_tensors_of(test_case)[index];
  if (!tensor) return std::nullopt;
  tensor->strides.reset();
  tensor->storage_shape.reset();
  tensor->offset = 0;
  return test_case;
}

std::optional<Case> all_contiguous(Case test_case) {
  for (auto* tensor : all_tensors_of(test_case)) {
    if (!*tensor) continue;
    (*tensor)->strides.reset();
    (*tensor)->storage_shape.reset();
    (*tensor)->offset = 0;
  }
  return test_case;
}

/// biasSizes may say anything that gradBias need not fit.
std::optional<Case> with_bias_sizes_that_fit(Case test_case) {
  const auto convolution = convolution_of(test_case);
  const bool one_length = test_case.bias_sizes && test_case.bias_sizes->size() == 1;
  if (!convolution || !one_length) return std::nullopt;
  test_case.bias_sizes->front() = convolution->bias_length();
  return test_case;
}

std::optional<Case> with_two_paddings(Case test_case) {
  const auto old = convolution_of(test_case);
  if (!old || old->axes.size() != 2 || !test_case.padding || test_case.padding->size() != 4) {
    return std::nullopt;
  }
  const auto& four = *test_case.padding;
  if (four[0] != four[1] || four[2] != four[3]) return std::nullopt;
  test_case.padding = std::vector<std::int64_t>{four[0], four[2]};
  return test_case;
}

std::optional<Case> with_plain_formats(Case test_case) {
  for (auto* tensor : all_tensors_of(test_case)) {
    const bool line = *tensor && (*tensor)->shape.size() == 3;
    if (line && (*tensor)->format == corpus::Format::Nd) (*tensor)->format = corpus::Format::Ncl;
  }
  return test_case;
}

/// Listed elements keep their values; nullopt where the new type lacks one.
bool convert_listed(Case& test_case, const Case& old) {
  for (const auto role : corpus::input_roles) {
    for (auto& element : test_case.data->listed[role]) {
      const auto value = corpus::decode(corpus::tensor(old, role)->dtype, element.bits);
      const auto bits = value
                            ? corpus::encode_exactly(corpus::tensor(test_case, role)->dtype, *value)
                            : std::nullopt;
      if (!bits) return false;
      element.bits = *bits;
    }
  }
  return true;
}

/// Data for other types: listed ones converted, planned ones planned again.
std::optional<Case> with_data_for_types(Case test_case, const Case& old) {
  if (!test_case.data) return test_case;
  if (test_case.data->distribution == corpus::Distribution::Listed) {
    return convert_listed(test_case, old) ? std::optional(std::move(test_case)) : std::nullopt;
  }
  auto planned = oracle::with_recipe(test_case, test_case.data->distribution, test_case.data->seed);
  return planned ? std::optional(std::move(*planned)) : std::nullopt;
}

std::optional<Case> all_float(Case test_case) {
  const auto product = corpus::product_of(test_case);
  const bool lowers_precision = test_case.cube_math_type == 1 || test_case.cube_math_type == 2;
  if (product && is_first_generation(*product) && !lowers_precision)
    return std::nullopt;  // CUBE-02
  const Case old = test_case;
  for (auto* tensor : all_tensors_of(test_case)) {
    if (*tensor && !corpus::is_wide_float((*tensor)->dtype)) return std::nullopt;
    if (*tensor) (*tensor)->dtype = DataType::Float;
  }
  if (test_case == old) return std::nullopt;
  return with_data_for_types(std::move(test_case), old);
}

constexpr Change changes[] = {
    on_the_norms_product,
    without_determinism,
    all_contiguous,
    with_contiguous<0>,
    with_contiguous<1>,
    with_contiguous<2>,
    with_contiguous<3>,
    with_contiguous<4>,
    with_contiguous<5>,
    with_contiguous<6>,
    with_bias_sizes_that_fit,
    with_plain_formats,
    with_two_paddings,
    with_one_output<OutputRole::GradInput>,
    with_one_output<OutputRole::GradWeight>,
    with_one_output<OutputRole::GradBias>,
    without_output<OutputRole::GradInput>,
    without_output<OutputRole::GradWeight>,
    without_output<OutputRole::GradBias>,
    all_float,
    in_kept_precision,
    of_one_layout,
    without_hf32,
};

std::size_t count_settings(const Case&) { return std::size(changes); }

std::optional<Case> make_setting(const Case& test_case, std::size_t index) {
  return changes[index](test_case);
}

}  // namespace

const SimplerStep simpler_settings{count_settings, make_setting};

}  // namespace gradproof::cases
