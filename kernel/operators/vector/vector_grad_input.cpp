#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/scratch.h"
#include "kernel/operators/device/device_unfolded.h"
#include "kernel/operators/vector/axis_reads.h"
#include "kernel/operators/vector/block_shape.h"
#include "kernel/operators/vector/row_writer.h"
#include "kernel/operators/vector/vector_call.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

/// The most that one task computes: of channels, of a row, of one channel's positions.
constexpr std::int64_t most_channels = 128, longest_row = 1024, most_results = 1024;

/// Results of one axis that are computed together: `step` apart, from `phase` on.
struct AxisBlock {
  std::int64_t phase = 0, first = 0, count = 0;
};

/// The blocks of one axis, phase after phase.
std::vector<AxisBlock> blocks_of(std::int64_t length, std::int64_t step, std::int64_t longest) {
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

/// A kernel depth, and the slice of gradOutput that it brings.
struct DepthReading {
  std::int64_t tap = 0, slice = 0;
};

/// Buffers that a thread keeps from task to task.
struct Lists {
  AxisReads height, width;
  std::vector<DepthReading> readings;
};

/// Results of a task: channels of one group, of several n, at one depth.
struct Task {
  std::int64_t first_group = 0, groups = 1;
  std::int64_t first_n = 0, batch = 1;
  std::int64_t depth = 0;
  AxisBlock height, width;
  std::int64_t first_channel = 0, channels = 1;
};

/// dx of one call: what all its tasks have in common.
class GradInput {
 public:
  GradInput(const ConvolutionBackward& call, const Operands& operands,
            const Destination& destination)
      : call_(call),
        problem_(call.problem),
        operands_(operands),
        kernels_(*operands.kernels),
        destination_(destination),
        writer_(destination, call.arithmetic, kernels_),
        summed_(problem_.transposed ? problem_.feature_channels : problem_.output_channels),
        channels_(problem_.transposed ? problem_.output_channels : problem_.feature_channels),
        c0_(call.arithmetic.channel_block()),
        depth_(length_of(problem_.depth)),
        heights_(blocks_of(length_of(problem_.height), step_of(problem_.height), longest_height())),
        widths_(blocks_of(length_of(problem_.width), step_of(problem_.width), longest_row)),
        channels_of_task_(std::min(channels_, most_channels)),
        channel_tasks_(cube::blocks_of(channels_, channels_of_task_)) {
    const double sums = static_cast<double>(widths_[0].count * heights_[0].count);
    const double products = sums * static_cast<double>(summed_ * channels_of_task_) *
                            static_cast<double>(problem_.height.kernel * problem_.width.kernel);
    groups_of_task_ = channel_tasks_ > 1 ? 1 : fitting(problem_.groups, products);
    constexpr std::int64_t few_results = 256;
    const std::int64_t results = widths_[0].count * heights_[0].count;
    batch_of_task_ = std::clamp<std::int64_t>(few_results / results, 1, problem_.batch);
    products_ =
        products * static_cast<double>(groups_of_task_ * batch_of_task_ * problem_.depth.kernel);
  }

  Outcome run() const {
    const std::int64_t tasks = cube::blocks_of(problem_.groups, groups_of_task_) *
                               cube::blocks_of(problem_.batch, batch_of_task_) * depth_ *
                               size_of(heights_) * size_of(widths_) * channel_tasks_;
    return run_on_cores(call_.launch, tasks, products_,
                        [this](std::int64_t number, cube::LocalBuffers&) -> Outcome {
                          run_task(task_number(number));
                          return {};
                        });
  }

 private:
  static std::int64_t size_of(const std::vector<AxisBlock>& blocks) {
    return static_cast<std::int64_t>(blocks.size());
  }
  std::int64_t length_of(const Axis& axis) const {
    return problem_.transposed ? axis.output : axis.feature;
  }
  std::int64_t step_of(const Axis& axis) const { return problem_.transposed ? 1 : axis.stride; }

  /// As many rows as keep their sums and operands in the processor's cache.
  std::int64_t longest_height() const {
    const std::int64_t width =
        std::min(cube::blocks_of(length_of(problem_.width), step_of(problem_.width)), longest_row);
    return std::max<std::int64_t>(1, most_results / width);
  }

  /// As many of `count` as are worth a task.
  static std::int64_t fitting(std::int64_t count, double products) {
    constexpr double worth_a_task = 1e6;
    if (products * static_cast<double>(count) < worth_a_task) return count;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(worth_a_task / products), 1, count);
  }

  Task task_number(std::int64_t number) const {
    const auto next = [&number](std::int64_t count) {
      const std::int64_t digit = number % count;
      number /= count;
      return digit;
    };
    Task task;
    task.first_channel = next(channel_tasks_) * channels_of_task_;
    task.channels = std::min(channels_of_task_, channels_ - task.first_channel);
    task.width = widths_[static_cast<std::size_t>(next(size_of(widths_)))];
    task.height = heights_[static_cast<std::size_t>(next(size_of(heights_)))];
    task.depth = next(depth_);
    task.first_n = next(cube::blocks_of(problem_.batch, batch_of_task_)) * batch_of_task_;
    task.batch = std::min(batch_of_task_, problem_.batch - task.first_n);
    task.first_group = number * groups_of_task_;
    task.groups = std::min(groups_of_task_, problem_.groups - task.first_group);
    return task;
  }

  void read_axis(const Axis& axis, const AxisBlock& block, AxisReads& reads) const {
    reads.first = block.first;
    reads.count = block.count;
    problem_.transposed ? read_forwards(axis, reads) : read_spread(axis, block.phase, reads);
  }

  /// The kernel depths that reach the slice, ascending.
  void find_readings(std::int64_t depth, std::vector<DepthReading>& readings) const {
    readings.clear();
    for (std::int64_t tap = 0; tap < problem_.depth.kernel; ++tap) {
      const auto slice = problem_.transposed ? problem_.depth.feature_read(depth, tap)
                                             : problem_.depth.output_reading(depth, tap);
      if (slice) readings.push_back({tap, *slice});
    }
  }

  /// Blocks of c0 summed channels that one accumulator takes: all, or on Ascend950 a segment's.
  std::int64_t segment_channels() const {
    const std::int64_t taps = problem_.height.kernel * problem_.width.kernel;
    const std::int64_t all = cube::rounded_up(summed_, c0_);
    const auto& longest = call_.arithmetic.longest_segment;
    if (!longest || problem_.transposed || all * taps <= *longest) return all;
    return std::max<std::int64_t>(1, *longest / (taps * c0_)) * c0_;
  }

  class Work;

  void run_task(const Task& task) const;

  const ConvolutionBackward& call_;
  const Problem& problem_;
  const Operands& operands_;
  const VectorKernels& kernels_;
  const Destination& destination_;
  const RowWriter writer_;
  const std::int64_t summed_, channels_, c0_, depth_;
  const std::vector<AxisBlock> heights_, widths_;
  const std::int64_t channels_of_task_, channel_tasks_;
  std::int64_t groups_of_task_ = 1, batch_of_task_ = 1;
  double products_ = 0;
};

