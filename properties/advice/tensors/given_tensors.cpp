#include "properties/advice/tensors/given_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"
#include "properties/targets/session/unwritten.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::TensorCase;
using Problem = std::optional<std::string>;

std::string shape_words(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

/// The tensor is there, its elements are numbers of a gradient, and the bytes are as many.
template <typename Role>
Problem problem_with(const Case& test_case, Role role, const std::vector<std::byte>& bytes) {
  const std::optional<TensorCase>& tensor = corpus::tensor(test_case, role);
  const std::string_view name = corpus::name_of(test_case, role);
  if (!tensor) return fmt::format("{}: the call has none", name);
  if (!oracle::format_of(tensor->dtype)) {
    return fmt::format("{}: {} is no type of a gradient", name, corpus::name_of(tensor->dtype));
  }
  const auto count = corpus::element_count(tensor->shape);
  const std::size_t size = corpus::size_bytes(tensor->dtype);
  const std::size_t expected = to_size(count.value_or(0)) * size;
  if (count && bytes.size() == expected) return std::nullopt;
  return fmt::format("{}: expected {} bytes for {} {}, found {}", name, expected,
                     corpus::name_of(tensor->dtype), shape_words(tensor->shape), bytes.size());
}

Problem wrong_shape(std::string_view name, const TensorCase& tensor,
                    const std::vector<std::int64_t>& expected) {
  if (tensor.shape == expected) return std::nullopt;
  return fmt::format("{} has shape {}; the other tensors and the attributes lead to {}", name,
                     shape_words(tensor.shape), shape_words(expected));
}

Problem bias_problem(const Case& test_case) {
  if (!test_case.input) return std::nullopt;
  return wrong_shape("bias", *test_case.input, {test_case.grad_input->shape[1]});
}

Problem shape_problem(const Case& test_case) {
  const bool is_forward = corpus::is_forward(test_case.api);
  const std::string_view derived = is_forward ? "output" : "gradOutput";
  const Case maps = targets::with_maps_of_a_gradient(test_case);
  const auto shape = targets::derived_grad_output(maps);
  if (!shape) return fmt::format("{}: {}", derived, shape.error());
  if (auto wrong = wrong_shape(derived, *maps.grad_output, *shape)) return wrong;
  if (is_forward) return bias_problem(test_case);
  if (const auto geometry = oracle::geometry_of(test_case); !geometry) return geometry.error();
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) continue;
    const auto fitting = targets::fitting_output(test_case, role);
    if (auto wrong =
            wrong_shape(corpus::name_of(role), *corpus::tensor(test_case, role), fitting.shape)) {
      return wrong;
    }
  }
  return std::nullopt;
}

Problem operand_problem(const GivenTensors& tensors) {
  const Case& test_case = tensors.test_case;
  const auto& known = targets::apis_of_tensors;
  if (std::ranges::find(known, test_case.api) == known.end()) {
    return fmt::format(
        "{}: tensors of aclnnConvolutionBackward and aclnnConvolution alone are judged",
        corpus::name_of(test_case.api));
  }
  for (const corpus::InputRole role : corpus::input_roles) {
    const bool may_lack = corpus::is_forward(test_case.api) && role == corpus::InputRole::Input;
    if (may_lack && !test_case.input) continue;  // the bias
    const auto& bytes = tensors.operands[role];
    if (auto wrong = problem_with(test_case, role, bytes)) return wrong;
  }
  return std::nullopt;
}

}  // namespace

Problem problem_with_operands(const GivenTensors& tensors) {
  if (auto wrong = operand_problem(tensors)) return wrong;
  return shape_problem(tensors.test_case);
}

Problem problem_with(const GivenTensors& tensors) {
  const Case& test_case = tensors.test_case;
  if (auto wrong = operand_problem(tensors)) return wrong;
  bool is_any = false;
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) continue;
    is_any = true;
    const auto& bytes = tensors.results[role];
    if (auto wrong = problem_with(test_case, role, bytes)) return wrong;
  }
  if (!is_any) return "there is no result to judge: gradInput, gradWeight or gradBias";
  return shape_problem(test_case);
}

}  // namespace gradproof::advice
