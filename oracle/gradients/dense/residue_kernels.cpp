#include "oracle/gradients/dense/residue_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gradproof::oracle {
namespace {

/// Vectors of as many lanes as a register has doubles: with SSE2 or NEON, AVX2 and AVX-512.
struct Two {
  static constexpr std::int64_t lanes = 2;
  using Integers = std::int64_t __attribute__((vector_size(16)));
  using Halves = std::int32_t __attribute__((vector_size(8)));
  using Words = std::int16_t __attribute__((vector_size(4)));
  using Doubles = double __attribute__((vector_size(16)));
};
struct Four {
  static constexpr std::int64_t lanes = 4;
  using Integers = std::int64_t __attribute__((vector_size(32)));
  using Halves = std::int32_t __attribute__((vector_size(16)));
  using Words = std::int16_t __attribute__((vector_size(8)));
  using Doubles = double __attribute__((vector_size(32)));
};
struct Eight {
  static constexpr std::int64_t lanes = 8;
  using Integers = std::int64_t __attribute__((vector_size(64)));
  using Halves = std::int32_t __attribute__((vector_size(32)));
  using Words = std::int16_t __attribute__((vector_size(16)));
  using Doubles = double __attribute__((vector_size(64)));
};

/// Added to a double below 2^51 in magnitude, it leaves the nearest integer in the lowest bits.
constexpr double rounder = 0x1.8p52;

/// x = high * 2^32 + low. The lower half, which is not negative, is converted as a signed number
/// 2^31 below it. high * high_weight + low is below 2^44, so that all steps are exact but that of
/// the quotient, which is the right one or, half-way between two, one that leaves as little.
template <typename Vectors>
__attribute__((always_inline)) inline void to_residues(const std::int64_t* integers,
                                                       std::int64_t count,
                                                       const ResidueBasis& basis,
                                                       std::int16_t* words) {
  using Halves = typename Vectors::Halves;
  using Doubles = typename Vectors::Doubles;
  for (std::int64_t i = 0; i < count; i += Vectors::lanes) {
    typename Vectors::Integers values;
    std::memcpy(&values, integers + i, sizeof values);
    const Doubles high =
        __builtin_convertvector(__builtin_convertvector(values >> 32, Halves), Doubles);
    const Halves below = __builtin_convertvector(values, Halves) ^ INT32_MIN;
    const Doubles low = __builtin_convertvector(below, Doubles) + 0x1p31;
    std::int16_t* to = words + i;
    for (const Modulus& modulus : basis.moduli()) {
      const Doubles value = high * modulus.high_weight + low;
      const Doubles quotient = (value * modulus.inverse + rounder) - rounder;
      const Doubles residue = value - quotient * static_cast<double>(modulus.value);
      const auto word = __builtin_convertvector(__builtin_convertvector(residue, Halves),
                                                typename Vectors::Words);
      std::memcpy(to, &word, sizeof word);
      to += count;
    }
  }
}

/// Converts sums to digits as ResidueBasis says. Sums of a plane are below 2^31 and cofactors below
/// 2^12: their product is exact. |y_i| <= 4095: a digit is below 17 * 2^12 * 2^32, exact too.
template <typename Vectors>
__attribute__((always_inline)) inline void to_digits(const ResidueBasis& basis,
                                                     const std::int32_t* const* planes,
                                                     std::int64_t offset, std::int64_t count,
                                                     std::int64_t* digits) {
  using Doubles = typename Vectors::Doubles;
  const std::vector<Modulus>& moduli = basis.moduli();
  Doubles parts[most_moduli];  // std::array of vectors warns
  Doubles whole{};
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    typename Vectors::Halves sums{};
    if (count >= Vectors::lanes) {
      std::memcpy(&sums, planes[i] + offset, sizeof sums);
    } else {
      std::memcpy(&sums, planes[i] + offset, static_cast<std::size_t>(count) * sizeof *planes[i]);
    }
    const Doubles value = __builtin_convertvector(sums, Doubles) * moduli[i].cofactor;
    const Doubles quotient = (value * moduli[i].inverse + rounder) - rounder;
    parts[i] = value - quotient * static_cast<double>(moduli[i].value);
    whole += parts[i] * moduli[i].inverse;
  }
  whole = (whole + rounder) - rounder;
  for (std::size_t group = 0; group < basis.groups(); ++group) {
    const double* weight = basis.product(group);
    Doubles sums[ResidueBasis::group];
    for (std::size_t digit = 0; digit < ResidueBasis::group; ++digit) {
      sums[digit] = -whole * weight[digit];
    }
    weight = basis.part(group, 0);
    for (std::size_t i = 0; i < moduli.size(); ++i, weight += ResidueBasis::group)
      for (std::size_t digit = 0; digit < ResidueBasis::group; ++digit) {
        sums[digit] += parts[i] * weight[digit];
      }
    for (const Doubles& sum : sums) {
      const auto integer = reinterpret_cast<typename Vectors::Integers>(sum + rounder) -
                           std::bit_cast<std::int64_t>(rounder);
      std::memcpy(digits, &integer, sizeof integer);
      digits += residues_at_once;
    }
  }
}

