#include "properties/targets/tiling/computes_on_cores.h"

#include <optional>

#include "corpus/product_row.h"
#include "oracle/geometry/workload.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;

/// dw is always computed in FLOAT, and dx in its operands' type.
bool has_kernel_types(const Case& problem) {
  const auto operand = problem.grad_output->dtype;
  if (corpus::computes_dx(problem.api)) {
    return problem.weight->dtype == operand && problem.grad_input->dtype == operand;
  }
  return problem.input->dtype == operand && problem.grad_weight->dtype == DataType::Float;
}

}  // namespace

bool computes_on_cores(const corpus::Case& problem) {
  const bool dx = corpus::computes_dx(problem.api);
  const auto& map = dx ? problem.grad_input : problem.input;
  const auto& filter = dx ? problem.weight : problem.grad_weight;
  const auto product = corpus::product_of(problem);
  if (!map || !filter || !problem.grad_output || !product ||
      !corpus::has_ascend_c_gradients(corpus::row_of(*product))) {
    return false;
  }
  // The setters take a length of 0 for one that is not known yet, whatever the other tensor has.
  const auto has_elements = [](const corpus::TensorCase& tensor) {
    return corpus::element_count(tensor.shape).value_or(0) > 0;
  };
  const auto elements = corpus::element_count(map->shape);
  const auto macs = oracle::mac_count(problem);
  return has_kernel_types(problem) && elements && macs && *macs <= most_macs_on_cores &&
         *elements <= static_cast<std::int64_t>(most_macs_on_cores) && has_elements(*map) &&
         has_elements(*filter) && has_elements(*problem.grad_output);
}

}  // namespace gradproof::properties
