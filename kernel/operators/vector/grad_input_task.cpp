#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/depth_reading.h"
#include "kernel/operators/call/scratch.h"
#include "kernel/operators/vector/axis_reads.h"
#include "kernel/operators/vector/block_shape.h"
#include "kernel/operators/vector/grad_input_plan.h"
#include "kernel/operators/vector/grad_input_results.h"
#include "kernel/operators/vector/row_copy.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

/// Buffers of what a task reads, which a thread keeps from task to task.
struct GradInputReads {
  AxisReads height, width;
  std::vector<DepthReading> depths;
};

/// Part of a row of the map that is copied, and distance to the same part in the next sample.
struct RowPart {
  std::int64_t first = 0, count = 0, batch_step = 0;

  RowPart(const RowLayout& row, const AxisReads& width, std::int64_t residue,
          const DenseOperand& map)
      : first(row.first * width.step + residue), batch_step(map.batch_step()) {
    const std::int64_t there =
        first < width.length ? (width.length - first - 1) / width.step + 1 : 0;
    count = std::min(row.elements, there);
  }
};

/// One task: a piece of gradOutput copied with zeros around its rows, so that a vector of results
/// that are neighbours reads neighbours there, whatever the tap; and sums for every position of
/// that copy, of which those between the rows are dropped.
class GradInputWork {
 public:
  GradInputWork(const GradInputPlan& plan, const GradInputTask& task, Scratch& scratch,
                const GradInputReads& reads)
      : plan_(plan),
        task_(task),
        scratch_(scratch),
        height_(reads.height),
        width_(reads.width),
        readings_(reads.depths),
        row_(width_),
        rows_(height_.reads()),
        row_step_(task.batch * row_.pitch),
        plane_(rows_ * row_step_),
        lanes_(height_.count * row_step_),
        shape_(
            block_shape(plan.kernels, cube::blocks_of(lanes_, plan.kernels.lanes), task.channels)),
        sums_step_(cube::rounded_up(lanes_, plan.kernels.lanes)),
        residues_(height_.planes() * width_.planes()),
        channel_step_(row_.before + residues_ * plane_) {
    const std::int64_t taps = static_cast<std::int64_t>(height_.taps.size() * width_.taps.size());
    // Channels that are copied at once: what a level 2 cache holds in addition to the sums.
    constexpr std::int64_t copied = std::int64_t{64} * 1024, longest_k = 288;
    const std::int64_t blocks = std::min(copied / (channel_step_ * plan.c0),
                                         longest_k / std::max<std::int64_t>(1, taps * plan.c0));
    chunk_ = std::min(plan.summed, std::max<std::int64_t>(1, blocks) * plan.c0);
    const bool segmented = plan.segment_channels() < plan.summed;
    const std::int64_t sums = task.channels * sums_step_;
    const std::int64_t copy = chunk_ * channel_step_ + sums_step_ - lanes_ + row_.pitch + 64;
    scratch.reserve((segmented ? 2 : 1) * Scratch::padded(sums) + Scratch::padded(copy));
    sums_ = scratch.take(sums);
    total_ = segmented ? scratch.take(sums) : nullptr;
    copy_ = scratch.take(copy);
    std::memset(copy_ + chunk_ * channel_step_, 0,
                static_cast<std::size_t>(copy - chunk_ * channel_step_) * sizeof(float));
    list_offsets();
  }

  void run_group(std::int64_t group) {
    group_ = group;
    const std::int64_t segment = plan_.segment_channels();
    float* result = sums_;
    if (segment >= plan_.summed) {
      accumulate(0, plan_.summed);
    } else {
      result = total_;
      const std::int64_t count = task_.channels * sums_step_;
      std::fill_n(total_, count, 0.0F);
      for (std::int64_t first = 0; first < plan_.summed; first += segment) {
        accumulate(first, std::min(segment, plan_.summed - first));
        for (std::int64_t i = 0; i < count; ++i) total_[i] += sums_[i];
      }
    }
    const bool have_products = !height_.taps.empty() && !width_.taps.empty() && !readings_.empty();
    store_grad_input(plan_, task_, group_,
                     {.first = result,
                      .channel_step = sums_step_,
                      .row_step = row_step_,
                      .batch_step = row_.pitch,
                      .have_products = have_products});
  }

