#include <algorithm>

#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/plain/plain.h"

namespace gradproof::kernel::operators::plain {
namespace {

/// The element of dw being computed, without its output channel: the inner loops run over all of
/// those at once.
struct Tap {
  std::int64_t group, feature_channel, depth, height, width;
};

template <numeric::Adding adding>
class DirectGradWeight {
 public:
  DirectGradWeight(const Problem& problem, const PlainOperands& operands, std::span<float> sums)
      : problem_(problem),
        feature_(problem.transposed ? operands.grad_output : operands.input),
        output_(problem.transposed ? operands.input : operands.grad_output),
        slice_(sums.first(static_cast<std::size_t>(problem.output_channels))),
        total_(sums.last(static_cast<std::size_t>(problem.output_channels))) {}

  /// dw of one tap, for each output channel of the group.
  std::span<const float> sum(const Tap& tap) {
    std::ranges::fill(total_, 0.0F);
    const Positions outputs = problem_.depth.outputs_inside(tap.depth);
    for (std::int64_t n = 0; n < problem_.batch; ++n) {
      for (std::int64_t d = outputs.first; d < outputs.last; ++d) {
        sum_slice(tap, n, d);
        add_terms<adding.saturating>(total_.data(), slice_.data(), problem_.output_channels);
      }
    }
    return total_;
  }

 private:
  /// Sums over (H, W) of one depth slice of one sample.
  void sum_slice(const Tap& tap, std::int64_t n, std::int64_t output_depth) {
    std::ranges::fill(slice_, 0.0F);
    const std::int64_t slices = n * problem_.groups + tap.group;
    const std::int64_t feature_depth = problem_.depth.feature_position(output_depth, tap.depth);
    const std::int64_t feature_slice = slices * problem_.depth.feature + feature_depth;
    const std::int64_t output_slice = slices * problem_.depth.output + output_depth;
    const Positions rows = problem_.height.outputs_inside(tap.height);
    for (std::int64_t h = rows.first; h < rows.last; ++h) {
      const std::int64_t feature_height = problem_.height.feature_position(h, tap.height);
      sum_row(tap, feature_slice * problem_.height.feature + feature_height,
              output_slice * problem_.height.output + h);
    }
  }

  void sum_row(const Tap& tap, std::int64_t feature_row, std::int64_t output_row) {
    const Axis& width = problem_.width;
    const Positions columns = width.outputs_inside(tap.width);
    for (std::int64_t w = columns.first; w < columns.last; ++w) {
      const std::int64_t feature_element =
          feature_row * width.feature + width.feature_position(w, tap.width);
      const float feature =
          feature_[feature_element * problem_.feature_channels + tap.feature_channel];
      const float* outputs =
          output_.data() + (output_row * width.output + w) * problem_.output_channels;
      add_products<adding>(slice_.data(), feature, outputs, problem_.output_channels);
    }
  }

  const Problem& problem_;
  std::span<const float> feature_, output_;
  std::span<float> slice_, total_;
};

/// Calls `visit` with every tap, in the order of the weight's elements.
template <typename Visit>
void for_each_tap(const Problem& problem, Visit&& visit) {
  const std::int64_t kernel = problem.depth.kernel * problem.height.kernel * problem.width.kernel;
  const std::int64_t count = problem.groups * problem.feature_channels * kernel;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(Tap{.group = i / kernel / problem.feature_channels,
              .feature_channel = i / kernel % problem.feature_channels,
              .depth = i / problem.width.kernel / problem.height.kernel % problem.depth.kernel,
              .height = i / problem.width.kernel % problem.height.kernel,
              .width = i % problem.width.kernel});
  }
}

template <numeric::Adding adding>
void write(const Problem& problem, const PlainOperands& operands, std::span<float> sums,
           const Destination& destination) {
  const auto overflow =
      adding.saturating ? numeric::OverflowMode::Saturation : numeric::OverflowMode::InfNan;
  DirectGradWeight<adding> grad_weight(problem, operands, sums);
  for_each_tap(problem, [&](const Tap& tap) {
    std::int64_t output = tap.group * problem.output_channels;
    for (const float sum : grad_weight.sum(tap)) {
      destination.store({output++, tap.feature_channel, tap.depth, tap.height, tap.width}, sum,
                        overflow);
    }
  });
}

}  // namespace

void grad_weight(const Problem& problem, const Arithmetic& arithmetic,
                 const PlainOperands& operands, std::span<float> sums,
                 const Destination& destination) {
  numeric::with_adding(arithmetic.adding(), [&]<numeric::Adding adding>() {
    write<adding>(problem, operands, sums, destination);
  });
}

}  // namespace gradproof::kernel::operators::plain
