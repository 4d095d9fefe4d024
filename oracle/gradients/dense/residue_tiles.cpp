#include "oracle/gradients/dense/residue_tiles.h"

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gradproof::oracle {
namespace {

constexpr std::ptrdiff_t plain_rows = 4;
constexpr std::ptrdiff_t plain_columns = 8;
using PlainTile = std::array<std::array<std::int32_t, plain_columns>, plain_rows>;

#if defined(__x86_64__)

/// Multiplies with instructions that every processor of its kind has.
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

/// Multiplies by sums of even and of odd steps side by side, as the words lie; they are added at
/// the end. Compilers make widening multiply-adds of it (SMLAL).
void multiply(const std::int16_t* left, const std::int16_t* right, std::int64_t pairs,
              PlainTile& tile) {
  using Words = std::int16_t __attribute__((vector_size(8)));
  using Sums = std::int32_t __attribute__((vector_size(16)));
  constexpr std::ptrdiff_t parts = plain_columns / 2;
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

#endif

}  // namespace

ResidueTiles residue_tiles([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) return {{8, 32}, add_residues_avx512};
  if (instructions >= InstructionSet::Avx2) return {{4, 16}, add_residues_avx2};
#endif
  return {{plain_rows, plain_columns}, add_residues};
}

}  // namespace gradproof::oracle