/// One task: a piece of gradOutput copied with zeros around its rows, so that a vector of results
/// that are neighbours reads neighbours there, whatever the tap; and sums for every position of
/// that copy, of which those between the rows are dropped.
class GradInput::Work {
 public:
  Work(const GradInput& all, const Task& task, Scratch& scratch, Lists& lists)
      : all_(all),
        task_(task),
        scratch_(scratch),
        height_(lists.height),
        width_(lists.width),
        readings_(lists.readings),
        row_(width_),
        rows_(height_.reads()),
        plane_(task.batch * rows_ * row_.pitch),
        lanes_(((task.batch - 1) * rows_ + height_.count) * row_.pitch),
        shape_(
            block_shape(all.kernels_, cube::blocks_of(lanes_, all.kernels_.lanes), task.channels)),
        sums_step_(cube::rounded_up(lanes_, shape_.vectors * all.kernels_.lanes)),
        residues_(height_.planes() * width_.planes()),
        channel_step_(row_.before + residues_ * plane_) {
    const std::int64_t taps = static_cast<std::int64_t>(height_.taps.size() * width_.taps.size());
    // Channels that are copied at once: what a level 2 cache holds in addition to the sums.
    constexpr std::int64_t copied = std::int64_t{64} * 1024, longest_k = 288;
    const std::int64_t blocks = std::min(copied / (channel_step_ * all.c0_),
                                         longest_k / std::max<std::int64_t>(1, taps * all.c0_));
    chunk_ = std::min(all.summed_, std::max<std::int64_t>(1, blocks) * all.c0_);
    const bool segmented = all.segment_channels() < all.summed_;
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
    const std::int64_t segment = all_.segment_channels();
    float* result = sums_;
    if (segment >= all_.summed_) {
      accumulate(0, all_.summed_);
    } else {
      result = total_;
      const std::int64_t count = task_.channels * sums_step_;
      std::fill_n(total_, count, 0.0F);
      for (std::int64_t first = 0; first < all_.summed_; first += segment) {
        accumulate(first, std::min(segment, all_.summed_ - first));
        for (std::int64_t i = 0; i < count; ++i) total_[i] += sums_[i];
      }
    }
    store(result);
  }

