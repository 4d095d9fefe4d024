#include "properties/targets/tiling/tiling_classes.h"

#include "corpus/product_row.h"
#include "oracle/geometry/workload.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::DataType;

/// dw is always computed in FLOAT, and dx in its operands' type.
bool has_kernel_types(const Case& test_case) {
  const auto operand = test_case.grad_output->dtype;
  if (corpus::computes_dx(test_case.api)) {
    return test_case.weight->dtype == operand && test_case.grad_input->dtype == operand;
  }
  return test_case.input->dtype == operand && test_case.grad_weight->dtype == DataType::Float;
}

}  // namespace

bool computes_on_cores(const corpus::Case& test_case) {
  const bool dx = corpus::computes_dx(test_case.api);
  const auto& map = dx ? test_case.grad_input : test_case.input;
  const auto& filter = dx ? test_case.weight : test_case.grad_weight;
  const auto product = corpus::product_of(test_case);
  if (!map || !filter || !test_case.grad_output || !product ||
      !corpus::has_ascend_c_gradients(corpus::row_of(*product))) {
    return false;
  }
  // The setters take a length of 0 for one that is not known yet, whatever the other tensor has.
  const auto has_elements = [](const corpus::TensorCase& tensor) {
    return corpus::element_count(tensor.shape).value_or(0) > 0;
  };
  const auto elements = corpus::element_count(map->shape);
  const auto macs = oracle::mac_count(test_case);
  return has_kernel_types(test_case) && elements && macs && *macs <= most_macs_on_cores &&
         *elements <= static_cast<std::int64_t>(most_macs_on_cores) && has_elements(*map) &&
         has_elements(*filter) && has_elements(*test_case.grad_output);
}

}  // namespace gradproof::targets
