#include "properties/advice/tensors/limits.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/operand_store.h"
#include "properties/findings/picture/output_judge.h"
#include "properties/findings/picture/tensor_box.h"

namespace gradproof::advice {
namespace {

using corpus::OutputRole;

/// Row-major index in the tensor's own shape of an element along N C D H W.
std::size_t own_place(const findings::OwnAxes& axes, const std::vector<std::int64_t>& shape,
                      const oracle::Shape& at) {
  std::int64_t place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    place = place * shape[axis] + at.at(axes.places[axis]);
  }
  return to_size(place);
}

double exact_value(const oracle::ElementJudge& judge, std::size_t index) {
  return judge.has_special_product(index) ? oracle::to_double(judge.expected(index))
                                          : judge.exact(index);
}

/// Describes why an element's limit cannot be worked out; nullopt: each element can be worked out.
std::optional<std::string> limits_problem(const GivenTensors& tensors, OutputRole role,
                                          const oracle::JudgeSettings& settings) {
  const corpus::Case& test_case = tensors.test_case;
  if (auto wrong = problem_with_operands(tensors)) return wrong;
  const std::string_view name = corpus::name_of(test_case, role);
  if (!corpus::is_requested(test_case, role)) return fmt::format("{} is not asked for", name);
  const auto most = settings.largest_macs;
  const bool is_bias = role == OutputRole::GradBias;  // without products
  if (is_bias || oracle::mac_count(test_case).value_or(most + 1) <= most) return std::nullopt;
  return fmt::format("{}: more than {} products, too many to work out each element", name, most);
}

}  // namespace

tl::expected<Limits, std::string> limits_of(const GivenTensors& tensors, OutputRole role,
                                            const oracle::JudgeSettings& settings) {
  const corpus::Case& test_case = tensors.test_case;
  if (auto wrong = limits_problem(tensors, role, settings)) return tl::unexpected(*wrong);
  const auto ways = oracle::arithmetics(test_case, role, settings);
  if (ways.empty()) {
    return tl::unexpected(fmt::format("{} has no arithmetic that the specification defines",
                                      corpus::name_of(test_case, role)));
  }
  const auto geometry = oracle::geometry_of(test_case);
  const oracle::Shape lifted = geometry->shape(role);
  const auto count = to_size(oracle::element_count(lifted));
  Limits limits{.exact = std::vector<double>(count), .allowed = std::vector<double>(count)};
  if (count == 0) return limits;
  const auto operands = tensors.operand_bytes();
  oracle::OperandStore store(test_case, *geometry, &operands);
  findings::OutputJudge judge(test_case, role, *geometry, ways.front(), settings, store);
  const findings::OwnAxes axes = findings::axes_of(test_case, role);
  const auto& shape = corpus::tensor(test_case, role)->shape;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = own_place(axes, shape, oracle::coordinate_of(lifted, i));
    limits.exact[place] = exact_value(judge.elements(), i);
    limits.allowed[place] = judge.elements().reach(i);
  }
  return limits;
}

}  // namespace gradproof::advice
