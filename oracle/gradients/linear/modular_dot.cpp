#include "oracle/gradients/linear/modular_dot.h"

#include <algorithm>
#include <bit>

#include "oracle/numbers/check.h"

namespace gradproof::oracle {
namespace {

constexpr int low_bits = 31;
constexpr std::int64_t low_part = (std::int64_t{1} << low_bits) - 1;

/// End of the integers that IntegersFound::are_whole admits is below.
constexpr std::uint64_t end_of_integers = std::uint64_t{1} << 25;

/// 1.5 * 2^52: added to a double below 2^51 in magnitude, it leaves the integer next to it in the
/// lowest bits.
constexpr double shifter = 0x1.8p52;
constexpr auto shifter_bits = std::bit_cast<std::uint64_t>(shifter);

/// The bodies, which each set of instructions compiles for itself into vectors (this file has -O3).
/// What is too large, or infinite, is far from the shifter's bits too, which `magnitudes` shows; a
/// NaN equals nothing.
[[gnu::always_inline]] inline IntegersFound integers_in(const double* values, std::size_t count,
                                                        double scale, std::int32_t* to) {
  std::uint64_t magnitudes = 0, differ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = values[i] * scale;
    const double shifted = value + shifter;
    const std::uint64_t integer = std::bit_cast<std::uint64_t>(shifted) - shifter_bits;
    to[i] = static_cast<std::int32_t>(integer);
    magnitudes |= static_cast<std::int64_t>(integer) < 0 ? 0 - integer : integer;
    differ |= shifted - shifter == value ? 0U : 1U;
  }
  return {static_cast<std::uint32_t>(magnitudes), differ == 0 && magnitudes < end_of_integers};
}

[[gnu::always_inline]] inline void dot_in(const std::int32_t* values, const std::int32_t* low,
                                          const std::int32_t* high, std::size_t count,
                                          std::int64_t* sums) {
  std::int64_t low_sum = 0, high_sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    low_sum += std::int64_t{values[i]} * low[i];
    high_sum += std::int64_t{values[i]} * high[i];
  }
  sums[0] = low_sum;
  sums[1] = high_sum;
}

[[gnu::always_inline]] inline void add_scaled_in(const std::int32_t* __restrict values,
                                                 std::size_t count, std::int32_t low,
                                                 std::int32_t high,
                                                 std::int64_t* __restrict low_sums,
                                                 std::int64_t* __restrict high_sums) {
  for (std::size_t i = 0; i < count; ++i) {
    low_sums[i] += std::int64_t{values[i]} * low;
    high_sums[i] += std::int64_t{values[i]} * high;
  }
}

struct Portable {
  static IntegersFound integers(const double* values, std::size_t count, double scale,
                                std::int32_t* to) {
    return integers_in(values, count, scale, to);
  }
  static void dot(const std::int32_t* values, const std::int32_t* low, const std::int32_t* high,
                  std::size_t count, std::int64_t* sums) {
    dot_in(values, low, high, count, sums);
  }
  static void add_scaled(const std::int32_t* values, std::size_t count, std::int32_t low,
                         std::int32_t high, std::int64_t* low_sums, std::int64_t* high_sums) {
    add_scaled_in(values, count, low, high, low_sums, high_sums);
  }
};

#if defined(__x86_64__)

struct Avx2 {
  __attribute__((target("avx2,fma"))) static IntegersFound integers(const double* values,
                                                                    std::size_t count, double scale,
                                                                    std::int32_t* to) {
    return integers_in(values, count, scale, to);
  }
  __attribute__((target("avx2,fma"))) static void dot(const std::int32_t* values,
                                                      const std::int32_t* low,
                                                      const std::int32_t* high, std::size_t count,
                                                      std::int64_t* sums) {
    dot_in(values, low, high, count, sums);
  }
  __attribute__((target("avx2,fma"))) static void add_scaled(const std::int32_t* values,
                                                             std::size_t count, std::int32_t low,
                                                             std::int32_t high,
                                                             std::int64_t* low_sums,
                                                             std::int64_t* high_sums) {
    add_scaled_in(values, count, low, high, low_sums, high_sums);
  }
};

#endif

Residue residue_of(std::int64_t value) {
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  return value < 0 ? Residue() - Residue(magnitude) : Residue(magnitude);
}

/// low + 2^31 high.
Residue joined(std::int64_t low, std::int64_t high) {
  return residue_of(low) + Residue(std::uint64_t{1} << low_bits) * residue_of(high);
}

/// Number of products of an integer of so many bits and half a residue whose sum stays below 2^62.
std::size_t most_products(int bits) {
  check(bits >= 0 && bits <= 25, "integers of a linear check have 25 bits at most");
  return std::size_t{1} << (62 - low_bits - bits);
}

}  // namespace

SplitResidues::SplitResidues(std::span<const Residue> residues) : SplitResidues(residues.size()) {
  for (std::size_t i = 0; i < residues.size(); ++i) set(i, residues[i]);
}

void SplitResidues::set(std::size_t index, Residue residue) {
  low_[index] = static_cast<std::int32_t>(residue.value() & low_part);
  high_[index] = static_cast<std::int32_t>(residue.value() >> low_bits);
}

ModularDot::Steps ModularDot::steps_of([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx2) return {Avx2::integers, Avx2::dot, Avx2::add_scaled};
#endif
  return {Portable::integers, Portable::dot, Portable::add_scaled};
}

ModularDot::ModularDot(InstructionSet instructions) : steps_(steps_of(instructions)) {}

IntegersFound ModularDot::integers(std::span<const double> values, double scale,
                                   std::int32_t* to) const {
  return steps_.integers(values.data(), values.size(), scale, to);
}

Residue ModularDot::dot(const BoundedIntegers& numbers, const SplitResidues& weights,
                        std::size_t first) const {
  const std::size_t at_once = most_products(numbers.bits);
  Residue sum;
  for (std::size_t begin = 0; begin < numbers.values.size(); begin += at_once) {
    const std::size_t count = std::min(at_once, numbers.values.size() - begin);
    std::int64_t sums[2] = {};
    steps_.dot(numbers.values.data() + begin, weights.low() + first + begin,
               weights.high() + first + begin, count, sums);
    sum = sum + joined(sums[0], sums[1]);
  }
  return sum;
}

void ModularDot::Columns::add(const BoundedIntegers& numbers, Residue weight, std::size_t first) {
  const std::int64_t growth = std::int64_t{1} << numbers.bits;
  check(numbers.bits <= 25 && first + numbers.values.size() <= low_.size(),
        "a row lies within its columns");
  if (room_ < growth) reduce();
  room_ -= growth;
  add_scaled_(numbers.values.data(), numbers.values.size(),
              static_cast<std::int32_t>(weight.value() & low_part),
              static_cast<std::int32_t>(weight.value() >> low_bits), low_.data() + first,
              high_.data() + first);
}

void ModularDot::Columns::reduce() {
  for (std::size_t i = 0; i < low_.size(); ++i) sums_[i] = sums_[i] + joined(low_[i], high_[i]);
  std::fill(low_.begin(), low_.end(), 0);
  std::fill(high_.begin(), high_.end(), 0);
  room_ = room_of_sums;
}

const std::vector<Residue>& ModularDot::Columns::sums() {
  reduce();
  return sums_;
}

}  // namespace gradproof::oracle
