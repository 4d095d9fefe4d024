#include "oracle/gradients/linear/modular_dot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/instruction_sets.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

/// `is_extreme`: the largest of one sign, so that sums are as large as they can be.
std::vector<std::int32_t> random_integers(Random& random, std::size_t count, int bits,
                                          bool is_extreme) {
  std::vector<std::int32_t> result(count);
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  for (auto& value : result) {
    value = static_cast<std::int32_t>(is_extreme ? most : random.in(-most, most));
  }
  return result;
}

std::vector<Residue> random_residues(Random& random, std::size_t count, bool is_extreme) {
  std::vector<Residue> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.emplace_back(is_extreme ? Residue::prime - 1 : random.bits());
  }
  return result;
}

Residue product(std::int32_t value, Residue weight) {
  const Residue magnitude(static_cast<std::uint64_t>(std::abs(std::int64_t{value})));
  return value < 0 ? Residue() - magnitude * weight : magnitude * weight;
}

TEST(ModularDot, AddsProductsModuloThePrimeUnderEveryInstructionSet) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const int bits = static_cast<int>(random.in(1, 25));
    const bool is_extreme = random.one_in(3);
    const auto values = random_integers(random, to_size(random.in(0, 700)), bits, is_extreme);
    const auto weights = random_residues(random, values.size() + 5, is_extreme);
    Residue sum;
    for (std::size_t j = 0; j < values.size(); ++j) sum = sum + product(values[j], weights[j + 5]);
    for (const InstructionSet instructions : instruction_sets()) {
      ASSERT_EQ(ModularDot(instructions).dot({values, bits}, SplitResidues(weights), 5), sum)
          << name_of(instructions) << ' ' << bits;
    }
  }
}

/// More rows than sums have room for before they are reduced.
TEST(ModularDot, AddsRowsModuloThePrimeUnderEveryInstructionSet) {
  Random random(2);
  for (int i = 0; i < 60; ++i) {
    const int bits = random.one_in(2) ? 25 : static_cast<int>(random.in(1, 24));
    const auto rows = to_size(random.in(1, 300));
    const auto width = to_size(random.in(1, 40));
    const bool is_extreme = random.one_in(3);
    std::vector<std::vector<std::int32_t>> values;
    for (std::size_t row = 0; row < rows; ++row) {
      values.push_back(random_integers(random, width, bits, is_extreme));
    }
    const auto weights = random_residues(random, rows, is_extreme);
    std::vector<Residue> sums(width + 3);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t j = 0; j < width; ++j) {
        sums[j + 2] = sums[j + 2] + product(values[row][j], weights[row]);
      }
    }
    for (const InstructionSet instructions : instruction_sets()) {
      const ModularDot modular_dot(instructions);
      ModularDot::Columns columns(modular_dot, width + 3);
      for (std::size_t row = 0; row < rows; ++row) {
        columns.add({values[row], bits}, weights[row], 2);
      }
      ASSERT_EQ(columns.sums(), sums) << name_of(instructions) << ' ' << bits;
    }
  }
}

/// What the vectors say of these doubles, and each of them alone.
void expect_integers(std::span<const double> values, double scale) {
  const auto is_whole = [scale](double value) {
    return std::fabs(value * scale) < 0x1p25 && std::trunc(value * scale) == value * scale;
  };
  std::uint32_t magnitudes = 0;
  for (const double value : values) {
    if (is_whole(value)) magnitudes |= static_cast<std::uint32_t>(std::fabs(value * scale));
  }
  for (const InstructionSet instructions : instruction_sets()) {
    std::vector<std::int32_t> integers(values.size());
    const auto found = ModularDot(instructions).integers(values, scale, integers.data());
    ASSERT_EQ(found.are_whole, std::ranges::all_of(values, is_whole)) << name_of(instructions);
    if (!found.are_whole) continue;
    ASSERT_EQ(found.magnitudes, magnitudes);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(integers[i], values[i] * scale);
  }
}

TEST(ModularDot, TellsIntegersFromWhatIsNoneUnderEveryInstructionSet) {
  Random random(3);
  const double infinity = std::numeric_limits<double>::infinity();
  const double others[] = {0.5,      -0.25,      0x1p25,        -0x1p25,   0x1p60,     -0x1p61,
                           infinity, -infinity,  -0x1.8p52,     0x1.fp127, -0x1.fp127, std::nan(""),
                           0x1p-149, -0x1p-1000, -0x1.8p52 - 1, 33554431.5};
  for (int i = 0; i < 1500; ++i) {
    const int unit = static_cast<int>(random.in(-200, 100));
    std::vector<double> values(to_size(random.in(0, 40)));
    for (double& value : values) {
      value = std::ldexp(static_cast<double>(random.in(-(1 << 25) + 1, (1 << 25) - 1)), unit);
    }
    expect_integers(values, std::ldexp(1.0, -unit));
    if (values.empty()) continue;
    const auto at = to_size(random.in(0, std::ssize(values) - 1));
    values[at] = std::ldexp(others[random.in(0, std::ssize(others) - 1)], unit);
    expect_integers(values, std::ldexp(1.0, -unit));
  }
}

}  // namespace
}  // namespace gradproof::oracle
