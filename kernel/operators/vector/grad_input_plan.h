#pragma once

#include <cstdint>
#include <vector>

#include "kernel/operators/vector/row_writer.h"
#include "kernel/operators/vector/vector_call.h"

namespace gradproof::kernel::operators::vector_path {

/// Results of one axis that are computed together: `step` apart, from `phase` on.
struct AxisBlock {
  std::int64_t phase = 0, first = 0, count = 0;
};

/// Results of a task: channels of one group, of several n, at one depth.
struct GradInputTask {
  std::int64_t first_group = 0, groups = 1;
  std::int64_t first_n = 0, batch = 1;
  std::int64_t depth = 0;
  AxisBlock height, width;
  std::int64_t first_channel = 0, channels = 1;
};

/// dx of one call: what all its tasks have in common, and how it is cut into them.
struct GradInputPlan {
  /// Most channels, results of a row and of a channel in a task: its sums stay in the cache.
  static constexpr std::int64_t most_channels = 128, longest_row = 1024, most_results = 1024;

  GradInputPlan(const ConvolutionBackward& of, const VectorOperands& from, const Destination& onto);

  std::int64_t tasks() const;
  GradInputTask task_number(std::int64_t number) const;

  std::int64_t length_of(const Axis& axis) const {
    return problem.transposed ? axis.output : axis.feature;
  }
  std::int64_t step_of(const Axis& axis) const { return problem.transposed ? 1 : axis.stride; }

  /// Blocks of c0 summed channels that one accumulator takes: all, or on Ascend950 a segment's.
  std::int64_t segment_channels() const;

  const ConvolutionBackward& call;
  const Problem& problem;
  const VectorOperands& operands;
  const VectorKernels& kernels;
  const Destination& destination;
  const RowWriter writer;
  const std::int64_t summed, channels;  ///< channels of one group
  const std::int64_t c0;                ///< channels of a block
  const std::int64_t depth;
  /// True if only the results of one phase of a row are computed, and written with the zeros
  /// between them: no other has a product.
  const bool writes_between;
  const std::vector<AxisBlock> heights, widths;
  const std::int64_t channels_of_task, channel_tasks;
  std::int64_t groups_of_task = 1, batch_of_task = 1;
  double products = 0;  ///< of one task
};

/// Runs a task in the thread's scratch memory.
void run_grad_input_task(const GradInputPlan& plan, const GradInputTask& task);

}  // namespace gradproof::kernel::operators::vector_path
