#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/cube/fractal.h"
#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/call/cores.h"
#include "kernel/operators/call/schedule.h"
#include "kernel/operators/call/split.h"

// How the partial sums of one tile of dw, one for each share of a (n, D) pair, become what is in
// memory. The result does not depend on which core computes which share.
namespace gradproof::kernel::operators {

/// One partial sum: the products of one (n, D) pair and some rows of outputs.
struct Part {
  std::int64_t pair;
  Share rows;
};

/// Sums outside L0C, kept by a thread from tile to tile.
struct Sums {
  std::vector<float> total, slices;
  std::vector<std::int64_t> rounds, turns, next_pair;
};

/// A tile whose partial sums are added up.
struct SplitTile {
  const Launch& launch;
  Reduction reduction;
  Split split;
  std::int64_t number = 0;
  bool saturating = false;

  void add(std::span<const float> terms, std::span<float> sums) const {
    const auto count = static_cast<std::int64_t>(sums.size());
    saturating ? add_terms<true>(sums.data(), terms.data(), count)
               : add_terms<false>(sums.data(), terms.data(), count);
  }

  Share pairs_of(std::int64_t core) const {
    return {reduction.pairs, split.pair_shares, core / split.row_shares};
  }
  Share rows_of(std::int64_t core) const {
    return {reduction.rows, split.row_shares, core % split.row_shares};
  }
};

/// One core has all pairs: each is added to memory in order.
template <typename PartSums, typename AddToMemory>
Outcome add_alone(const SplitTile& tile, std::span<float> sums, const PartSums& compute,
                  const AddToMemory& add_to_memory) {
  for (std::int64_t pair = 0; pair < tile.reduction.pairs; ++pair) {
    const Part part{pair, Share(tile.reduction.rows, 1, 0)};
    if (auto outcome = compute(part, sums); !outcome) return outcome;
    add_to_memory(sums);
  }
  return {};
}

/// Every core adds each of its partial sums to memory as soon as it has it.
template <typename PartSums, typename AddToMemory>
Outcome add_on_arrival(const SplitTile& tile, std::span<float> sums, const PartSums& compute,
                       const AddToMemory& add_to_memory, Sums& kept) {
  kept.rounds.clear();
  kept.next_pair.clear();
  for (std::int64_t i = 0; i < tile.split.cores(); ++i) {
    const Share pairs = tile.pairs_of(i);
    kept.rounds.push_back(pairs.last - pairs.first);
    kept.next_pair.push_back(pairs.first);
  }
  Schedule schedule(tile.launch, static_cast<std::uint64_t>(tile.number) + 1);
  interleave(schedule, kept.rounds, kept.turns);
  for (const std::int64_t turn : kept.turns) {
    const Part part{kept.next_pair[static_cast<std::size_t>(turn)]++, tile.rows_of(turn)};
    if (auto outcome = compute(part, sums); !outcome) return outcome;
    add_to_memory(sums);
  }
  return {};
}

/// Rounds, one (n, D) pair of every core in each: the vector cores add the partial sums in the
/// order of the cores, and the result to memory.
template <typename PartSums, typename AddToMemory>
Outcome add_in_order(const SplitTile& tile, std::span<float> sums, const PartSums& compute,
                     const AddToMemory& add_to_memory, Sums& kept) {
  const std::int64_t rounds = cube::blocks_of(tile.reduction.pairs, tile.split.pair_shares);
  for (std::int64_t round = 0; round < rounds; ++round) {
    kept.total.assign(sums.size(), 0.0F);
    for (std::int64_t i = 0; i < tile.split.cores(); ++i) {
      const Share pairs = tile.pairs_of(i);
      if (pairs.first + round >= pairs.last) continue;  // an idle core gives zeros
      const Part part{pairs.first + round, tile.rows_of(i)};
      if (auto outcome = compute(part, sums); !outcome) return outcome;
      tile.add(sums, kept.total);
    }
    add_to_memory(kept.total);
  }
  return {};
}

/// Each core sums its share into its own slice; slices are added pairwise.
template <typename PartSums, typename AddToMemory>
Outcome add_as_tree(const SplitTile& tile, std::span<float> sums, const PartSums& compute,
                    const AddToMemory& add_to_memory, Sums& kept) {
  const auto cores = static_cast<std::size_t>(tile.split.cores());
  kept.slices.assign(cores * sums.size(), 0.0F);
  const auto slice = [&](std::size_t i) {
    return std::span(kept.slices).subspan(i * sums.size(), sums.size());
  };
  for (std::size_t i = 0; i < cores; ++i) {
    const auto core = static_cast<std::int64_t>(i);
    const Share pairs = tile.pairs_of(core);
    for (std::int64_t pair = pairs.first; pair < pairs.last; ++pair) {
      if (auto outcome = compute(Part{pair, tile.rows_of(core)}, sums); !outcome) return outcome;
      tile.add(sums, slice(i));
    }
  }
  for (std::size_t distance = 1; distance < cores; distance *= 2) {
    for (std::size_t i = 0; i + distance < cores; i += 2 * distance) {
      tile.add(slice(i + distance), slice(i));
    }
  }
  add_to_memory(slice(0));
  return {};
}

/// All partial sums of the tile: `compute` leaves one in `sums`, `add_to_memory` adds what it is
/// given.
template <typename PartSums, typename AddToMemory>
Outcome add_parts(const SplitTile& tile, std::span<float> sums, const PartSums& compute,
                  const AddToMemory& add_to_memory) {
  thread_local Sums kept;
  switch (tile.split.combination) {
    case Combination::Arrival:
      return add_on_arrival(tile, sums, compute, add_to_memory, kept);
    case Combination::InOrder:
      return add_in_order(tile, sums, compute, add_to_memory, kept);
    case Combination::Tree:
      return add_as_tree(tile, sums, compute, add_to_memory, kept);
    case Combination::Alone:
      break;
  }
  return add_alone(tile, sums, compute, add_to_memory);
}

}  // namespace gradproof::kernel::operators
