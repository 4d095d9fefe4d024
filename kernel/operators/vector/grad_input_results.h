#pragma once

#include <cstdint>

#include "kernel/operators/vector/axis_reads.h"
#include "kernel/operators/vector/grad_input_plan.h"

namespace gradproof::kernel::operators::vector_path {

/// The sums of a task: of each channel rows, and in each the rows of every n.
struct GradInputSums {
  const float* first = nullptr;
  std::int64_t channel_step = 0, row_step = 0, batch_step = 0;
  bool have_products = true;  ///< else all are 0
};

/// Writes a task's results of one group into gradInput.
void store_grad_input(const GradInputPlan& plan, const GradInputTask& task, std::int64_t group,
                      const GradInputSums& sums);

}  // namespace gradproof::kernel::operators::vector_path
