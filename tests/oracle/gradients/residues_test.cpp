#include "oracle/gradients/dense/residues.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

#include "oracle/gradients/dense/residue_basis.h"
#include "oracle/gradients/dense/residue_kernels.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

/// Two operands of so many bits together, and one product.
ProductSpan span_of(int bits) { return {bits / 2, bits - bits / 2, 1}; }

/// Any integer below 2^31 in magnitude with this residue; the largest ones where it is asked.
std::int32_t congruent(Random& random, Int128 value, std::int32_t modulus, bool large) {
  const std::int64_t residue = static_cast<std::int64_t>(value % modulus);
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / modulus - 1;
  const std::int64_t multiple = large ? most : random.in(-most, most);
  return static_cast<std::int32_t>(residue + multiple * modulus);
}

/// Sums out of their residues, as any planes may hold them.
template <typename Result>
std::vector<Result> combined(Random& random, const std::vector<Int128>& sums,
                             const ProductSpan& span, InstructionSet instructions) {
  const Residues residues(span, instructions);
  const ResidueBasis basis(residues.planes(), ResidueBasis::group);
  std::vector<std::vector<std::int32_t>> planes;
  std::vector<const std::int32_t*> beginnings;
  for (const Modulus& modulus : basis.moduli()) {
    std::vector<std::int32_t>& plane = planes.emplace_back();
    const bool large = random.one_in(2);
    for (const Int128 sum : sums) {
      plane.push_back(congruent(random, sum, modulus.value, large));
    }
  }
  for (const auto& plane : planes) beginnings.push_back(plane.data());
  std::vector<Result> result(sums.size());
  residues.combine(beginnings, 0, static_cast<std::int64_t>(sums.size()), result.data());
  return result;
}

/// The largest sums of a span, the smallest, and random ones; a number that eight does not divide.
std::vector<Int128> sums_below(Random& random, int bits) {
  const Int128 largest = (Int128{1} << (bits - 1)) - 1 + (Int128{1} << (bits - 1));
  std::vector<Int128> sums{largest, -largest, 0, 1, -1, largest / 2, -largest / 3};
  for (int i = 0; i < 14; ++i) {
    const Uint128 draw = Uint128{random.bits()} << 64U | random.bits();
    const auto magnitude = static_cast<Int128>(draw >> (128 - bits));
    sums.push_back(random.one_in(2) ? magnitude : -magnitude);
  }
  return sums;
}

TEST(Residues, GiveBackEverySumThatTheirModuliAreFor) {
  Random random(1);
  for (const InstructionSet instructions : instruction_sets())
    for (int bits = 4; bits <= 126; ++bits) {
      const std::vector<Int128> sums = sums_below(random, bits);
      EXPECT_EQ(combined<Int128>(random, sums, span_of(bits), instructions), sums)
          << bits << " bits, " << name_of(instructions);
    }
}

TEST(Residues, GiveBackSumsOf192Bits) {
  Random random(2);
  const ProductSpan span{63, 63, 8191};  // whose sums do not fit 127 bits
  for (const InstructionSet instructions : instruction_sets()) {
    const std::vector<Int128> sums = sums_below(random, 127);
    const auto wide = combined<WideSum>(random, sums, span, instructions);
    const DigitSums digits = digits_of(wide, 0);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      EXPECT_EQ(digits[i].dyadic(), Dyadic::from(sums[i], 0)) << i;
    }
  }
}

