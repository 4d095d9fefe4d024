#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"

namespace gradproof::oracle {

/// The recipes that a case without data runs under, one after the other.
inline constexpr corpus::Distribution default_recipes[] = {
    corpus::Distribution::ExactGrid, corpus::Distribution::SparseFullMantissa};

/// The case with its data recipe complete: magnitudes, densities and binades chosen for its dtypes,
/// compute format and reduction lengths, so that the recipe's verdict means what it says (exact
/// sums on the grid; few terms per reduction and no overflow for sparse full mantissa). A recipe
/// that needs no plan is only set. Errors: a sentence, where the case admits no such data (not a
/// legal convolution, a length that overflows).
/// Why two recipes by default: bits must be equal on the grid, so it finds every wrong index whose
/// values differ, but it cannot see a lost bit of a significand that it never uses; sparse full
/// significands have all bits and a bound of a few roundings, but most wrong indices meet zeros
/// there (docs/verdicts.md).
tl::expected<corpus::Case, std::string> with_recipe(const corpus::Case& test_case,
                                                    corpus::Distribution distribution,
                                                    std::uint64_t seed);

}  // namespace gradproof::oracle
