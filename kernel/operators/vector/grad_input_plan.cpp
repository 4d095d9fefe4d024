#include "kernel/operators/vector/grad_input_plan.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/checked.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

/// The blocks of one axis, phase after phase.
std::vector<AxisBlock> axis_blocks(std::int64_t length, std::int64_t step, std::int64_t longest) {
  std::vector<AxisBlock> blocks;
  for (std::int64_t phase = 0; phase < std::min(step, length); ++phase) {
    const std::int64_t count = (length - phase - 1) / step + 1;
    const std::int64_t pieces = cube::blocks_of(count, longest);
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      const std::int64_t first = count * piece / pieces;
      blocks.push_back({phase, first, count * (piece + 1) / pieces - first});
    }
  }
  return blocks;
}

/// The only phase of an ordinary convolution's rows that any tap reaches; nullopt where there are
/// several or none, where results lie far apart, or where a result without products is not 0.
std::optional<std::int64_t> only_phase(const Problem& problem, const VectorOperands& operands) {
  constexpr std::int64_t near = 8;
  const Axis& axis = problem.width;
  if (operands.first_sums != nullptr || problem.transposed || axis.stride < 2 || axis.stride > near)
    return {};
  if (axis.kernel > 1 && axis.dilation % axis.stride != 0) return {};
  const std::int64_t position = axis.feature_position(0, 0);
  const std::int64_t phase = position - floor_divided(position, axis.stride) * axis.stride;
  if (phase >= axis.feature) return {};
  return phase;
}

std::vector<AxisBlock> of_phase(std::vector<AxisBlock> blocks, std::optional<std::int64_t> phase) {
  if (phase) std::erase_if(blocks, [&](const AxisBlock& block) { return block.phase != *phase; });
  return blocks;
}

/// Number of rows of a task: as many as keep their sums and operands in the processor's cache.
std::int64_t rows_of_task(std::int64_t width, std::int64_t step) {
  const std::int64_t row = std::min(cube::blocks_of(width, step), GradInputPlan::longest_row);
  return std::max<std::int64_t>(1, GradInputPlan::most_results / row);
}

/// Number of results, of `count`, that a task needs to be worth its start: 10^6 products.
std::int64_t worth_a_task(std::int64_t count, double products) {
  constexpr double least_products = 1e6;
  if (products * static_cast<double>(count) < least_products) return count;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(least_products / products), 1, count);
}

std::int64_t size_of(const std::vector<AxisBlock>& blocks) {
  return static_cast<std::int64_t>(blocks.size());
}

}  // namespace

GradInputPlan::GradInputPlan(const ConvolutionBackward& of, const VectorOperands& from,
                             const Destination& onto)
    : call(of),
      problem(of.problem),
      operands(from),
      kernels(*from.kernels),
      destination(onto),
      writer(onto, of.arithmetic.compute.storage, of.arithmetic.overflow, kernels),
      summed(problem.transposed ? problem.feature_channels : problem.output_channels),
      channels(problem.transposed ? problem.output_channels : problem.feature_channels),
      c0(of.arithmetic.channel_block()),
      depth(length_of(problem.depth)),
      writes_between(only_phase(problem, from).has_value()),
      heights(axis_blocks(length_of(problem.height), step_of(problem.height),
                          rows_of_task(length_of(problem.width), step_of(problem.width)))),
      widths(of_phase(axis_blocks(length_of(problem.width), step_of(problem.width), longest_row),
                      only_phase(problem, from))),
      channels_of_task(std::min(channels, most_channels)),
      channel_tasks(cube::blocks_of(channels, channels_of_task)) {
  const std::int64_t results = widths[0].count * heights[0].count;
  const double of_a_group = static_cast<double>(results) *
                            static_cast<double>(summed * channels_of_task) *
                            static_cast<double>(problem.height.kernel * problem.width.kernel);
  groups_of_task = channel_tasks > 1 ? 1 : worth_a_task(problem.groups, of_a_group);
  constexpr std::int64_t few_results = 256;  // so small maps of several samples fill vectors
  batch_of_task = std::clamp<std::int64_t>(few_results / results, 1, problem.batch);
  products =
      of_a_group * static_cast<double>(groups_of_task * batch_of_task * problem.depth.kernel);
}

std::int64_t GradInputPlan::tasks() const {
  return cube::blocks_of(problem.groups, groups_of_task) *
         cube::blocks_of(problem.batch, batch_of_task) * depth * size_of(heights) *
         size_of(widths) * channel_tasks;
}

GradInputTask GradInputPlan::task_number(std::int64_t number) const {
  const auto next = [&number](std::int64_t count) {
    const std::int64_t digit = number % count;
    number /= count;
    return digit;
  };
  GradInputTask task;
  task.first_channel = next(channel_tasks) * channels_of_task;
  task.channels = std::min(channels_of_task, channels - task.first_channel);
  task.width = widths[static_cast<std::size_t>(next(size_of(widths)))];
  task.height = heights[static_cast<std::size_t>(next(size_of(heights)))];
  task.depth = next(depth);
  task.first_n = next(cube::blocks_of(problem.batch, batch_of_task)) * batch_of_task;
  task.batch = std::min(batch_of_task, problem.batch - task.first_n);
  task.first_group = number * groups_of_task;
  task.groups = std::min(groups_of_task, problem.groups - task.first_group);
  return task;
}

std::int64_t GradInputPlan::segment_channels() const {
  const std::int64_t taps = problem.height.kernel * problem.width.kernel;
  const std::int64_t all = cube::rounded_up(summed, c0);
  const auto& longest = call.arithmetic.longest_segment;
  if (!longest || problem.transposed || all * taps <= *longest) return all;
  return std::max<std::int64_t>(1, *longest / (taps * c0)) * c0;
}

}  // namespace gradproof::kernel::operators::vector_path