 private:
  /// Offsets of the products of one chunk: blocks of c0 channels, taps, channels of the block.
  void list_offsets() {
    auto& vectors = scratch_.vector_offsets;
    auto& scalars = scratch_.scalar_offsets;
    vectors.clear();
    scalars.clear();
    const Problem& problem = plan_.problem;
    const std::int64_t scalar_step = problem.transposed ? weight_taps() : weight_row();
    for (std::int64_t block = 0; block < chunk_; block += plan_.c0) {
      const std::int64_t count = std::min(plan_.c0, chunk_ - block);
      for (const TapRead& h : height_.taps) {
        for (const TapRead& w : width_.taps) {
          const std::int64_t plane = h.plane * width_.planes() + w.plane;
          const std::int64_t at = row_.before + plane * plane_ +
                                  (h.shift - height_.least_shift) * row_step_ + width_.first +
                                  w.shift - row_.first;
          const std::int64_t tap = h.tap * problem.width.kernel + w.tap;
          for (std::int64_t i = 0; i < count; ++i) {
            vectors.push_back((block + i) * channel_step_ + at);
            scalars.push_back((block + i) * scalar_step + tap);
          }
        }
      }
    }
  }

  std::int64_t weight_taps() const { return plan_.operands.weight.channel_step(); }
  std::int64_t weight_row() const { return plan_.operands.weight.batch_step(); }

  /// Adds up the sums over the summed channels `first` to first + count - 1 and all kernel depths.
  void accumulate(std::int64_t first, std::int64_t count) {
    clears_ = first != 0 || plan_.operands.first_sums == nullptr;
    for (std::int64_t c = 0; !clears_ && c < task_.channels; ++c) {
      const std::int64_t channel = group_ * plan_.channels + task_.first_channel + c;
      std::fill_n(sums_ + c * sums_step_, sums_step_, plan_.operands.first_sums[channel]);
    }
    for (const DepthReading& reading : readings_) {
      for (std::int64_t channel = 0; channel < count; channel += chunk_) {
        multiply_chunk(reading, first + channel, std::min(chunk_, count - channel));
      }
    }
    if (clears_) std::fill_n(sums_, task_.channels * sums_step_, 0.0F);
  }

  void multiply_chunk(const DepthReading& reading, std::int64_t first, std::int64_t count) {
    const auto taps = static_cast<std::int64_t>(height_.taps.size() * width_.taps.size());
    if (taps == 0) return;
    for (std::int64_t i = 0; i < count; ++i) {
      copy_channel(group_ * plan_.summed + first + i, reading.slice, copy_ + i * channel_step_);
    }
    // Whole blocks come first in the lists; a chunk that ends inside one has its own lists.
    if (count % plan_.c0 != 0 && count != chunk_) {
      const std::int64_t whole = chunk_;
      chunk_ = count;
      list_offsets();
      multiply_blocks(reading, first, count * taps);
      chunk_ = whole;
      list_offsets();
      return;
    }
    multiply_blocks(reading, first, count * taps);
  }

  /// Copies one channel's planes at one depth: row by row, in each the rows of every n.
  void copy_channel(std::int64_t channel, std::int64_t slice, float* onto) const {
    std::fill_n(onto, row_.before, 0.0F);
    onto += row_.before;
    const DenseOperand& map = plan_.operands.grad_output;
    const float* const planes = map.values + task_.first_n * map.batch_step() +
                                channel * map.channel_step() + slice * map.shape[3] * map.shape[4];
    if (is_copied_whole()) {
      std::copy_n(planes + height_.first_read() * width_.length, rows_ * width_.length, onto);
      return;
    }
    for (const std::int64_t h : height_.residues) {
      for (const std::int64_t w : width_.residues) {
        const RowPart part(row_, width_, w, map);
        for (std::int64_t r = 0; r < rows_; ++r, onto += row_step_) {
          copy_rows(planes, (height_.first_read() + r) * height_.step + h, part, onto);
        }
      }
    }
  }

  /// Copies row number `from` of every n.
  void copy_rows(const float* planes, std::int64_t from, const RowPart& part, float* onto) const {
    if (from < 0 || from >= height_.length) {
      clear_row(onto, row_step_);
      return;
    }
    const std::int64_t step = width_.step, count = part.count;
    const float* row = planes + from * width_.length + part.first;
    for (std::int64_t n = 0; n < task_.batch; ++n, onto += row_.pitch) {
      if (step == 1) {
        copy_row(row, count, onto);
      } else {
        for (std::int64_t i = 0; i < count; ++i) onto[i] = row[i * step];
      }
      // What is cleared beyond the row is written later, or follows the last channel.
      clear_row(onto + count, row_.pitch - count);
      row += part.batch_step;
    }
  }

