#pragma once

#include <cstdint>

#include "oracle/tiling/input_problem.h"

namespace gradproof::oracle::tiling {

/// Rows of the expanded gradOutput that `m` positions of dx reach.
std::int64_t rows_of_a(const InputProblem& problem, std::int64_t m);

/// Positions of a D slice that one core computes at a time: whole rows of dx.
std::int64_t core_share_of(const InputProblem& problem, std::int64_t base_m, std::int64_t base_n);

}  // namespace gradproof::oracle::tiling
