#pragma once

#include <cstdint>
#include <span>

#include "kernel/operators/call/arithmetic.h"
#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/tensor_view.h"

namespace gradproof::kernel::operators::plain {

/// A map of one plane along D: where its elements lie.
struct Map {
  const float* values = nullptr;
  std::int64_t batch_step = 0, channel_step = 0, row_step = 0, column_step = 0;

  /// N H W C, and N C H W; `shape`: N C D H W.
  static Map channels_last(std::span<const float> values, const Index& shape) {
    const std::int64_t row = shape[4] * shape[1];
    return {values.data(), shape[3] * row, 1, row, shape[1]};
  }
  static Map channels_first(std::span<const float> values, const Index& shape) {
    const std::int64_t plane = shape[3] * shape[4];
    return {values.data(), shape[1] * plane, plane, shape[4], 1};
  }
};

/// Computes dw by F(3x3, 2x2), tile by tile: U = G g G^T, V = B^T d B, M the sum of U * V entry by
/// entry, and A^T M A; each transform along H first, and every step rounded to FLOAT. The sums of
/// the groups of steps that several cores have are added before the one inverse transform
/// (winograd/cut.h). The problem's kernel must be 3x3, of one group, its steps 1.
void winograd_grad_weight(const Problem& problem, const Arithmetic& arithmetic, std::int64_t cores,
                          const Map& feature, const Map& output, const Destination& destination);

}  // namespace gradproof::kernel::operators::plain
