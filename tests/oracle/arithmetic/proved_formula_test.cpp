#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "oracle/arithmetic/error_bound.h"
#include "oracle/judge/sum_scope.h"
#include "oracle/numbers/int128.h"

// The bound and the grid's condition against what Coq makes of the formulas that proofs/ proves:
// 10,000 problems, ten a line of proofs/values.txt (proofs/Values.v has the same draws).

namespace gradproof::oracle {
namespace {

constexpr std::int64_t p = (std::int64_t{1} << 61) - 1;

std::int64_t residue(Int128 value) { return static_cast<std::int64_t>((value % p + p) % p); }
std::int64_t residue(const mpz_class& value) {
  const mpz_class rest = value % p;
  return residue(static_cast<Int128>(rest.get_si()));
}

/// 16 draws of Lehmer's generator modulo p, the first four steps apart.
class Draws {
 public:
  explicit Draws(std::int64_t problem) {
    std::int64_t state = (problem + 1) * 1'000'003;
    for (int step = -4; step < 16; ++step) {
      state = residue(Int128{state} * 48271);
      if (step >= 0) drawn_.at(static_cast<std::size_t>(step)) = state;
    }
  }
  std::int64_t operator[](std::size_t index) const { return drawn_.at(index); }
  int below(std::size_t index, int end) const { return static_cast<int>(drawn_.at(index) % end); }

