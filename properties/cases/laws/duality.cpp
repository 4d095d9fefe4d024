#include <utility>

#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases::laws_detail {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;

bool has_grad_weight(const Case& test_case) {
  return corpus::is_requested(test_case, OutputRole::GradWeight);
}

Related duality(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  Case swapped = with_listed_data(test_case);
  std::swap(swapped.grad_output, swapped.input);
  std::swap(swapped.data->listed[InputRole::GradOutput], swapped.data->listed[InputRole::Input]);
  if (swapped.grad_input) swapped.grad_input->dtype = swapped.input->dtype;
  if (swapped.grad_bias) swapped.grad_bias->dtype = swapped.grad_output->dtype;
  // A bias of the other map's channels would be another gradient.
  (*swapped.output_mask)[to_size(OutputRole::GradBias)] = false;
  Convolution next = *sizes;
  next.transposed = !sizes->transposed;
  Case run = derived_call(swapped, next,
                          [](InputRole, const Coordinate& at) { return std::optional(at); });
  Relation relation = same_elements(test_case, std::move(run));
  relation.looked_at = {false, true, false};
  return relation;
}

}  // namespace gradproof::cases::laws_detail
