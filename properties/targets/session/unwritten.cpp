#include "properties/targets/session/unwritten.h"

#include <algorithm>

#include "properties/targets/session/tensor_memory.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::targets {
namespace {

using corpus::Case;

/// True if each axis has a value: all that every library's arguments can say.
bool has_a_value_for_each_axis(const Case& test_case) {
  const std::size_t axes = test_case.input->shape.size() - 2;
  const auto fits = [&](const auto& values) { return values && values->size() == axes; };
  return fits(test_case.stride) && fits(test_case.padding) && fits(test_case.dilation) &&
         (!test_case.output_padding || fits(test_case.output_padding));
}

/// True if the case contradicts itself: a function of tensors has no answer then but a status.
bool contradicts_itself(const Case& test_case) {
  const auto is_empty = [&](corpus::InputRole role) {
    return corpus::element_count(corpus::tensor(test_case, role)->shape) == 0;
  };
  if (std::ranges::any_of(corpus::input_roles, is_empty)) return false;
  const auto shape = derived_grad_output(test_case);
  return !shape || *shape != test_case.grad_output->shape;
}

}  // namespace

corpus::Observation nothing_written(const Case& test_case) {
  corpus::Observation seen;
  for (const corpus::OutputRole role : corpus::output_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor) continue;
    auto& output = seen.outputs[role];
    output.bits = output.before = sentinel_elements(*tensor);
  }
  return seen;
}

const char* why_no_tensors_answer(const Case& test_case) {
  if (std::ranges::find(apis_of_tensors, test_case.api) == apis_of_tensors.end()) {
    return "neither aclnnConvolutionBackward nor aclnnConvolution";
  }
  const Case maps = with_maps_of_a_gradient(test_case);
  const bool has_operands = maps.grad_output && maps.input && maps.weight;
  if (!test_case.shape_consistent || !has_operands) return "a status alone is asked for";
  if (maps.input->shape.size() < 3 || !has_a_value_for_each_axis(maps)) {
    return "attributes without a value for each axis";
  }
  if (contradicts_itself(maps)) return "shapes that contradict each other";
  const auto asks_for = [&](auto role) { return corpus::is_requested(test_case, role); };
  if (std::ranges::none_of(corpus::output_roles, asks_for)) return "no gradient is asked for";
  return nullptr;
}

const char* why_no_call_of_tensors(const Case& test_case, bool status_only) {
  if (status_only || !test_case.data) return "a status alone is asked for";
  return why_no_tensors_answer(test_case);
}

}  // namespace gradproof::targets