/// Eight of them, of which only `count` are read.
template <typename Vectors>
__attribute__((always_inline)) inline void to_all_digits(const ResidueBasis& basis,
                                                         const std::int32_t* const* planes,
                                                         std::int64_t offset, std::int64_t count,
                                                         std::int64_t* digits) {
  const std::int64_t end = std::min(count, residues_at_once);
  for (std::int64_t i = 0; i < end; i += Vectors::lanes) {
    to_digits<Vectors>(basis, planes, offset + i, end - i, digits + i);
  }
}

__attribute__((always_inline)) inline void add_all(const std::int32_t* sums, std::int64_t count,
                                                   std::int32_t* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += sums[i];
}

void residues_portable(const std::int64_t* integers, std::int64_t count, const ResidueBasis& basis,
                       std::int16_t* words) {
  to_residues<Two>(integers, count, basis, words);
}
void digits_portable(const ResidueBasis& basis, const std::int32_t* const* planes,
                     std::int64_t offset, std::int64_t count, std::int64_t* digits) {
  to_all_digits<Two>(basis, planes, offset, count, digits);
}

void accumulate_portable(const std::int32_t* sums, std::int64_t count, std::int32_t* to) {
  add_all(sums, count, to);
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) void residues_avx2(const std::int64_t* integers,
                                                       std::int64_t count,
                                                       const ResidueBasis& basis,
                                                       std::int16_t* words) {
  to_residues<Four>(integers, count, basis, words);
}
__attribute__((target("avx2,fma"))) void digits_avx2(const ResidueBasis& basis,
                                                     const std::int32_t* const* planes,
                                                     std::int64_t offset, std::int64_t count,
                                                     std::int64_t* digits) {
  to_all_digits<Four>(basis, planes, offset, count, digits);
}
__attribute__((target("avx2,fma"))) void accumulate_avx2(const std::int32_t* sums,
                                                         std::int64_t count, std::int32_t* to) {
  add_all(sums, count, to);
}
__attribute__((target("avx512f,avx512bw,avx512dq"))) void residues_avx512(
    const std::int64_t* integers, std::int64_t count, const ResidueBasis& basis,
    std::int16_t* words) {
  to_residues<Eight>(integers, count, basis, words);
}
__attribute__((target("avx512f,avx512bw,avx512dq"))) void digits_avx512(
    const ResidueBasis& basis, const std::int32_t* const* planes, std::int64_t offset,
    std::int64_t count, std::int64_t* digits) {
  to_all_digits<Eight>(basis, planes, offset, count, digits);
}

#endif

}  // namespace

ResidueKernels residue_kernels([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) {
    return {residues_avx512, digits_avx512, accumulate_avx2};
  }
  if (instructions >= InstructionSet::Avx2) return {residues_avx2, digits_avx2, accumulate_avx2};
#endif
  return {residues_portable, digits_portable, accumulate_portable};
}

}  // namespace gradproof::oracle
