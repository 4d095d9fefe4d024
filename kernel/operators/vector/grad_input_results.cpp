#include "kernel/operators/vector/grad_input_results.h"

#include <vector>

namespace gradproof::kernel::operators::vector_path {
namespace {

/// The rows of one task: results, and the elements of gradInput that they are written with.
class ResultRows {
 public:
  ResultRows(const GradInputPlan& plan, const GradInputTask& task, const GradInputSums& sums)
      : plan_(plan),
        task_(task),
        sums_(sums),
        height_step_(plan.step_of(plan.problem.height)),
        width_step_(plan.step_of(plan.problem.width)),
        first_(task.width.phase + task.width.first * width_step_),
        count_(task.width.count) {
    if (!plan.writes_between) return;
    const std::int64_t length = plan.length_of(plan.problem.width);
    const std::int64_t next = task.width.first + task.width.count;
    const bool is_last = task.width.phase + next * width_step_ >= length;
    phase_ = task.width.phase;
    first_ = task.width.first * width_step_;
    count_ = (is_last ? length : next * width_step_) - first_;
    row_.assign(static_cast<std::size_t>(count_), 0.0F);
  }

  /// Stores a channel's results of one n.
  void store(std::int64_t n, std::int64_t channel, const float* plane) {
    const TensorView& view = plan_.destination.view;
    const std::int64_t height = task_.height.count;
    const std::int64_t onto = view.distance(
        {n, channel, task_.depth, task_.height.phase + task_.height.first * height_step_, first_});
    // From element to element; of a single one it may be more than 64 bits hold.
    const std::int64_t row_step = height > 1 ? height_step_ * view.strides[3] : 0;
    const std::int64_t step = plan_.writes_between ? 1 : width_step_;
    const std::int64_t element_step = count_ > 1 ? step * view.strides[4] : 1;
    const bool is_one_row = !plan_.writes_between && element_step == 1 &&
                            sums_.row_step == count_ && (row_step == count_ || height == 1);
    const std::int64_t rows = is_one_row ? 1 : height, length = is_one_row ? height : 1;
    // Those between the rows too: a special value that only they have costs a look at the operands.
    if (sums_.have_products) {
      plan_.operands.special_results->look_at(plane,
                                              (height - 1) * sums_.row_step + task_.width.count);
    }
    for (std::int64_t h = 0; h < rows; ++h) {
      const float* const results = plane + h * sums_.row_step;
      plan_.writer.write(plan_.writes_between ? spread(results) : results, length * count_,
                         onto + h * row_step, element_step);
    }
  }

 private:
  /// Results with the zeros between them.
  const float* spread(const float* results) {
    float* const onto = row_.data() + phase_;
    for (std::int64_t i = 0; i < task_.width.count; ++i) onto[i * width_step_] = results[i];
    return row_.data();
  }

  const GradInputPlan& plan_;
  const GradInputTask& task_;
  const GradInputSums& sums_;
  const std::int64_t height_step_, width_step_;
  std::int64_t phase_ = 0, first_, count_;
  std::vector<float> row_;
};

}  // namespace

void store_grad_input(const GradInputPlan& plan, const GradInputTask& task, std::int64_t group,
                      const GradInputSums& sums) {
  ResultRows rows(plan, task, sums);
  for (std::int64_t c = 0; c < task.channels; ++c) {
    for (std::int64_t n = 0; n < task.batch; ++n) {
      rows.store(task.first_n + n, group * plan.channels + task.first_channel + c,
                 sums.first + c * sums.channel_step + n * sums.batch_step);
    }
  }
}

}  // namespace gradproof::kernel::operators::vector_path
