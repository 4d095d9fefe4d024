#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/linear/integer_tensor.h"

namespace gradproof::oracle {

/// A call whose outputs are to be checked element by element without being computed.
struct LinearProblem {
  Geometry geometry;
  corpus::PerInput<IntegerTensor> inputs;  ///< what no output needs is not read
  /// Outputs, in the units of the products. Absent: not asked for.
  corpus::PerOutput<std::optional<IntegerTensor>> outputs;
  std::uint64_t seed = 0;  ///< of the coefficients, drawn after the outputs: answer_seed
};

/// Result for one output.
struct LinearFinding {
  IntegersSeen seen;
  /// The first entry of the output's first axis whose equation fails; of gradBias the first wrong
  /// element. Says nothing where seen.first_other is set: that element is wrong by itself.
  std::optional<std::int64_t> wrong_entry = {};
};

/// Results for a call, and facts about the operands.
struct LinearFindings {
  corpus::PerInput<IntegersSeen> inputs;
  corpus::PerOutput<LinearFinding> outputs;
};

/// True if every element of every output is the exact one, by one pass over each tensor.
///
/// A gradient is linear in each operand. With u over the channels and b over the positions of dx,
/// for each batch entry n, in integers and so modulo p = 2^61 - 1:
///   sum of u_c b_q dx[n, c, q] == sum over k, s of dy[n, k, s] V[k, s],
///   V[k, s] = sum over taps t of b_q(s, t) * sum of u_c w[k, c, t]
/// and with s over the channels and q over the taps of dw, for each of its first channels k:
///   sum of s_c q_t dw[k, c, t] == sum over n, s of small[n, k, s] Y[n, s],
///   Y[n, s] = sum over taps t of q_t * sum of s_c big[n, c, q(s, t)].
/// V and Y take one multiply-accumulate for each channel of one map, tap and position: fewer than
/// the gradient by the batch, or by the number of channels. db is summed as it is.
/// If an element of an entry is wrong by an integer below p in magnitude, its equation is a
/// polynomial of degree 2 in the coefficients that is not 0: it holds for a share of at most 2 / p
/// of them (J. T. Schwartz, J. ACM 27, 1980; R. Zippel, EUROSAM 1979; the idea is R. Freivalds',
/// IFIP 1977). A coefficient is a 64-bit draw modulo p, and 2^64 = 8 p + 8, so that no residue has
/// a probability above 9 / 2^64: a wrong element escapes with at most 18 / 2^64 < 2^-59.
///
/// Proved: proofs/Identity.v; that p is prime: Prime.v.
/// The findings hold where inputs are integers in their units (no first_other) and every sum is
/// below 2^24 units; which is for the caller to see from `inputs`.
LinearFindings check_linearly(const LinearProblem& problem,
                              const ModularDot& modular_dot = ModularDot());

/// Row-major indices of wrong elements in the entry `entry` of gradInput or gradWeight, whose
/// equation fails: the first 64 that are wrong in one channel (gradInput) or in the entry.
std::vector<std::uint64_t> wrong_elements(const LinearProblem& problem, corpus::OutputRole role,
                                          std::int64_t entry,
                                          const ModularDot& modular_dot = ModularDot());

/// A seed that every bit of these bytes changes, as in the heuristic of A. Fiat and A. Shamir
/// (CRYPTO 1986). No cryptographic hash.
std::uint64_t answer_seed(std::span<const std::byte> bytes, std::uint64_t seed);

}  // namespace gradproof::oracle
