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
/// summed with random coefficients modulo 2^61 - 1, in the operands and in the result, which leaves
/// a gradient of one channel a group to compute. Every element must be exact: `computed` holds what
/// the target gave. A wrong element escapes with probability 2^-61, since the coefficients are
/// drawn independently of the data.
/// Only for gradInput and gradWeight with finite operands.
/// Source: R. Freivalds, Probabilistic machines can use less running time, IFIP 1977.
ProjectionResult project(const Geometry& geometry, corpus::OutputRole role,
                         const Dense<Number>& grad_output, const Dense<Number>& other,
                         const Dense<Number>& computed, std::uint64_t seed);

}  // namespace gradproof::oracle