 private:
  std::array<std::int64_t, 16> drawn_{};
};

struct Problem {
  Adder adder = Adder::Ieee;
  Arithmetic arithmetic = {};
  bool is_bias = false;
  std::uint64_t terms = 0;
  Dyadic magnitude = {};
  double subnormal = 0;
  SumScope scope = {};
};

SumScope scope_of(const Draws& d, const Arithmetic& arithmetic) {
  const bool is_double = arithmetic.sums == NumberFormat::Double;
  const int unit = is_double ? d.below(11, 2300) - 1180 : d.below(11, 280) - 165;
  const int smallest = smallest_normal_exponent(arithmetic.operands);
  const int lowest = d[12] % 4 == 0 ? smallest - 1 : smallest;
  const auto left = static_cast<int>(d[13] % 14), right = static_cast<int>(d[13] / 16 % 14);
  return {.grad_output = {.non_zeros = 1,
                          .non_finite = 0,
                          .unit = unit,
                          .top = unit + left,
                          .lowest_leading = lowest},
          .other = {.non_zeros = 1,
                    .non_finite = 0,
                    .unit = 0,
                    .top = right,
                    .lowest_leading = smallest},
          .longest_reduction = d[14] % (std::int64_t{1} << (d[15] % 12))};
}

Problem problem(std::int64_t index) {
  constexpr std::array formats{NumberFormat::Float,      NumberFormat::Float16,
                               NumberFormat::BFloat16,   NumberFormat::Hf32Wide,
                               NumberFormat::Hf32Narrow, NumberFormat::Float8E4M3FN,
                               NumberFormat::HiFloat8};
  constexpr std::array adders{Adder::Ieee, Adder::Faithful, Adder::Block};
  constexpr std::array slacks{0.0, 0x1p-11, 0x1p-10};
  const Draws d(index);
  Problem result;
  const auto kind = static_cast<std::size_t>(d[0] % 3);
  result.adder = adders.at(kind);
  const bool is_double = index >= 8000;
  if (is_double) result.arithmetic.operands = result.arithmetic.sums = NumberFormat::Double;
  if (!is_double) result.arithmetic.operands = formats.at(static_cast<std::size_t>(d[1] % 7));
  if (result.arithmetic.operands == NumberFormat::Float) {
    result.arithmetic.operand_slack = slacks.at(static_cast<std::size_t>(d[3] % 3));
  }
  result.is_bias = d[2] % 8 == 0;
  // The most terms that have a bound: 2^24, 2^23, 2^21 in FLOAT.
  const int most = (is_double ? 53 : 24) - static_cast<int>(kind) - (kind == 2 ? 1 : 0);
  result.terms =
      static_cast<std::uint64_t>(d[4] % 16 == 0 ? (std::int64_t{1} << most) - 2 + d[5] % 5
                                                : d[5] % (std::int64_t{1} << (d[4] % 20 + 1)));
  result.magnitude = Dyadic::from(d[6], d.below(7, 260) - 200);
  if (d[9] % 2 != 0) {
    result.subnormal = std::ldexp(static_cast<double>(d[8] >> 8), d.below(10, 100) - 220);
  }
  result.scope = scope_of(d, result.arithmetic);
  return result;
}

std::int64_t digest(std::int64_t before, std::int64_t value) {
  return residue(Int128{before} * 1'000'003 + value);
}

/// Its odd significand and its exponent; 0 and 0 of zero.
std::int64_t digest(std::int64_t before, const Dyadic& value) {
  if (value.is_zero()) return digest(digest(before, 0), 0);
  const mp_bitcnt_t twos = mpz_scan1(value.significand().get_mpz_t(), 0);
  const mpz_class odd = value.significand() >> twos;
  const Int128 exponent = Int128{value.exponent()} + static_cast<std::int64_t>(twos);
  return digest(digest(before, residue(odd)), residue(exponent));
}

struct Line {
  std::int64_t numbers = 0, answers = 0;
};

void add(Line& line, const Problem& problem) {
  const ErrorBound bound(problem.adder, problem.arithmetic, problem.is_bias);
  const bool is_defined = bound.is_defined(problem.terms);
  if (is_defined) {
    line.numbers = digest(line.numbers, bound.gamma(problem.terms));
    line.numbers = digest(line.numbers, bound.underflow(problem.terms, problem.subnormal));
    line.numbers =
        digest(line.numbers, bound.total(problem.terms, problem.magnitude, problem.subnormal));
  }
  const bool fits = grid_fits(problem.scope, problem.arithmetic, problem.adder);
  const bool is_exact = every_sum_is_exact(problem.scope, problem.arithmetic, problem.adder);
  for (const bool answer : {is_defined, fits, is_exact}) {
    line.answers = digest(line.answers, std::int64_t{answer});
  }
}

TEST(ProvedFormula, IsTheCodesInTenThousandProblems) {
  std::ifstream file(GRADPROOF_PROVED_VALUES);
  std::string text;
  std::int64_t number = 0;
  while (std::getline(file, text)) {
    Line proved, computed{.numbers = number, .answers = number};
    ASSERT_TRUE(std::istringstream(text) >> proved.numbers >> proved.answers) << text;
    for (std::int64_t i = 0; i < 10; ++i) add(computed, problem(10 * number + i));
    EXPECT_EQ(computed.numbers, proved.numbers) << "bounds of problems " << 10 * number << " to +9";
    EXPECT_EQ(computed.answers, proved.answers) << "grids of problems " << 10 * number << " to +9";
    ++number;
  }
  EXPECT_EQ(number, 1000);
}

/// What decides most elements in doubles lies on the right side of the proved bound.
TEST(ProvedFormula, LiesBetweenTheTestsInDoubles) {
  for (std::int64_t i = 0; i < 8000; ++i) {
    const Problem one = problem(i);
    const ErrorBound bound(one.adder, one.arithmetic, one.is_bias);
    if (!bound.is_defined(one.terms)) continue;
    const double magnitude = one.magnitude.to_double();
    const double subnormal = bound.may_flush() ? one.subnormal : 0;
    const Dyadic total = bound.total(one.terms, one.magnitude, one.subnormal);
    EXPECT_TRUE(Dyadic::from_double(bound.certain(one.terms, magnitude)) <= total) << i;
    EXPECT_TRUE(total <= Dyadic::from_double(bound.ceiling(one.terms, magnitude, subnormal))) << i;
  }
}

}  // namespace
}  // namespace gradproof::oracle
