#include <algorithm>

#include "kernel/operators/vector/grad_input_plan.h"
#include "kernel/operators/vector/vector_call.h"

namespace gradproof::kernel::operators::vector_path {

/// True if the smallest task's copies, a block of channels for all taps, fit in most_copied_floats.
bool grad_input_fits(const ConvolutionBackward& call) {
  const Problem& problem = call.problem;
  const auto reads = [&](const Axis& axis, std::int64_t longest) {
    const std::int64_t results = problem.transposed ? axis.output : axis.feature;
    const std::int64_t reach = (axis.kernel - 1) * axis.dilation / axis.stride + 1;
    const std::int64_t planes = problem.transposed ? std::min(axis.kernel, axis.stride) : 1;
    return static_cast<double>(std::min(results, longest) + reach) * static_cast<double>(planes);
  };
  const double plane = reads(problem.height, GradInputPlan::most_results) *
                       reads(problem.width, GradInputPlan::longest_row);
  return plane * static_cast<double>(call.arithmetic.channel_block()) <= most_copied_floats;
}

Outcome grad_input(const ConvolutionBackward& call, const VectorOperands& operands,
                   const Destination& destination) {
  const GradInputPlan plan(call, operands, destination);
  return run_on_cores(call.launch, plan.tasks(), plan.products,
                      [&plan](std::int64_t number, cube::LocalBuffers&) -> Outcome {
                        run_grad_input_task(plan, plan.task_number(number));
                        return {};
                      });
}

}  // namespace gradproof::kernel::operators::vector_path
