#include "oracle/gradients/dense/residue_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/// As ResidueBasis says. Sums of a plane are below 2^31 and cofactors below 2^12: their product is
/// exact. |y_i| <= 4095, so that a digit is below 17 * 2^12 * 2^32 in magnitude: exact too.
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

constexpr int plain_rows = 4;
constexpr int plain_columns = 8;
using PlainTile = std::array<std::array<std::int32_t, plain_columns>, plain_rows>;

#if defined(__x86_64__)

/// With what every processor of its kind has.
void multiply(const std::int16_t* left, const std::int16_t* right, std::int64_t pairs,
              PlainTile& tile) {
  __m128i sums[plain_rows][2] = {};
  for (; pairs > 0; --pairs, left += 2 * plain_rows, right += 2 * plain_columns) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(right));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(right + 8));
    for (std::ptrdiff_t row = 0; row < plain_rows; ++row) {
      std::int32_t pair;
      std::memcpy(&pair, left + 2 * row, sizeof pair);
      const __m128i factor = _mm_set1_epi32(pair);
      sums[row][0] = _mm_add_epi32(sums[row][0], _mm_madd_epi16(factor, first));
      sums[row][1] = _mm_add_epi32(sums[row][1], _mm_madd_epi16(factor, second));
    }
  }
  std::memcpy(&tile, sums, sizeof tile);
}

#else

/// Sums of even and of odd steps side by side, as the words lie; they are added at the end.
/// Compilers make widening multiply-adds of it (SMLAL).
void multiply(const std::int16_t* left, const std::int16_t* right, std::int64_t pairs,
              PlainTile& tile) {
  using Words = std::int16_t __attribute__((vector_size(8)));
  using Sums = std::int32_t __attribute__((vector_size(16)));
  constexpr int parts = plain_columns / 2;
  Sums sums[plain_rows][parts] = {};
  for (; pairs > 0; --pairs, left += 2 * plain_rows, right += 2 * plain_columns)
    for (std::ptrdiff_t row = 0; row < plain_rows; ++row) {
      const Words factor{left[2 * row], left[2 * row + 1], left[2 * row], left[2 * row + 1]};
      for (std::ptrdiff_t part = 0; part < parts; ++part) {
        Words words;
        std::memcpy(&words, right + 4 * part, sizeof words);
        sums[row][part] +=
            __builtin_convertvector(factor, Sums) * __builtin_convertvector(words, Sums);
      }
    }
  for (std::size_t row = 0; row < plain_rows; ++row)
    for (std::size_t column = 0; column < plain_columns; ++column) {
      const Sums& both = sums[row][column / 2];
      tile[row][column] = both[2 * (column % 2)] + both[2 * (column % 2) + 1];
    }
}

#endif

