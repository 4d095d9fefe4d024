#pragma once

#include <vector>

#include "tests/properties/fingerprint/planted_machine.h"

namespace gradproof::runs {

/// One of each kind that a fingerprint has to tell.
inline std::vector<PlantedMachine> planted_machines() {
  using enum PlantedTree;
  using Fold = PlantedFold;
  using Rounding = PlantedRounding;
  return {
      {.name = "chain_fused"},
      {.name = "chain_rounded_products", .fused = false},
      {.name = "chain_backwards", .order = PlantedOrder::Backwards},
      {.name = "chain_toward_zero", .rounding = Rounding::Zero},
      {.name = "chain_to_odd", .rounding = Rounding::Odd},
      {.name = "chain_ties_away", .rounding = Rounding::Away},
      {.name = "chain_of_27_bits", .bits = 27},
      {.name = "pairs_rounded_products", .tree = Pairs, .fused = false},
      {.name = "lanes_8_pairs", .tree = Lanes, .size = 8, .fold = Fold::Pairs},
      {.name = "lanes_8_halves", .tree = Lanes, .size = 8, .fold = Fold::Halves},
      {.name = "lanes_16_halves_rounded_products",
       .tree = Lanes,
       .size = 16,
       .fold = Fold::Halves,
       .fused = false},
      {.name = "parts_16", .tree = Parts, .size = 16},
      {.name = "parts_12_pairs", .tree = Parts, .size = 12, .fold = Fold::Pairs, .fused = false},
      {.name = "blocks_4", .tree = Blocks, .size = 4},
      {.name = "blocks_8_one_bit", .tree = Blocks, .size = 8, .extra_bits = 1},
      {.name = "blocks_16_two_bits", .tree = Blocks, .size = 16, .extra_bits = 2},
      {.name = "blocks_16_three_bits", .tree = Blocks, .size = 16, .extra_bits = 3},
      {.name = "hf32_even", .operand_bits = 12},
      {.name = "hf32_away", .operand_bits = 12, .operand_rounding = Rounding::Away},
      {.name = "hf32_truncated", .operand_bits = 12, .operand_rounding = Rounding::Zero},
      {.name = "flushing", .flushes = true},
      {.name = "half_results", .half_results = 1},
  };
}

}  // namespace gradproof::runs
