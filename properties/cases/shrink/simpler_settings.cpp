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

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::OutputRole;
using corpus::TensorCase;

using Change = std::optional<Case> (*)(Case);

/// That product has no 8-bit formats: such a call is moved once its dtype is a plain one.
std::optional<Case> on_the_norms_product(Case problem) {
  const bool has_8_bits = std::ranges::any_of(corpus::input_roles, [&](const auto role) {
    const auto& tensor = corpus::tensor(problem, role);
    return tensor && corpus::is_8_bit_float(tensor->dtype);
  });
  if (has_8_bits) return std::nullopt;
  problem.soc = "Ascend910B";
  problem.soc_exercised.reset();
  return problem;
}

std::optional<Case> without_determinism(Case problem) {
  problem.deterministic = false;
  return problem;
}

template <OutputRole only>
std::optional<Case> with_one_output(Case problem) {
  if (!problem.output_mask || !corpus::is_requested(problem, only)) return std::nullopt;
  std::vector<bool> mask(problem.output_mask->size(), false);
  mask[static_cast<std::size_t>(only)] = true;
  problem.output_mask = std::move(mask);
  return problem;
}

template <OutputRole dropped>
std::optional<Case> without_output(Case problem) {
  const bool alone = !problem.output_mask || std::ranges::count(*problem.output_mask, true) < 2;
  if (alone || !corpus::is_requested(problem, dropped)) return std::nullopt;
  (*problem.output_mask)[static_cast<std::size_t>(dropped)] = false;
  return problem;
}

std::optional<Case> in_kept_precision(Case problem) {
  problem.cube_math_type = 0;
  return problem;
}

std::optional<Case> without_hf32(Case problem) {
  if (!problem.attributes || !problem.attributes->enable_hf32) return std::nullopt;
  problem.attributes->enable_hf32.reset();
  return problem;
}

std::optional<Case> of_one_layout(Case problem) {
  auto plain = in_plain_layout(problem);
  if (!plain) return std::nullopt;
  problem = std::move(*plain);
  return problem;
}

std::array<std::optional<TensorCase>*, 7> all_tensors_of(Case& problem) {
  return {&problem.grad_output, &problem.input,       &problem.weight,   &problem.bias,
          &problem.grad_input,  &problem.grad_weight, &problem.grad_bias};
}

template <std::size_t index>
std::optional<Case> with_contiguous(Case problem) {
  auto& tensor = *all_tensors_of(problem)[index];
  if (!tensor) return std::nullopt;
  tensor->strides.reset();
  tensor->storage_shape.reset();
  tensor->offset = 0;
  return problem;
}

std::optional<Case> all_contiguous(Case problem) {
  for (auto* tensor : all_tensors_of(problem)) {
    if (!*tensor) continue;
    (*tensor)->strides.reset();
    (*tensor)->storage_shape.reset();
    (*tensor)->offset = 0;
  }
  return problem;
}

/// biasSizes may say anything that gradBias need not fit.
std::optional<Case> with_bias_sizes_that_fit(Case problem) {
  const auto convolution = convolution_of(problem);
  const bool one_length = problem.bias_sizes && problem.bias_sizes->size() == 1;
  if (!convolution || !one_length) return std::nullopt;
  problem.bias_sizes->front() = convolution->bias_length();
  return problem;
}

std::optional<Case> with_two_paddings(Case problem) {
  const auto old = convolution_of(problem);
  if (!old || old->axes.size() != 2 || !problem.padding || problem.padding->size() != 4) {
    return std::nullopt;
  }
  const auto& four = *problem.padding;
  if (four[0] != four[1] || four[2] != four[3]) return std::nullopt;
  problem.padding = std::vector<std::int64_t>{four[0], four[2]};
  return problem;
}

std::optional<Case> with_plain_formats(Case problem) {
  for (auto* tensor : all_tensors_of(problem)) {
    const bool line = *tensor && (*tensor)->shape.size() == 3;
    if (line && (*tensor)->format == corpus::Format::Nd) (*tensor)->format = corpus::Format::Ncl;
  }
  return problem;
}

/// Listed elements keep their values; nullopt where the new type lacks one.
bool convert_listed(Case& problem, const Case& old) {
  for (const auto role : corpus::input_roles) {
    for (auto& element : problem.data->listed[static_cast<std::size_t>(role)]) {
      const auto value = corpus::decode(corpus::tensor(old, role)->dtype, element.bits);
      const auto bits = value ? corpus::encode_exactly(corpus::tensor(problem, role)->dtype, *value)
                              : std::nullopt;
      if (!bits) return false;
      element.bits = *bits;
    }
  }
  return true;
}

/// Data for other types: listed ones converted, planned ones planned again.
std::optional<Case> with_data_for_types(Case problem, const Case& old) {
  if (!problem.data) return problem;
  if (problem.data->distribution == corpus::Distribution::Listed) {
    return convert_listed(problem, old) ? std::optional(std::move(problem)) : std::nullopt;
  }
  auto planned = oracle::with_recipe(problem, problem.data->distribution, problem.data->seed);
  return planned ? std::optional(std::move(*planned)) : std::nullopt;
}

std::optional<Case> all_float(Case problem) {
  const auto product = corpus::product_of(problem);
  const bool lowers_precision = problem.cube_math_type == 1 || problem.cube_math_type == 2;
  if (product && is_first_generation(*product) && !lowers_precision)
    return std::nullopt;  // CUBE-02
  const Case old = problem;
  for (auto* tensor : all_tensors_of(problem)) {
    if (*tensor && !corpus::is_wide_float((*tensor)->dtype)) return std::nullopt;
    if (*tensor) (*tensor)->dtype = DataType::Float;
  }
  if (problem == old) return std::nullopt;
  return with_data_for_types(std::move(problem), old);
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

std::optional<Case> make_setting(const Case& problem, std::size_t index) {
  return changes[index](problem);
}

}  // namespace

const SimplerStep simpler_settings{count_settings, make_setting};

}  // namespace gradproof::properties