 private:
  /// Offsets of the products of one chunk: blocks of c0 channels, taps, channels of the block.
  void list_offsets() {
    auto& vectors = scratch_.vector_offsets;
    auto& scalars = scratch_.scalar_offsets;
    vectors.clear();
    scalars.clear();
    const Problem& problem = all_.problem_;
    const std::int64_t scalar_step = problem.transposed ? weight_taps() : weight_row();
    for (std::int64_t block = 0; block < chunk_; block += all_.c0_) {
      const std::int64_t count = std::min(all_.c0_, chunk_ - block);
      for (const TapRead& h : height_.taps) {
        for (const TapRead& w : width_.taps) {
          const std::int64_t plane = h.plane * width_.planes() + w.plane;
          const std::int64_t at = row_.before + plane * plane_ +
                                  (h.shift - height_.least_shift) * row_.pitch + width_.first +
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

  std::int64_t weight_taps() const { return all_.operands_.weight.channel_step(); }
  std::int64_t weight_row() const { return all_.operands_.weight.batch_step(); }

  /// Sums of summed channels `first` to first + count - 1, over all kernel depths.
  void accumulate(std::int64_t first, std::int64_t count) {
    clears_ = true;
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
      copy_channel(group_ * all_.summed_ + first + i, reading.slice, copy_ + i * channel_step_);
    }
    // Whole blocks come first in the lists; a chunk that ends inside one has lists of its own.
    if (count % all_.c0_ != 0 && count != chunk_) {
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

  /// One channel's planes at one depth, of every n of the task.
  void copy_channel(std::int64_t channel, std::int64_t slice, float* onto) const {
    std::fill_n(onto, row_.before, 0.0F);
    onto += row_.before;
    const DenseOperand& map = all_.operands_.grad_output;
    const std::int64_t map_plane = map.shape[3] * map.shape[4];
    for (const std::int64_t h : height_.residues) {
      for (const std::int64_t w : width_.residues) {
        for (std::int64_t n = 0; n < task_.batch; ++n, onto += rows_ * row_.pitch) {
          const float* const plane = map.values + (task_.first_n + n) * map.batch_step() +
                                     channel * map.channel_step() + slice * map_plane;
          copy_plane(plane, h, w, onto);
        }
      }
    }
  }

  void copy_plane(const float* plane, std::int64_t height_residue, std::int64_t width_residue,
                  float* onto) const {
    const std::int64_t step = width_.step;
    const std::int64_t first = row_.first * step + width_residue;
    const std::int64_t there = first < width_.length ? (width_.length - first - 1) / step + 1 : 0;
    const std::int64_t count = std::min(row_.elements, there);
    for (std::int64_t r = 0; r < rows_; ++r, onto += row_.pitch) {
      const std::int64_t from = (height_.first_read() + r) * height_.step + height_residue;
      if (from < 0 || from >= height_.length) {
        std::fill_n(onto, row_.pitch, 0.0F);
        continue;
      }
      const float* const row = plane + from * width_.length + first;
      if (step == 1) {
        std::copy_n(row, count, onto);
      } else {
        for (std::int64_t i = 0; i < count; ++i) onto[i] = row[i * step];
      }
      std::fill(onto + count, onto + row_.pitch, 0.0F);
    }
  }

  /// Every sum of the task, block by block. Vectors outside: those of one panel stay near while all
  /// channels use them.
  void multiply_blocks(const DepthReading& reading, std::int64_t first, std::int64_t k) {
    const Problem& problem = all_.problem_;
    const auto& tables =
        all_.operands_.fuses_grad_input ? all_.kernels_.multiply_fused : all_.kernels_.multiply;
    const std::int64_t row_step = problem.transposed ? weight_row() : weight_taps();
    const std::int64_t output =
        group_ * problem.output_channels + (problem.transposed ? task_.first_channel : first);
    const std::int64_t feature = problem.transposed ? first : task_.first_channel;
    const float* const weight = all_.operands_.weight.values + output * weight_row() +
                                feature * weight_taps() +
                                reading.tap * problem.height.kernel * problem.width.kernel;
    const auto& kernels = tables.at(static_cast<std::size_t>(shape_.vectors - 1));
    std::array<const float*, VectorKernels::most_rows> scalars{};
    const std::int64_t panel = shape_.vectors * all_.kernels_.lanes;
    for (std::int64_t lane = 0; lane < sums_step_; lane += panel) {
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

  void store(const float* sums) const {
    const TensorView& view = all_.destination_.view;
    const std::int64_t height_step = all_.step_of(all_.problem_.height);
    const std::int64_t width_step = all_.step_of(all_.problem_.width);
    // From element to element; of a single one it may be more than 64 bits hold.
    const std::int64_t row_step = height_.count > 1 ? height_step * view.strides[3] : 0;
    const std::int64_t element_step = width_.count > 1 ? width_step * view.strides[4] : 1;
    for (std::int64_t c = 0; c < task_.channels; ++c) {
      for (std::int64_t n = 0; n < task_.batch; ++n) {
        const Index at{task_.first_n + n, group_ * all_.channels_ + task_.first_channel + c,
                       task_.depth, task_.height.phase + task_.height.first * height_step,
                       task_.width.phase + task_.width.first * width_step};
        const std::int64_t onto = view.distance(at);
        const float* const rows = sums + c * sums_step_ + n * rows_ * row_.pitch;
        for (std::int64_t h = 0; h < height_.count; ++h) {
          all_.writer_.write(rows + h * row_.pitch, width_.count, onto + h * row_step,
                             element_step);
        }
      }
    }
  }

  const GradInput& all_;
  const Task& task_;
  Scratch& scratch_;
  const AxisReads& height_;
  const AxisReads& width_;
  const std::vector<DepthReading>& readings_;
  const RowLayout row_;
  const std::int64_t rows_;   ///< of a copied plane
  const std::int64_t plane_;  ///< elements of the planes of one residue, of every n
  const std::int64_t lanes_;  ///< sums of one channel, those between rows included
  const BlockShape shape_;
  const std::int64_t sums_step_, residues_, channel_step_;
  std::int64_t chunk_ = 1, group_ = 0;
  float *sums_ = nullptr, *total_ = nullptr, *copy_ = nullptr;
  bool clears_ = true;
};

void GradInput::run_task(const Task& task) const {
  thread_local Lists lists;
  read_axis(problem_.height, task.height, lists.height);
  read_axis(problem_.width, task.width, lists.width);
  find_readings(task.depth, lists.readings);
  Work work(*this, task, Scratch::of_this_thread(), lists);
  for (std::int64_t i = 0; i < task.groups; ++i) work.run_group(task.first_group + i);
}

}  // namespace

/// What a task copies at least: some channels, with what all taps reach.
bool grad_input_fits(const ConvolutionBackward& call) {
  const Problem& problem = call.problem;
  const auto reads = [&](const Axis& axis, std::int64_t longest) {
    const std::int64_t results = problem.transposed ? axis.output : axis.feature;
    const std::int64_t reach = (axis.kernel - 1) * axis.dilation / axis.stride + 1;
    const std::int64_t planes = problem.transposed ? std::min(axis.kernel, axis.stride) : 1;
    return static_cast<double>(std::min(results, longest) + reach) * static_cast<double>(planes);
  };
  const double plane = reads(problem.height, most_results) * reads(problem.width, longest_row);
  return plane * static_cast<double>(call.arithmetic.channel_block()) <= most_copied_floats;
}

Outcome grad_input(const ConvolutionBackward& call, const Operands& operands,
                   const Destination& destination) {
  return GradInput(call, operands, destination).run();
}

}  // namespace gradproof::kernel::operators::vector_path
