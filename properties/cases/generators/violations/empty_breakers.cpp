#include <algorithm>

#include "properties/cases/generators/violations/breaker_parts.h"
#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::properties {
namespace {

using breaker_parts::make_present;
using breaker_parts::several_groups;
using corpus::Case;
using Lengths = std::vector<std::int64_t>;

bool is_with_empty_path(const Frame& frame) { return !is_first_generation(frame.product); }
bool is_wide_with_empty_path(const Frame& frame) {
  return is_with_empty_path(frame) && is_wide(frame);
}
bool is_normal(const Frame& frame) { return is_with_empty_path(frame) && !frame.transposed; }
bool is_transposed(const Frame& frame) { return is_with_empty_path(frame) && frame.transposed; }
bool is_without_empty_path(const Frame& frame) { return is_first_generation(frame.product); }

void set_length(std::optional<corpus::TensorCase>& tensor, std::size_t axis, std::int64_t length) {
  if (!tensor || axis >= tensor->shape.size()) return;
  tensor->shape[axis] = length;
  tensor->strides.reset();
  tensor->storage_shape.reset();
  tensor->offset = 0;
}

void set_weight_length(Case& problem, std::size_t axis, std::int64_t length) {
  set_length(problem.weight, axis, length);
  set_length(problem.grad_weight, axis, length);
}

void set_input_length(Case& problem, std::size_t axis, std::int64_t length) {
  set_length(problem.input, axis, length);
  set_length(problem.grad_input, axis, length);
}

bool request_bias(Case& problem) {
  make_present(problem, corpus::OutputRole::GradBias);
  if (!problem.bias_sizes) problem.bias_sizes = problem.grad_bias->shape;
  if (problem.bias_sizes->size() != 1) return false;
  (*problem.output_mask)[2] = true;
  return true;
}

bool contradict_bias_length(Case& problem, corpus::RandomSource& random) {
  if (!request_bias(problem)) return false;
  const std::int64_t length = problem.bias_sizes->front() + random.between(1, 3);
  problem.bias_sizes->front() = length;
  set_length(problem.grad_bias, 0, length);  // EMPTY-14 compares these two
  return true;
}

/// An empty weight with an input that is not empty: only a batch or channels of 0 may make a
/// problem empty.
bool empty_weight_alone(Case& problem, corpus::RandomSource&) {
  (*problem.output_mask)[0] = true;
  make_present(problem, corpus::OutputRole::GradInput);
  set_weight_length(problem, 2, 0);
  return true;
}

bool empty_channels_of_weight_alone(Case& problem, corpus::RandomSource&) {
  if (problem.input->shape[1] == 0) return false;
  set_weight_length(problem, 1, 0);
  return true;
}

bool set_rank_of_two(Case& problem, corpus::RandomSource&) {
  for (auto* tensor : {&problem.input, &problem.grad_input}) {
    if (!*tensor) continue;
    (*tensor)->shape = {0, problem.input->shape[1]};
    (*tensor)->strides.reset();
    (*tensor)->storage_shape.reset();
    (*tensor)->offset = 0;
  }
  return true;
}

/// The lengths of arrays count on empty problems too.
template <auto member, std::int64_t filler>
bool lengthen_array(Case& problem, corpus::RandomSource&) {
  (problem.*member)->push_back(filler);
  return true;
}

bool lengthen_padding(Case& problem, corpus::RandomSource&) {
  const std::size_t rank = problem.input->shape.size();
  problem.padding->resize(rank == 5 ? 6 : 5, 0);
  return true;
}

bool lengthen_long_output_padding(Case& problem, corpus::RandomSource&) {
  // Four zeros for a plane are legal (LEN-04); five of anything are not.
  problem.output_padding->resize(5 + problem.input->shape.size() % 2, 0);
  return true;
}

bool contradict_input_channels(Case& problem, corpus::RandomSource& random) {
  const std::int64_t channels = problem.input->shape[1];
  set_input_length(problem, 1, random.chance(50) ? channels + 1 : 0);
  return true;
}

bool widen_weight_beyond_input(Case& problem, corpus::RandomSource&) {
  const std::size_t last = problem.input->shape.size() - 1;
  std::int64_t covered = problem.input->shape[last];
  for (const std::int64_t padding : *problem.padding) covered += 2 * padding;
  set_weight_length(problem, last, covered + 2);
  return true;
}

bool empty_output_channels_of_weight(Case& problem, corpus::RandomSource&) {
  set_weight_length(problem, 0, 0);
  return true;
}

bool make_channels_indivisible(Case& problem, corpus::RandomSource& random) {
  if (problem.groups < 2) return false;
  set_weight_length(problem, 0, problem.weight->shape[0] + random.between(1, problem.groups - 1));
  if (problem.transposed) set_input_length(problem, 1, problem.weight->shape[0]);
  return true;
}

bool contradict_groups(Case& problem, corpus::RandomSource& random) {
  if (problem.input->shape[1] == 0) return false;
  set_input_length(problem, 1, problem.input->shape[1] + random.between(1, 2));
  return true;
}

bool reshape_output(Case& problem, corpus::RandomSource& random) {
  const corpus::OutputRole role =
      random.one_of({corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight});
  if (!make_present(problem, role)) return false;
  auto& tensor = corpus::tensor(problem, role);
  const auto axis = static_cast<std::size_t>(
      random.between(1, static_cast<std::int64_t>(tensor->shape.size()) - 1));
  set_length(tensor, axis, tensor->shape[axis] + 1);
  return true;
}

bool empty_any_input(Case& problem, corpus::RandomSource& random) {
  switch (random.between(0, 2)) {
    case 0:
      set_length(problem.grad_output, 0, 0);
      break;
    case 1:
      set_input_length(problem, 0, 0);
      break;
    default:
      set_weight_length(problem, 1, 0);
      break;
  }
  return true;
}

/// Empty for its batch, so that its channels are there.
void without_batch(Convolution& sizes, corpus::RandomSource&) {
  sizes.batch = 0;
  sizes.big_channels_per_group = std::max<std::int64_t>(sizes.big_channels_per_group, 1);
}

constexpr RuleBreaker breakers[] = {
    {"BIAS-02", Base::Empty, is_wide_with_empty_path, contradict_bias_length},
    {"EMPTY-03", Base::NonEmpty, is_with_empty_path, empty_weight_alone},
    {"EMPTY-04", Base::Empty, is_normal, empty_channels_of_weight_alone, without_batch},
    {"EMPTY-05", Base::Empty, is_with_empty_path, set_rank_of_two},
    {"LEN-01", Base::Empty, is_with_empty_path, lengthen_array<&Case::stride, 1>},
    {"LEN-02", Base::Empty, is_with_empty_path, lengthen_array<&Case::dilation, 1>},
    {"LEN-03", Base::Empty, is_with_empty_path, lengthen_padding},
    {"LEN-04", Base::Empty, is_with_empty_path, lengthen_long_output_padding},
    {"EMPTY-07", Base::Empty, is_transposed, contradict_input_channels},
    {"EMPTY-08", Base::Empty, is_normal, widen_weight_beyond_input},
    {"EMPTY-09", Base::Empty, is_normal, empty_output_channels_of_weight},
    {"EMPTY-10", Base::Empty, is_with_empty_path, make_channels_indivisible, several_groups},
    {"EMPTY-11", Base::Empty, is_normal, contradict_groups, without_batch},
    {"EMPTY-14", Base::Empty, is_with_empty_path, reshape_output},
    {"EMPTY-15", Base::NonEmpty, is_without_empty_path, empty_any_input},
};

}  // namespace

std::span<const RuleBreaker> empty_breakers() { return breakers; }

}  // namespace gradproof::properties