/// The quotient in float is off by less than 2^31 / p * 2^-22, rounding towards zero by less
/// than 1.
void add_residues(const std::int16_t* left, const std::int16_t* right, std::int64_t pairs,
                  const Modulus& modulus, std::int32_t* sums, std::int64_t stride, Onto onto) {
  PlainTile tile;
  multiply(left, right, pairs, tile);
  const auto inverse = static_cast<float>(modulus.inverse);
  const std::int32_t value = modulus.value;
  for (auto& row : tile) {
    for (std::int32_t& sum : row) {
      sum -= static_cast<std::int32_t>(static_cast<float>(sum) * inverse) * value;
    }
    for (std::size_t column = 0; column < plain_columns; ++column) {
      sums[column] = row[column] + (onto == Onto::Sums ? sums[column] : 0);
    }
    sums += stride;
  }
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

__attribute__((target("avx2,fma"))) void add_residues_avx2(
    const std::int16_t* left, const std::int16_t* right, std::int64_t pairs, const Modulus& modulus,
    std::int32_t* sums, std::int64_t stride, Onto onto) {
  constexpr int rows = 4;
  __m256i tile[rows][2];
  for (auto& row : tile) row[0] = row[1] = _mm256_setzero_si256();
  for (; pairs > 0; --pairs, left += std::ptrdiff_t{2} * rows, right += 32) {
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(right));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(right + 16));
    for (int row = 0; row < rows; ++row) {
      std::int32_t pair;
      std::memcpy(&pair, left + std::ptrdiff_t{2} * row, sizeof pair);
      const __m256i factor = _mm256_set1_epi32(pair);
      tile[row][0] = _mm256_add_epi32(tile[row][0], _mm256_madd_epi16(factor, first));
      tile[row][1] = _mm256_add_epi32(tile[row][1], _mm256_madd_epi16(factor, second));
    }
  }
  const __m256i value = _mm256_set1_epi32(modulus.value);
  const __m256 inverse = _mm256_set1_ps(static_cast<float>(modulus.inverse));
  for (int row = 0; row < rows; ++row, sums += stride)
    for (std::ptrdiff_t half = 0; half < 2; ++half) {
      const __m256i sum = tile[row][half];
      const __m256i quotient = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(sum), inverse));
      __m256i residue = _mm256_sub_epi32(sum, _mm256_mullo_epi32(quotient, value));
      auto* const to = reinterpret_cast<__m256i*>(sums + 8 * half);
      if (onto == Onto::Sums) residue = _mm256_add_epi32(residue, _mm256_loadu_si256(to));
      _mm256_storeu_si256(to, residue);
    }
}

__attribute__((target("avx512f,avx512bw,avx512dq"))) void add_residues_avx512(
    const std::int16_t* left, const std::int16_t* right, std::int64_t pairs, const Modulus& modulus,
    std::int32_t* sums, std::int64_t stride, Onto onto) {
  constexpr int rows = 8;
  __m512i tile[rows][2];
  for (auto& row : tile) row[0] = row[1] = _mm512_setzero_si512();
  for (; pairs > 0; --pairs, left += std::ptrdiff_t{2} * rows, right += 64) {
    const __m512i first = _mm512_loadu_si512(right);
    const __m512i second = _mm512_loadu_si512(right + 32);
    for (int row = 0; row < rows; ++row) {
      std::int32_t pair;
      std::memcpy(&pair, left + std::ptrdiff_t{2} * row, sizeof pair);
      const __m512i factor = _mm512_set1_epi32(pair);
      tile[row][0] = _mm512_add_epi32(tile[row][0], _mm512_madd_epi16(factor, first));
      tile[row][1] = _mm512_add_epi32(tile[row][1], _mm512_madd_epi16(factor, second));
    }
  }
  const __m512i value = _mm512_set1_epi32(modulus.value);
  const __m512 inverse = _mm512_set1_ps(static_cast<float>(modulus.inverse));
  const __mmask16 old = onto == Onto::Sums ? 0xFFFF : 0;
  for (int row = 0; row < rows; ++row, sums += stride)
    for (std::ptrdiff_t half = 0; half < 2; ++half) {
      const __m512i sum = tile[row][half];
      const __m512i quotient = _mm512_maskz_cvtps_epi32(
          0xFFFF, _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xFFFF, sum), inverse));
      const __m512i residue = _mm512_sub_epi32(sum, _mm512_mullo_epi32(quotient, value));
      std::int32_t* const to = sums + 16 * half;
      _mm512_storeu_si512(to, _mm512_add_epi32(residue, _mm512_maskz_loadu_epi32(old, to)));
    }
}

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
    return {{8, 32}, add_residues_avx512, residues_avx512, digits_avx512, accumulate_avx2};
  }
  if (instructions >= InstructionSet::Avx2) {
    return {{4, 16}, add_residues_avx2, residues_avx2, digits_avx2, accumulate_avx2};
  }
#endif
  return {{plain_rows, plain_columns},
          add_residues,
          residues_portable,
          digits_portable,
          accumulate_portable};
}

}  // namespace gradproof::oracle
