#pragma once

#include <cstdint>
#include <optional>

#include "corpus/case.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::runs {

/// A wrong call is missed with a probability below 2^-wanted_bits.
inline constexpr double wanted_bits = 40;

/// The data that prove the index maps of one call (docs/prove.md has the argument): in each run the
/// elements of operand i are drawn from +-1 ... +-magnitudes[i], independently and never 0, so that
/// no operation of the right kernel rounds, nor of a wrong one that adds at most twice the
/// products.
struct ProofPlan {
  /// Runs whose gradOutput has one element that is not zero: `runs` of them for each element.
  bool one_hot = false;
  std::uint64_t runs = 0;
  corpus::PerInput<std::int64_t> magnitudes{1, 1, 1};
  /// -log2 of the probability with which the call is missed that is missed most easily.
  double bits = 0;

  /// Runs of the call in all.
  std::uint64_t all_runs(const corpus::Case& test_case) const;
};

/// The plan with the fewest runs, or one of drawn operands that has few; nullopt where the call is
/// no convolution, or where its formats have too few bits for its sums: `most_runs` would be
/// exceeded.
std::optional<ProofPlan> proof_plan(const corpus::Case& test_case,
                                    const oracle::JudgeSettings& settings,
                                    std::uint64_t most_runs = 4096);

}  // namespace gradproof::runs
