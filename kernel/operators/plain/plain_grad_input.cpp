#include <algorithm>
#include <limits>
#include <vector>

#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/plain/plain.h"

namespace gradproof::kernel::operators::plain {
namespace {

/// A tap, and the position of gradOutput that it reads for the current position of dx.
struct Reading {
  std::int64_t tap, position;
};

/// The readings of one axis for one position of dx, in the order their products are added.
using Readings = std::vector<Reading>;

/// dx of an ordinary convolution gathers the outputs that read the position, with the kernel
/// rotated; dx of a transposed one is the convolution of gradOutput.
void find_readings(const Axis& axis, bool transposed, bool rotated, std::int64_t position,
                   Readings& readings) {
  readings.clear();
  for (std::int64_t i = 0; i < axis.kernel; ++i) {
    const std::int64_t tap = rotated ? axis.kernel - 1 - i : i;
    const auto read =
        transposed ? axis.feature_read(position, tap) : axis.output_reading(position, tap);
    if (read) readings.push_back({tap, *read});
  }
}

/// gradOutput's shape in its arranged form, and the channels that meet in a product.
struct Lengths {
  std::int64_t depth, height, width;
  std::int64_t summed_channels, result_channels;  ///< per group
};

Lengths lengths_of(const Problem& problem) {
  if (problem.transposed) {
    return {problem.depth.feature, problem.height.feature, problem.width.feature,
            problem.feature_channels, problem.output_channels};
  }
  return {problem.depth.output, problem.height.output, problem.width.output,
          problem.output_channels, problem.feature_channels};
}

/// Number of summed channels per accumulator: all, or on Ascend950 as many whole blocks as the
/// longest segment holds.
std::int64_t segment_channels(const Problem& problem, const Arithmetic& arithmetic) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  if (!arithmetic.longest_segment || problem.transposed) return all;
  const std::int64_t block = arithmetic.channel_block();
  const std::int64_t block_products = block * problem.height.kernel * problem.width.kernel;
  const std::int64_t blocks = (problem.output_channels + block - 1) / block;
  if (blocks * block_products <= *arithmetic.longest_segment) return all;
  return std::max<std::int64_t>(1, *arithmetic.longest_segment / block_products) * block;
}

template <numeric::Adding adding>
class DirectGradInput {
 public:
  DirectGradInput(const Problem& problem, const Arithmetic& arithmetic,
                  const PlainOperands& operands, std::span<float> sums)
      : problem_(problem),
        lengths_(lengths_of(problem)),
        grad_output_(operands.grad_output),
        weight_(operands.weight),
        first_sums_(operands.first_sums),
        block_(arithmetic.channel_block()),
        segment_(std::min(lengths_.summed_channels, segment_channels(problem, arithmetic))),
        partial_(sums.first(static_cast<std::size_t>(lengths_.result_channels))),
        total_(sums.last(static_cast<std::size_t>(lengths_.result_channels))) {
    depth_.reserve(static_cast<std::size_t>(problem.depth.kernel));
    height_.reserve(static_cast<std::size_t>(problem.height.kernel));
    width_.reserve(static_cast<std::size_t>(problem.width.kernel));
  }

  void move_to_depth(std::int64_t position) {
    find_readings(problem_.depth, problem_.transposed, false, position, depth_);
  }
  void move_to_height(std::int64_t position) {
    find_readings(problem_.height, problem_.transposed, !problem_.transposed, position, height_);
  }
  void move_to_width(std::int64_t position) {
    find_readings(problem_.width, problem_.transposed, !problem_.transposed, position, width_);
  }

  /// dx at the position moved to, for each result channel of the group.
  std::span<const float> sum(std::int64_t n, std::int64_t group) {
    std::ranges::fill(total_, 0.0F);
    for (std::int64_t first = 0; first < lengths_.summed_channels; first += segment_) {
      const std::int64_t last = std::min(first + segment_, lengths_.summed_channels);
      start(first == 0 ? first_sums_ : nullptr, group);
      for (const Reading& depth : depth_) sum_depth(n, group, depth, first, last);
      add_terms<adding.saturating>(total_.data(), partial_.data(), lengths_.result_channels);
    }
    return total_;
  }

