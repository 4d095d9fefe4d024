#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/facts/axis_order.h"
#include "oracle/gradients/exact_gradient.h"
#include "oracle/judge/ordered_bounds.h"

namespace gradproof::oracle {

class BiasedGradient;
class TileBounds;

/// What one output is compared with, and how. What it refers to must outlive the comparison.
/// Shape: `exact` has one element for each element of the output, or for each of `indices`.
struct ComparisonBasis {
  const ExactGradient& exact;  ///< of the operands as `arithmetic` converts them
  const Arithmetic& arithmetic;
  Adder adder = Adder::Ieee;
  bool is_bias = false;
  /// Elements with a non-finite product are held to IEEE rules; else they are not compared.
  bool specials_are_demanded = true;
  /// The output's elements that `exact` holds, by row-major index; null: all of them, in order.
  const std::vector<std::uint64_t>* indices = nullptr;
  /// Where the output keeps N, C, D, H and W, if not in this order: then indices and the observed
  /// bits follow N C D H W, and only the worst element's coordinate is told as the output has it.
  std::optional<AxisOrder> order = {};
  bool each_element_alone = false;   ///< see JudgeSettings
  OrderedBounds* ordered = nullptr;  ///< where the target's order is known
  TileBounds* tiles = nullptr;       ///< where it may compute in tiles
  /// The element's bias where it is added late (Arithmetic::bias_is_late); else null.
  const BiasedGradient* late_bias = nullptr;
};

/// One output against the exact gradient.
struct Comparison {
  corpus::OutputEvidence evidence;
  std::uint64_t unwritten = 0;    ///< breaches that still hold what was there before the run
  bool worst_is_nan = false;      ///< of the worst breach, exactly one of computed and exact is NaN
  std::uint64_t exact_zeros = 0;  ///< elements whose exact value is zero
  std::uint64_t uncompared_specials =
      0;                  ///< elements with an infinite or NaN product, not compared
  std::string coverage;   ///< what was compared, where that is not every element
  std::string algorithm;  ///< in which tiles it may be computed; empty: by adding products alone
  std::string finding;    ///< about the worst breach, one line; empty without a breach
};

/// Shape: `shape` is the output's own, whose elements `observed.bits` holds in row-major order (or
/// that of `basis.order`).
Comparison compare(const ComparisonBasis& basis, const corpus::OutputObservation& observed,
                   const std::vector<std::int64_t>& shape);

/// "3 (0x40400000)": decimal, and the bits in the format.
std::string words(NumberFormat format, const Number& number);

/// "[0,1,2,0]": the coordinate of an element, given its index in row-major order.
std::vector<std::int64_t> coordinate(std::uint64_t index, const std::vector<std::int64_t>& shape);
std::string words(const std::vector<std::int64_t>& coordinate);

}  // namespace gradproof::oracle
