#include "oracle/gradients/projection.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "corpus/element_hash.h"
#include "oracle/numbers/dense.h"
#include "oracle/sums/modular.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

constexpr std::uint64_t seed = 11;

/// gradInput of a 1 x 1 kernel, two channels, one position, all operands 1: both elements are 1.
struct TwoElements {
  Geometry geometry{.batch = 1, .groups = 1, .big_channels = 2, .small_channels = 1, .axes = {}};
  Dense<Number> grad_output{Shape{1, 1, 1, 1, 1}}, weight{Shape{1, 2, 1, 1, 1}},
      computed{Shape{1, 2, 1, 1, 1}};

  TwoElements() {
    for (Dense<Number>* tensor : {&grad_output, &weight, &computed}) {
      for (std::size_t i = 0; i < tensor->size(); ++i) (*tensor)[i] = integer(1);
    }
  }

  static Number integer(std::int64_t value) {
    const bool negative = value < 0;
    return {.negative = negative,
            .significand = static_cast<std::uint32_t>(negative ? -value : value),
            .exponent = 0};
  }

  bool is_found() const {
    return !project(geometry, OutputRole::GradInput, grad_output, weight, computed, seed)
                .suspects.empty();
  }
};

TEST(Projection, AcceptsWhatIsRight) { EXPECT_FALSE(TwoElements().is_found()); }

/// 2^61 is 1 modulo p, so the residues alone can't tell.
TEST(Projection, FindsAnElementThatIsRightModuloThePrime) {
  for (const int exponent : {60, 61, 122}) {
    TwoElements trial;
    trial.computed[1] = {.negative = false, .significand = 1, .exponent = exponent};
    EXPECT_TRUE(trial.is_found()) << exponent;
  }
}

Residue power(Residue base, std::uint64_t exponent) {
  Residue result(1);
  for (; exponent > 0; exponent >>= 1U, base = base * base) {
    if ((exponent & 1U) != 0) result = result * base;
  }
  return result;
}

struct Errors {
  std::int64_t first, second;
};

/// The smallest non-zero errors, about 2^30, with second == factor * first modulo p: the middle of
/// Euclid's algorithm on p and factor (P. Wang, SYMSAC 1981).
Errors short_errors(Residue factor) {
  auto larger = static_cast<std::int64_t>(Residue::prime);
  auto smaller = static_cast<std::int64_t>(factor.value());
  std::int64_t before = 0, first = 1;
  while (smaller >= std::int64_t{1} << 31) {
    const std::int64_t quotient = larger / smaller;
    larger = std::exchange(smaller, larger - quotient * smaller);
    before = std::exchange(first, before - quotient * first);
  }
  return {first, smaller};
}

/// Two errors that cancel under the coefficients of the seed alone, if those were used.
TEST(Projection, DrawsItsCoefficientsAfterTheAnswer) {
  const auto coefficient = [](std::uint64_t count) {
    return Residue(corpus::mixed((seed + count * corpus::golden) ^ 0x50726F6A65637421U));
  };
  const Residue inverse = power(coefficient(2), Residue::prime - 2);
  const auto [first, second] = short_errors(Residue() - coefficient(1) * inverse);
  TwoElements trial;
  trial.computed[0] = TwoElements::integer(1 + first);
  trial.computed[1] = TwoElements::integer(1 + second);
  const Residue difference = coefficient(1) * (Residue::of(trial.computed[0], 0) - Residue(1)) +
                             coefficient(2) * (Residue::of(trial.computed[1], 0) - Residue(1));
  ASSERT_EQ(difference, Residue());
  ASSERT_NE(first, 0);
  EXPECT_TRUE(trial.is_found());
}

}  // namespace
}  // namespace gradproof::oracle