  /// True if the rows that are read lie in the map as they do in the copy.
  bool is_copied_whole() const {
    return task_.batch == 1 && height_.step == 1 && width_.step == 1 &&
           row_.pitch == width_.length && row_.elements == row_.pitch &&
           height_.first_read() >= 0 && height_.first_read() + rows_ <= height_.length;
  }

  /// Computes every sum of the task, block by block. Vectors outside: those of one panel stay near
  /// while all channels use them.
  void multiply_blocks(const DepthReading& reading, std::int64_t first, std::int64_t k) {
    const Problem& problem = plan_.problem;
    const auto& tables =
        plan_.operands.fuses_grad_input ? plan_.kernels.multiply_fused : plan_.kernels.multiply;
    const std::int64_t row_step = problem.transposed ? weight_row() : weight_taps();
    const std::int64_t output =
        group_ * problem.output_channels + (problem.transposed ? task_.first_channel : first);
    const std::int64_t feature = problem.transposed ? first : task_.first_channel;
    const float* const weight = plan_.operands.weight.values + output * weight_row() +
                                feature * weight_taps() +
                                reading.tap * problem.height.kernel * problem.width.kernel;
    std::array<const float*, VectorKernels::most_rows> scalars{};
    const std::int64_t panel = shape_.vectors * plan_.kernels.lanes;
    for (std::int64_t lane = 0; lane < sums_step_; lane += panel) {
      const bool is_last = lane + panel > sums_step_;  // the only one that costs a division
      const std::int64_t vectors =
          is_last ? (sums_step_ - lane) / plan_.kernels.lanes : shape_.vectors;
      const auto& kernels = tables.at(static_cast<std::size_t>(vectors - 1));
      for (std::int64_t row = 0; row < task_.channels; row += shape_.rows) {
        const std::int64_t rows = std::min(shape_.rows, task_.channels - row);
        for (std::int64_t r = 0; r < rows; ++r) {
          scalars[static_cast<std::size_t>(r)] = weight + (row + r) * row_step;
        }
        kernels.at(static_cast<std::size_t>(rows - 1))(
            {.k = k,
             .vectors = copy_ + lane,
             .vector_offsets = scratch_.vector_offsets.data(),
             .scalars = scalars.data(),
             .scalar_offsets = scratch_.scalar_offsets.data(),
             .sums = sums_ + row * sums_step_ + lane,
             .row_step = sums_step_,
             .clears = clears_});
      }
    }
    clears_ = false;
  }

  const GradInputPlan& plan_;
  const GradInputTask& task_;
  Scratch& scratch_;
  const AxisReads& height_;
  const AxisReads& width_;
  const std::vector<DepthReading>& readings_;
  const RowLayout row_;
  const std::int64_t rows_;      ///< of a copied plane
  const std::int64_t row_step_;  ///< from a row of the first n to the next, with those of every n
  const std::int64_t plane_;     ///< elements of the planes of one residue, of every n
  const std::int64_t lanes_;     ///< sums of one channel, those between rows included
  const BlockShape shape_;
  const std::int64_t sums_step_, residues_, channel_step_;
  std::int64_t chunk_ = 1, group_ = 0;
  float *sums_ = nullptr, *total_ = nullptr, *copy_ = nullptr;
  bool clears_ = true;
};

void read_axis(const GradInputPlan& plan, const Axis& axis, const AxisBlock& block,
               AxisReads& reads) {
  reads.first = block.first;
  reads.count = block.count;
  plan.problem.transposed ? read_forwards(axis, reads) : read_spread(axis, block.phase, reads);
}

}  // namespace

void run_grad_input_task(const GradInputPlan& plan, const GradInputTask& task) {
  thread_local GradInputReads reads;
  read_axis(plan, plan.problem.height, task.height, reads.height);
  read_axis(plan, plan.problem.width, task.width, reads.width);
  find_readings(plan.problem, task.depth, reads.depths);
  GradInputWork work(plan, task, Scratch::of_this_thread(), reads);
  for (std::int64_t i = 0; i < task.groups; ++i) work.run_group(task.first_group + i);
}

}  // namespace gradproof::kernel::operators::vector_path