 private:
  void start(const float* first_sums, std::int64_t group) {
    std::ranges::fill(partial_, 0.0F);
    if (first_sums == nullptr) return;
    std::copy_n(first_sums + group * lengths_.result_channels, lengths_.result_channels,
                partial_.begin());
  }

  /// Adds the products of one kernel depth and the channels first to last - 1.
  void sum_depth(std::int64_t n, std::int64_t group, const Reading& depth, std::int64_t first,
                 std::int64_t last) {
    const std::int64_t slice = (n * problem_.groups + group) * lengths_.depth + depth.position;
    const std::int64_t plane = group * problem_.depth.kernel + depth.tap;
    for (std::int64_t block = first; block < last; block += block_) {
      for (const Reading& height : height_) {
        sum_row(slice * lengths_.height + height.position,
                plane * problem_.height.kernel + height.tap, block, std::min(block + block_, last));
      }
    }
  }

  void sum_row(std::int64_t grad_output_row, std::int64_t weight_row, std::int64_t first,
               std::int64_t last) {
    for (const Reading& width : width_) {
      const float* grad_output =
          grad_output_.data() +
          (grad_output_row * lengths_.width + width.position) * lengths_.summed_channels;
      const float* weight = weight_.data() + (weight_row * problem_.width.kernel + width.tap) *
                                                 lengths_.summed_channels *
                                                 lengths_.result_channels;
      for (std::int64_t channel = first; channel < last; ++channel) {
        add_products<adding>(partial_.data(), grad_output[channel],
                             weight + channel * lengths_.result_channels, lengths_.result_channels);
      }
    }
  }

  const Problem& problem_;
  const Lengths lengths_;
  std::span<const float> grad_output_, weight_;
  const float* const first_sums_;
  const std::int64_t block_, segment_;
  std::span<float> partial_, total_;
  Readings depth_, height_, width_;
};

/// Writes dx at one position, for every sample, group and channel.
template <numeric::Adding adding>
void write_position(const Problem& problem, const Arithmetic& arithmetic,
                    DirectGradInput<adding>& grad_input, Index position,
                    const Destination& destination) {
  for (position[0] = 0; position[0] < destination.view.shape[0]; ++position[0]) {
    position[1] = 0;
    for (std::int64_t group = 0; group < problem.groups; ++group) {
      for (const float sum : grad_input.sum(position[0], group)) {
        destination.store(position, arithmetic.grad_input_result(sum), arithmetic.overflow);
        ++position[1];
      }
    }
  }
}

template <numeric::Adding adding>
void write(const Problem& problem, const Arithmetic& arithmetic, const PlainOperands& operands,
           std::span<float> sums, const Destination& destination) {
  const Index& shape = destination.view.shape;
  DirectGradInput<adding> grad_input(problem, arithmetic, operands, sums);
  for (std::int64_t d = 0; d < shape[2]; ++d) {
    grad_input.move_to_depth(d);
    for (std::int64_t h = 0; h < shape[3]; ++h) {
      grad_input.move_to_height(h);
      for (std::int64_t w = 0; w < shape[4]; ++w) {
        grad_input.move_to_width(w);
        write_position(problem, arithmetic, grad_input, {0, 0, d, h, w}, destination);
      }
    }
  }
}

}  // namespace

void grad_input(const Problem& problem, const Arithmetic& arithmetic, const PlainOperands& operands,
                std::span<float> sums, const Destination& destination) {
  numeric::with_adding(arithmetic.adding(), [&]<numeric::Adding adding>() {
    write<adding>(problem, arithmetic, operands, sums, destination);
  });
}

}  // namespace gradproof::kernel::operators::plain