TEST(Residues, OfIntegersAreTheirsAndAtMostHalfTheModulus) {
  Random random(3);
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> integers{
      0,        1,         -1,           largest,         -largest,        1LL << 31,
      -1 << 31, 1LL << 32, -(1LL << 32), (1LL << 32) - 1, (1LL << 31) - 1, 1LL << 62};
  while (integers.size() % 64 != 0) {
    integers.push_back(static_cast<std::int64_t>(random.bits()) >> random.in(1, 63));
  }
  const ResidueBasis basis(most_moduli, ResidueBasis::group);
  for (const InstructionSet instructions : instruction_sets()) {
    std::vector<std::int16_t> words(integers.size() * basis.moduli().size());
    residue_kernels(instructions)
        .residues(integers.data(), static_cast<std::int64_t>(integers.size()), basis, words.data());
    std::size_t next = 0;
    for (const Modulus& modulus : basis.moduli())
      for (const std::int64_t integer : integers) {
        const std::int16_t word = words[next++];
        EXPECT_EQ((Int128{integer} - word) % modulus.value, 0) << integer;
        EXPECT_LE(std::abs(word), modulus.value / 2) << integer << " modulo " << modulus.value;
      }
  }
}

/// Panels of equal words: the largest residues there are, of like and of unlike signs.
TEST(Residues, KeepTheLargestProductsOfAnyDepth) {
  const ProductSpan span = span_of(100);
  for (const InstructionSet instructions : instruction_sets()) {
    const Residues residues(span, instructions);
    const auto [rows, columns] = residues.tile();
    const ResidueBasis basis(residues.planes(), ResidueBasis::group);
    for (const std::int64_t depth : {1, 2, 127, 128, 129, 256, 511, 512})
      for (const int sign : {1, -1})
        for (int pass = 0; pass < residues.passes(); ++pass) {
          const std::int32_t modulus = basis.moduli()[to_size(pass)].value;
          const auto largest = static_cast<std::int16_t>(modulus / 2);
          std::vector<std::int16_t> left(to_size((depth + 1) * rows));
          std::vector<std::int16_t> right(to_size((depth + 1) * columns));
          const auto fill = [depth](std::vector<std::int16_t>& words, std::int64_t width,
                                    int word) {
            for (std::int64_t step = 0; step < depth; ++step)
              for (std::int64_t line = 0; line < width; ++line) {
                words[to_size((step / 2 * width + line) * 2 + step % 2)] =
                    static_cast<std::int16_t>(word);
              }
          };
          fill(left, rows, largest);
          fill(right, columns, sign * largest);
          std::vector<std::int32_t> sums(to_size(rows * columns), 5);
          const std::vector<std::int32_t*> planes(residues.planes(), sums.data());
          residues.add(pass, left.data(), right.data(), depth, planes, 0, columns, Onto::Sums);
          const std::int64_t exact = 5 + depth * sign * largest * largest;
          for (const std::int32_t sum : sums) {
            EXPECT_EQ((exact - sum) % modulus, 0) << depth << " steps modulo " << modulus;
            EXPECT_LE(std::abs(sum), 5 + (depth / residue_depth + 1) * modulus * 11 / 10);
          }
        }
  }
}

TEST(Residues, TakeAsFewModuliAsSumsAllow) {
  EXPECT_EQ(Residues::planes_for({24, 24, 576}, 1), 5U);
  EXPECT_EQ(Residues::planes_for({51, 51, 576}, 1), 9U);
  EXPECT_EQ(Residues::planes_for({51, 51, 8191}, 1), 9U);
  EXPECT_EQ(Residues::planes_for({63, 63, 1 << 29}, 1), 13U);
}

TEST(Residues, AreRefusedWhereIntegersOrPlanesMightOverflow) {
  EXPECT_TRUE(Residues::planes_for({63, 1, 1}, 1 << 15));
  EXPECT_FALSE(Residues::planes_for({64, 1, 1}, 1));
  EXPECT_FALSE(Residues::planes_for({1, 64, 1}, 1));
  EXPECT_FALSE(Residues::planes_for({63, 1, 1}, (1 << 15) + 1));
}

TEST(ResidueBasis, HasModuliWithoutACommonDivisor) {
  const auto moduli = coprime_moduli();
  for (std::size_t i = 0; i < moduli.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(std::gcd(moduli[i], moduli[j]), 1);
  const std::int64_t half = moduli[0] / 2;
  EXPECT_LT(residue_depth * half * half, std::int64_t{1} << 31U);
}

}  // namespace
}  // namespace gradproof::oracle
