#pragma once

#include <cstdint>
#include <span>

#include "kernel/operators/device/grad_weight_tiles.h"
#include "kernel/operators/vector/row_writer.h"
#include "kernel/operators/vector/vector_call.h"

namespace gradproof::kernel::operators::vector_path {

/// One row of sums: a channel of the feature map at one tap, for every output channel.
struct WeightRow {
  std::int64_t channel = 0, tap_height = 0, tap_width = 0;
};

/// Where the sums of dw go.
class GradWeightResults {
 public:
  GradWeightResults(const ConvolutionBackward& call, const VectorOperands& operands,
                    const Destination& destination)
      : output_channels_(call.problem.output_channels),
        view_(destination.view),
        writer_(destination, numeric::Format::Binary32, call.arithmetic.overflow,
                *operands.kernels),
        special_results_(*operands.special_results) {}

  /// Stores the sums, rounding them this once, into the tensor: sums[output * step + row].
  void store(const device_path::WeightTile& tile, std::span<const WeightRow> rows,
             const float* sums, std::int64_t step) const;

 private:
  const std::int64_t output_channels_;
  const TensorView& view_;
  const RowWriter writer_;
  SpecialResults& special_results_;
};

}  // namespace gradproof::kernel::operators::vector_path
