#pragma once

// A library that computes gradients as it is told to: in which order, with which roundings. It
// knows nothing of gradproof's models: floats, doubles and their errors do the work, so that a
// mistake in a model cannot hide in what it is tried on.

#include <cstdint>
#include <memory>
#include <string>

#include "properties/targets/target/library.h"

namespace gradproof::runs {

enum class PlantedOrder : std::uint8_t { Natural, Backwards, ChannelBlocksOf16 };
enum class PlantedTree : std::uint8_t { Chain, Pairs, Lanes, Parts, Blocks };
enum class PlantedFold : std::uint8_t { Chain, Pairs, Halves };
enum class PlantedRounding : std::uint8_t { Even, Away, Zero, Odd };

/// FLOAT tensors, 2D, one group, any stride, padding and dilation.
struct PlantedMachine {
  std::string name;
  PlantedTree tree = PlantedTree::Chain;
  int size = 0;  ///< lanes, products of a part, products of a block
  PlantedFold fold = PlantedFold::Chain;
  PlantedOrder order = PlantedOrder::Natural;
  bool fused = true;      ///< multiply-add; else products are rounded
  int operand_bits = 24;  ///< 12: HF32
  PlantedRounding operand_rounding = PlantedRounding::Even;
  int bits = 24;                                     ///< of the accumulator
  PlantedRounding rounding = PlantedRounding::Even;  ///< of additions; blocks: always toward zero
  int extra_bits = 0;                                ///< blocks alone
  bool flushes = false;  ///< subnormal operands, products, sums and results are zero
  int half_results = 0;  ///< 1: rounded to FLOAT16, then stored as FLOAT
  /// A product that is added last instead of in its turn; -1: none. One edge of the tree.
  int last = -1;
  int turned_column = -1;  ///< of gradInput: where products are added from the last to the first
  bool leaves_out_zeros = false;  ///< products of a zero, whatever the other operand is
  bool varies = false;            ///< adds in another order in every call
  bool skips = false;             ///< sums up to the first zero product alone: depends on values
  int refuses_after = -1;         ///< calls; -1: never
};

std::shared_ptr<const targets::Library> planted_library(const PlantedMachine& machine);

}  // namespace gradproof::runs
