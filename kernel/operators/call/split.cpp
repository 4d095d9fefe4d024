#include "kernel/operators/call/split.h"

#include <algorithm>

namespace gradproof::kernel::operators {
namespace {

/// Cores that one tile may have.
std::int64_t available_cores(const Launch& launch, std::int64_t tile, std::int64_t tiles) {
  if (launch.product != device::Product::Ascend950) return launch.cores / tiles;
  const std::int64_t last_wave = tiles % launch.cores;
  const bool is_in_last_wave = tile >= tiles - last_wave;
  if (!is_in_last_wave || 2 * last_wave > launch.cores) return 1;
  return launch.cores / last_wave;
}

Combination combination_on(const Launch& launch) {
  if (launch.product == device::Product::Ascend950) return Combination::Tree;
  return launch.deterministic ? Combination::InOrder : Combination::Arrival;
}

}  // namespace

Split split_of(const Launch& launch, const Reduction& reduction, std::int64_t tile,
               std::int64_t tiles) {
  const std::int64_t products = reduction.pairs * reduction.rows * reduction.columns;
  const std::int64_t cores =
      std::min(available_cores(launch, tile, tiles), products / least_products);
  if (cores < 2) return {};
  Split split;
  split.pair_shares = std::min(cores, reduction.pairs);
  split.row_shares = std::min(cores / split.pair_shares, reduction.rows);
  if (split.cores() > 1) split.combination = combination_on(launch);
  return split;
}

}  // namespace gradproof::kernel::operators
