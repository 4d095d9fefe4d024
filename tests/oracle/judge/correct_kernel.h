#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/judge/judge.h"

namespace gradproof::oracle {

/// In which order a kernel adds the products of one element.
enum class Order : std::uint8_t {
  Sequential,
  Reversed,
  Pairwise,
  Blocked16,
  RandomTree,
  Split,  ///< `parts` neighbouring parts, each in sequence, and then their sums
  Lanes,  ///< product i in lane i modulo `parts`; lanes are folded in halves
};

/// What a partial sum is rounded to.
enum class Addition : std::uint8_t {
  Nearest,       ///< IEEE FLOAT
  Truncated,     ///< FLOAT, towards zero: a faithful adder
  Block,         ///< 16 products and the accumulator aligned to the largest exponent and truncated
  Compensated,   ///< FLOAT, and what each addition lost in a second FLOAT, added at the end
  Wide,          ///< DOUBLE, rounded once
  WideInBlocks,  ///< 32 products at a time in DOUBLE, their sums in FLOAT
};

/// A small convolution gradient in FLOAT that is correct by the documents: a member of a family
/// that the oracle must never disagree with.
struct CorrectKernel {
  Order order = Order::Sequential;
  Addition addition = Addition::Nearest;
  bool fused = false;  ///< multiply-add with one rounding; Sequential and Reversed only
  bool multiplies_padding = false;  ///< padding takes part as zeros
  /// Subnormal operands are read as zero, subnormal FLOAT products and sums written as zero: right
  /// by the bounds of Faithful and Block adders.
  bool flushes_operands = false, flushes_results = false;
  std::uint64_t seed = 0;  ///< of the random tree
  std::size_t parts = 2;   ///< of a sum that is split, a power of two for lanes
  /// NaN results get a sign and a payload of their own.
  bool marks_nans = false;
};

/// One product's factors, or a partial sum on its way.
struct Term {
  float left, right;
};

/// Places where a test inserts a fault; each may change what passes through it.
struct Faults {
  /// An operand on its way into the multiplier.
  std::function<float(corpus::InputRole, float)> operand;
  /// The products of one element, before they are added.
  std::function<void(corpus::OutputRole, std::uint64_t element, std::vector<Term>&)> terms;
  /// The sum of 16 products.
  std::function<float(float)> partial;
  /// The finished bits of all elements, with their size.
  std::function<void(corpus::OutputRole, std::vector<std::byte>&, std::size_t)> result;
};

/// What such a kernel does with a legal case: every status is success, sentinels around.
corpus::Observation observed(const corpus::Case& test_case, const CorrectKernel& kernel,
                             const JudgeSettings& settings, const Faults& faults = {});

}  // namespace gradproof::oracle
