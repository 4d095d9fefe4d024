#include "properties/cases/generators/questions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "corpus/element_encoding.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;

bool any_operand(const Case& test_case, auto&& holds) {
  return std::ranges::any_of(corpus::input_roles, [&](InputRole role) {
    const auto& tensor = corpus::tensor(test_case, role);
    return tensor && holds(role, *tensor);
  });
}

bool has_operand_view(const Case& test_case) {
  return any_operand(test_case, [](InputRole, const corpus::TensorCase& tensor) {
    return tensor.strides || tensor.offset != 0;
  });
}

bool has_specials(const Case& test_case) {
  if (!test_case.data) return false;
  if (test_case.data->distribution == corpus::Distribution::Specials) return true;
  return any_operand(test_case, [&](InputRole role, const corpus::TensorCase& tensor) {
    const auto& listed = test_case.data->listed[role];
    return std::ranges::any_of(listed, [&](const corpus::ListedElement& element) {
      const auto value = corpus::decode(tensor.dtype, element.bits);
      return value && !std::isfinite(*value);
    });
  });
}

/// True if the case is in the domain by its paddings: products' ranges do not limit a function.
bool is_in_domain(const Case& test_case, Domain domain) {
  const auto at = [](const auto& values, std::size_t axis, std::int64_t otherwise) {
    return values && axis < values->size() ? (*values)[axis] : otherwise;
  };
  const std::size_t count = test_case.padding ? test_case.padding->size() : 0;
  for (std::size_t axis = 0; axis < count; ++axis) {
    if (domain != Domain::Any && at(test_case.padding, axis, 0) < 0) return false;
    const std::int64_t stride = at(test_case.stride, axis, 1);
    const std::int64_t dilation = domain == Domain::Cann ? 0 : at(test_case.dilation, axis, 1);
    const std::int64_t output_padding = at(test_case.output_padding, axis, 0);
    if (test_case.transposed && output_padding >= std::max(stride, dilation)) return false;
  }
  return true;
}

}  // namespace

const char* why_not_of_tensors(const Selection& selection, const Case& test_case) {
  if (!selection.of_tensors) return nullptr;
  if (!selection.views && has_operand_view(test_case)) return "outside of the options: a view";
  if (!selection.specials && has_specials(test_case)) {
    return "outside of the options: special values";
  }
  if (!is_in_domain(test_case, selection.domain)) return "outside of the options: another domain";
  return nullptr;
}

}  // namespace gradproof::cases
