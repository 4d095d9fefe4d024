#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/diagnosis/witness.h"
#include "properties/diagnosis/world_operand.h"

namespace gradproof::properties::diagnosis {

/// A run as it would be if some one thing were otherwise: the exact gradient of other operands, in
/// another geometry, rounded by another arithmetic.
struct World {
  oracle::Geometry geometry;
  WorldOperand grad_output, other;
  std::vector<oracle::Arithmetic> arithmetics;  ///< any of them

  /// For each element of the output where its value comes from in the gradient; empty: in order.
  std::vector<std::int64_t> source;
  static constexpr std::int64_t zero = -1, unwritten = -2;
  static constexpr std::int64_t contested = -3;  ///< several values go there: any of them

  /// Products rounded to this before they are added.
  std::optional<oracle::NumberFormat> product_format;
  /// Every partial sum is rounded to this, in an unknown order.
  std::optional<oracle::NumberFormat> partial_sum_format;
  /// The result is rounded like this; nullopt: as its format demands.
  std::optional<oracle::Rounding> output_rounding;
};

/// The world as it should be. Like all that are made of it, it refers to the witness.
World right_world(const Witness& witness);

/// Whether what the target gave is what it would have to give in this world: every element exact,
/// or inside the rigorous bound where its sum is rounded.
bool agrees(const World& world, const Witness& witness);

}  // namespace gradproof::properties::diagnosis
