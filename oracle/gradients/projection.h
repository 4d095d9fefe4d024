#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// What a random projection says of a whole gradient.
struct ProjectionResult {
  std::string words;  ///< what was compared
  /// Elements of the output, by row-major index, among which one is wrong; empty if none is.
  std::vector<std::uint64_t> suspects = {};
};

/// Multiply-accumulates that the projection takes.
double projection_cost(const Geometry& geometry);

/// Compares a whole gradient with the exact one without computing it: the channels of one map are
/// summed with random coefficients modulo p = 2^61 - 1, in the operands and in the result, which
/// leaves a gradient of one channel a group to compute. Every element must be exact: `computed`
/// holds what the target gave.
///
/// A gradient G is linear in each operand. With random r and sums over the channels c of a group,
///   sum of r_c G_c(a, b) == G(a, sum of r_c b_c) (mod p).
/// If an element is wrong by e_c units, with some e_c not divisible by p, then sum of r_c e_c is 0
/// for one of p values of that r_c: a wrong element escapes with probability 2^-61. The
/// coefficients follow from the seed and from every bit of `computed`, as in the heuristic of Fiat
/// and Shamir (CRYPTO 1986): they are drawn after the answer, and a replay draws the same.
/// A residue alone does not tell 1 from 2^61. So a result of 2^60 units or more, or off the grid,
/// is a suspect by itself; what is left differs from the exact value by less than p. Only for
/// gradInput and gradWeight with finite operands, where no result is rounded and every exact value
/// is below 2^60 units in magnitude. Source: R. Freivalds, Probabilistic machines can use less
/// running time, IFIP 1977. A coefficient is a 64-bit draw modulo p. 2^64 = 8 p + 8, so no residue
/// has a probability above 9 / 2^64, 12 % more than 2^-61. Several wrong elements escape with no
/// higher probability than one.
ProjectionResult project(const Geometry& geometry, corpus::OutputRole role,
                         const Dense<Number>& grad_output, const Dense<Number>& other,
                         const Dense<Number>& computed, std::uint64_t seed);

}  // namespace gradproof::oracle
