#pragma once

#include <cstdint>
#include <optional>

#include "corpus/case.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::cases {

/// Facts about one gradient before it is computed.
struct Exactness {
  /// No product and no partial sum is rounded, in whatever order, under any arithmetic that a
  /// target may use, and nothing overflows; then the element is a function of its exact sum alone.
  bool settled = false;
  /// ... and that sum is what the tensor gets: no conversion on the way rounds it.
  bool exact = false;
  /// ... or all conversions round relative to the magnitude, far from subnormals: twice the sum is
  /// twice the element.
  bool scalable = false;
};

/// Exactness by OutputRole. All false where the case is no consistent convolution, has no data, an
/// output is null, or the target may compute it in tiles. `given`: instead of the case's data.
///
/// The bound: n products of integers below 2^a and 2^b in units of u, n <= 2^l, stay below
/// 2^(a+b+l) u; with a + b + l <= 24 every partial sum is a FLOAT. n is the longest reduction of
/// the geometry, not an estimate.
corpus::PerOutput<Exactness> exactness_of(const corpus::Case& test_case,
                                          const oracle::JudgeSettings& judge = {},
                                          const oracle::GivenOperands* given = nullptr);

/// Property of a gradient that a relation requires. ExactBothWays: and the forward output of the
/// same convolution is exact. Nothing: elements have the same bits because the library says so.
enum class Demand : std::uint8_t { Settled, Scalable, Exact, ExactBothWays, Nothing };
bool fulfils(const Exactness& known, Demand demand);

/// The case on an exact grid with magnitudes small enough that every requested gradient fulfils the
/// demand; nullopt where there are none.
std::optional<corpus::Case> on_grid_for(Demand demand, const corpus::Case& test_case,
                                        std::uint64_t seed);

}  // namespace gradproof::cases
