#pragma once

#include <cstdint>

#include "oracle/tiling/input_problem.h"

namespace gradproof::oracle::tiling {

/// Rows of the expanded gradOutput that `m` positions of dx reach.
/// Units: rows of gradOutput expanded with stride - 1 zeros between its elements (input_problem.h).
std::int64_t rows_of_a(const InputProblem& problem, std::int64_t m);

/// Positions of a D slice that one core computes at a time: whole rows of dx.
/// A multiple of dx's width; where possible one whose operands and results fit the class's part of
/// the L2 cache, 144 MiB.
std::int64_t core_share_of(const InputProblem& problem, std::int64_t base_m, std::int64_t base_n);

}  // namespace gradproof::oracle::tiling
