#include <algorithm>

#include "properties/cases/generators/violations/breaker_parts.h"
#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::cases {
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

void set_weight_length(Case& test_case, std::size_t axis, std::int64_t length) {
  set_length(test_case.weight, axis, length);
  set_length(test_case.grad_weight, axis, length);
}

void set_input_length(Case& test_case, std::size_t axis, std::int64_t length) {
  set_length(test_case.input, axis, length);
  set_length(test_case.grad_input, axis, length);
}

bool request_bias(Case& test_case) {
  make_present(test_case, corpus::OutputRole::GradBias);
  if (!test_case.bias_sizes) test_case.bias_sizes = test_case.grad_bias->shape;
  if (test_case.bias_sizes->size() != 1) return false;
  (*test_case.output_mask)[2] = true;
  return true;
}

bool contradict_bias_length(Case& test_case, corpus::RandomSource& random) {
  if (!request_bias(test_case)) return false;
  const std::int64_t length = test_case.bias_sizes->front() + random.between(1, 3);
  test_case.bias_sizes->front() = length;
  set_length(test_case.grad_bias, 0, length);  // EMPTY-14 compares these two
  return true;
}

/// An empty weight with an input that is not empty: only a batch or channels of 0 may make a
/// problem empty.
bool empty_weight_alone(Case& test_case, corpus::RandomSource&) {
  (*test_case.output_mask)[0] = true;
  make_present(test_case, corpus::OutputRole::GradInput);
  set_weight_length(test_case, 2, 0);
  return true;
}

bool empty_channels_of_weight_alone(Case& test_case, corpus::RandomSource&) {
  if (test_case.input->shape[1] == 0) return false;
  set_weight_length(test_case, 1, 0);
  return true;
}

bool set_rank_of_two(Case& test_case, corpus::RandomSource&) {
  for (auto* tensor : {&test_case.input, &test_case.grad_input}) {
    if (!*tensor) continue;
    (*tensor)->shape = {0, test_case.input->shape[1]};
    (*tensor)->strides.reset();
    (*tensor)->storage_shape.reset();
    (*tensor)->offset = 0;
  }
  return true;
}

/// The lengths of arrays count on empty problems too.
template <auto member, std::int64_t filler>
bool lengthen_array(Case& test_case, corpus::RandomSource&) {
  (test_case.*member)->push_back(filler);
  return true;
}

bool lengthen_padding(Case& test_case, corpus::RandomSource&) {
  const std::size_t rank = test_case.input->shape.size();
  test_case.padding->resize(rank == 5 ? 6 : 5, 0);
  return true;
}

bool lengthen_long_output_padding(Case& test_case, corpus::RandomSource&) {
  // Four zeros for a plane are legal (LEN-04); five of anything are not.
  test_case.output_padding->resize(5 + test_case.input->shape.size() % 2, 0);
  return true;
}

bool contradict_input_channels(Case& test_case, corpus::RandomSource& random) {
  const std::int64_t channels = test_case.input->shape[1];
  set_input_length(test_case, 1, random.chance(50) ? channels + 1 : 0);
  return true;
}

bool widen_weight_beyond_input(Case& test_case, corpus::RandomSource&) {
  const std::size_t last = test_case.input->shape.size() - 1;
  std::int64_t covered = test_case.input->shape[last];
  for (const std::int64_t padding : *test_case.padding) covered += 2 * padding;
  set_weight_length(test_case, last, covered + 2);
  return true;
}

bool empty_output_channels_of_weight(Case& test_case, corpus::RandomSource&) {
  set_weight_length(test_case, 0, 0);
  return true;
}

bool make_channels_indivisible(Case& test_case, corpus::RandomSource& random) {
  if (test_case.groups < 2) return false;
  set_weight_length(test_case, 0,
                    test_case.weight->shape[0] + random.between(1, test_case.groups - 1));
  if (test_case.transposed) set_input_length(test_case, 1, test_case.weight->shape[0]);
  return true;
}

bool contradict_groups(Case& test_case, corpus::RandomSource& random) {
  if (test_case.input->shape[1] == 0) return false;
  set_input_length(test_case, 1, test_case.input->shape[1] + random.between(1, 2));
  return true;
}

bool reshape_output(Case& test_case, corpus::RandomSource& random) {
  const corpus::OutputRole role =
      random.one_of({corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight});
  if (!make_present(test_case, role)) return false;
  auto& tensor = corpus::tensor(test_case, role);
  const auto axis = to_size(random.between(1, static_cast<std::int64_t>(tensor->shape.size()) - 1));
  set_length(tensor, axis, tensor->shape[axis] + 1);
  return true;
}

bool empty_any_input(Case& test_case, corpus::RandomSource& random) {
  switch (random.between(0, 2)) {
    case 0:
      set_length(test_case.grad_output, 0, 0);
      break;
    case 1:
      set_input_length(test_case, 0, 0);
      break;
    default:
      set_weight_length(test_case, 1, 0);
      break;
  }
  return true;
}

/// Makes the problem empty for its batch, so that its channels are there.
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

}  // namespace gradproof::cases
