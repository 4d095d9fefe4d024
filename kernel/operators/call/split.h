#pragma once

#include <cstdint>

#include "kernel/operators/call/launch.h"

namespace gradproof::kernel::operators {

/// Ways to combine partial sums of several cores.
enum class Combination : std::uint8_t {
  Alone,    ///< one core owns the whole sum
  Arrival,  ///< each core adds to memory when it is ready (atomic additions): the order is open
  InOrder,  ///< rounds: each core's partial sum, added from the first core to the last
  Tree,     ///< each core sums its share; neighbours are added at distances 1, 2, 4, ...
};

/// Shares of one tile's reduction, which runs over (n, D) pairs and rows of outputs.
struct Split {
  Combination combination = Combination::Alone;
  std::int64_t pair_shares = 1;  ///< neighbouring (n, D) pairs, as evenly as possible
  std::int64_t row_shares = 1;   ///< neighbouring rows

  std::int64_t cores() const { return pair_shares * row_shares; }
};

/// The reduction of every element of a tile.
struct Reduction {
  std::int64_t pairs = 1, rows = 1, columns = 1;
};

/// Split of the reduction of tile number `tile` of `tiles` among cores; one share: not split.
///
/// Where tiles leave cores idle, those of Ascend910B and earlier ones share each tile; on Ascend950
/// only the tiles of a last, at most half-full wave are shared. A core takes at least
/// `least_products` of each element: less is not worth a second one.
Split split_of(const Launch& launch, const Reduction& reduction, std::int64_t tile,
               std::int64_t tiles);

/// Products of one element from which on a second core is used. Small problems have one owner, and
/// so one result. Our choice: the real tiling's is not published.
inline constexpr std::int64_t least_products = 64;

/// The `share`-th of `shares` even parts of `count` things in a row.
struct Share {
  std::int64_t first, last;

  constexpr Share(std::int64_t count, std::int64_t shares, std::int64_t share)
      : first(count * share / shares), last(count * (share + 1) / shares) {}
};

}  // namespace gradproof::kernel::operators
