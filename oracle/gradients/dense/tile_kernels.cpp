#include "oracle/gradients/dense/tile_kernels.h"

#include <array>

#include "oracle/numbers/int128.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gradproof::oracle {
namespace {

constexpr std::uint64_t low_mask = (std::uint64_t{1} << 52U) - 1;

/// Adds products in doubles. No sum of products reaches 2^53 (SlicedDoubles), so nothing rounds:
/// the compiler may vectorise and fuse as it likes.
template <int rows, int columns>
void add_doubles(const double* left, const double* right, std::int64_t depth, double* sums,
                 std::int64_t stride, Onto onto) {
  std::array<std::array<double, columns>, rows> tile{};
  for (; depth > 0; --depth, left += rows, right += columns)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        tile[row][column] += left[row] * right[column];
      }
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      double& sum = sums[row * stride + column];
      sum = tile[row][column] + (onto == Onto::Sums ? sum : 0);
    }
}

/// Adds the sum of biased products, less what the bias adds: with u = a + bias and v = b + bias,
/// sum of a b = sum of u v - bias (sum of u + sum of v) + depth * bias^2. bias = 2^51: in units of
/// 2^52, bias * words is words / 2, whose odd half unit is taken from the low part as 2^51, and
/// depth * bias^2 is depth * 2^50. The depth is at most 1024 = ifma_longest_depth: sums of biased
/// products are below 2^114, sums of words below 2^62 and their sum below 2^63. `high` may wrap
/// below 0 in between; modulo 2^64 the final sum is right, because the true one fits.
template <int rows, int columns>
void add_integers(const std::uint64_t* left, const std::uint64_t* right, std::int64_t depth,
                  std::uint64_t* low, std::uint64_t* high, std::int64_t stride, Onto onto) {
  const std::uint64_t* left_sums = left + depth * rows;
  const std::uint64_t* right_sums = right + depth * columns;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      Uint128 sum = 0;
      for (std::int64_t step = 0; step < depth; ++step) {
        sum += Uint128{left[step * rows + row]} * right[step * columns + column];
      }
      const std::uint64_t words = left_sums[row] + right_sums[column];
      const std::int64_t place = row * stride + column;
      if (onto == Onto::Nothing) low[place] = high[place] = 0;
      low[place] += (static_cast<std::uint64_t>(sum) & low_mask) - ((words & 1U) << 51U);
      high[place] += static_cast<std::uint64_t>(sum >> 52U) - (words >> 1U) +
                     (static_cast<std::uint64_t>(depth) << 50U);
    }
}

/// Adds modulo 2^64, where the true sums fit; the words behind the panels take the biases out again
/// (NarrowIntegers::line_word).
/// Shape: left[step][row], right[step][column]; the line words follow the last step.
template <int rows, int columns>
void add_narrow(const std::uint64_t* left, const std::uint64_t* right, std::int64_t depth,
                std::uint64_t* sums, std::int64_t stride, Onto onto) {
  const std::uint64_t* left_more = left + depth * rows;
  const std::uint64_t* right_more = right + depth * columns;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      std::uint64_t sum = left_more[row] + right_more[column];
      for (std::int64_t step = 0; step < depth; ++step) {
        sum += left[step * rows + row] * right[step * columns + column];
      }
      std::uint64_t& place = sums[row * stride + column];
      place = sum + (onto == Onto::Sums ? place : 0);
    }
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) void add_doubles_avx2(const double* left, const double* right,
                                                          std::int64_t depth, double* sums,
                                                          std::int64_t stride, Onto onto) {
  constexpr int rows = 4;
  __m256d tile[rows][2];  // std::array of vectors warns
  for (auto& row : tile) row[0] = row[1] = _mm256_setzero_pd();
  for (; depth > 0; --depth, left += rows, right += 8) {
    const __m256d first = _mm256_loadu_pd(right);
    const __m256d second = _mm256_loadu_pd(right + 4);
    for (int row = 0; row < rows; ++row) {
      const __m256d factor = _mm256_broadcast_sd(left + row);
      tile[row][0] = _mm256_fmadd_pd(factor, first, tile[row][0]);
      tile[row][1] = _mm256_fmadd_pd(factor, second, tile[row][1]);
    }
  }
  for (int row = 0; row < rows; ++row, sums += stride) {
    if (onto == Onto::Sums) {
      tile[row][0] = _mm256_add_pd(_mm256_loadu_pd(sums), tile[row][0]);
      tile[row][1] = _mm256_add_pd(_mm256_loadu_pd(sums + 4), tile[row][1]);
    }
    _mm256_storeu_pd(sums, tile[row][0]);
    _mm256_storeu_pd(sums + 4, tile[row][1]);
  }
}

// Tiles of the kernels below are as large as registers allow: 8 x 2 vectors of sums of AVX-512's 32
// (4 x 2 of two halves for 52-bit integers), 4 x 2 of AVX2's 16; the rest holds the factors.

/// Lanes that are read of what a tile is added to.
/// Masked loads read nothing and give zeros, so that what was never written is not read.
__mmask8 mask_of_old(Onto onto) { return onto == Onto::Sums ? 0xFF : 0; }

__attribute__((target("avx512f,avx512dq"))) void add_doubles_avx512(
    const double* left, const double* right, std::int64_t depth, double* sums, std::int64_t stride,
    Onto onto) {
  constexpr int rows = 8;
  __m512d tile[rows][2];
  for (auto& row : tile) row[0] = row[1] = _mm512_setzero_pd();
  for (; depth > 0; --depth, left += rows, right += 16) {
    const __m512d first = _mm512_loadu_pd(right);
    const __m512d second = _mm512_loadu_pd(right + 8);
    for (int row = 0; row < rows; ++row) {
      const __m512d factor = _mm512_set1_pd(left[row]);
      tile[row][0] = _mm512_fmadd_pd(factor, first, tile[row][0]);
      tile[row][1] = _mm512_fmadd_pd(factor, second, tile[row][1]);
    }
  }
  const __mmask8 old = mask_of_old(onto);
  for (int row = 0; row < rows; ++row, sums += stride) {
    _mm512_storeu_pd(sums, _mm512_add_pd(_mm512_maskz_loadu_pd(old, sums), tile[row][0]));
    _mm512_storeu_pd(sums + 8, _mm512_add_pd(_mm512_maskz_loadu_pd(old, sums + 8), tile[row][1]));
  }
}

using Words = std::uint64_t __attribute__((vector_size(64)));

/// One vector of sums of products, rid of its bias, added to a tile.
__attribute__((target("avx512f,avx512dq,avx512ifma"))) inline void add_unbiased(
    __m512i product_low, __m512i product_high, __m512i sums_of_words, std::uint64_t depth,
    __mmask8 old, std::uint64_t* low, std::uint64_t* high) {
  const auto lows = reinterpret_cast<Words>(product_low);
  const auto highs = reinterpret_cast<Words>(product_high);
  const auto words = reinterpret_cast<Words>(sums_of_words);
  const Words more_low = (lows & low_mask) - ((words & 1U) << 51U);
  const Words more_high = highs + (lows >> 52U) - (words >> 1U) + (depth << 50U);
  const auto old_low = reinterpret_cast<Words>(_mm512_maskz_loadu_epi64(old, low));
  const auto old_high = reinterpret_cast<Words>(_mm512_maskz_loadu_epi64(old, high));
  _mm512_storeu_si512(low, reinterpret_cast<__m512i>(old_low + more_low));
  _mm512_storeu_si512(high, reinterpret_cast<__m512i>(old_high + more_high));
}

/// Adds by 52-bit multiply-adds: up to ifma_longest_depth halves below 2^52, sums below 2^62.
__attribute__((target("avx512f,avx512dq,avx512ifma"))) void add_integers_ifma(
    const std::uint64_t* left, const std::uint64_t* right, std::int64_t depth, std::uint64_t* low,
    std::uint64_t* high, std::int64_t stride, Onto onto) {
  constexpr int rows = 4;
  __m512i lows[rows][2];
  __m512i highs[rows][2];
  for (int row = 0; row < rows; ++row) {
    lows[row][0] = lows[row][1] = highs[row][0] = highs[row][1] = _mm512_setzero_si512();
  }
  for (std::int64_t step = 0; step < depth; ++step, left += rows, right += 16) {
    const __m512i first = _mm512_loadu_si512(right);
    const __m512i second = _mm512_loadu_si512(right + 8);
    for (int row = 0; row < rows; ++row) {
      const __m512i factor = _mm512_set1_epi64(static_cast<long long>(left[row]));
      lows[row][0] = _mm512_madd52lo_epu64(lows[row][0], factor, first);
      lows[row][1] = _mm512_madd52lo_epu64(lows[row][1], factor, second);
      highs[row][0] = _mm512_madd52hi_epu64(highs[row][0], factor, first);
      highs[row][1] = _mm512_madd52hi_epu64(highs[row][1], factor, second);
    }
  }
  const __mmask8 old = mask_of_old(onto);
  for (int row = 0; row < rows; ++row, low += stride, high += stride) {
    const __m512i of_row = _mm512_set1_epi64(static_cast<long long>(left[row]));
    for (std::ptrdiff_t half = 0; half < 2; ++half) {
      const __m512i words = _mm512_add_epi64(of_row, _mm512_loadu_si512(right + 8 * half));
      add_unbiased(lows[row][half], highs[row][half], words, static_cast<std::uint64_t>(depth), old,
                   low + 8 * half, high + 8 * half);
    }
  }
}

__attribute__((target("avx512f,avx512dq,avx512ifma"))) void add_narrow_ifma(
    const std::uint64_t* left, const std::uint64_t* right, std::int64_t depth, std::uint64_t* sums,
    std::int64_t stride, Onto onto) {
  constexpr int rows = 8;
  __m512i tile[rows][2];
  for (auto& row : tile) row[0] = row[1] = _mm512_setzero_si512();
  for (; depth > 0; --depth, left += rows, right += 16) {
    const __m512i first = _mm512_loadu_si512(right);
    const __m512i second = _mm512_loadu_si512(right + 8);
    for (int row = 0; row < rows; ++row) {
      const __m512i factor = _mm512_set1_epi64(static_cast<long long>(left[row]));
      tile[row][0] = _mm512_madd52lo_epu64(tile[row][0], factor, first);
      tile[row][1] = _mm512_madd52lo_epu64(tile[row][1], factor, second);
    }
  }
  const __mmask8 old = mask_of_old(onto);
  for (int row = 0; row < rows; ++row, sums += stride) {
    const __m512i of_row = _mm512_set1_epi64(static_cast<long long>(left[row]));
    for (std::ptrdiff_t half = 0; half < 2; ++half) {
      const __m512i more = _mm512_add_epi64(of_row, _mm512_loadu_si512(right + 8 * half));
      const __m512i before = _mm512_maskz_loadu_epi64(old, sums + 8 * half);
      _mm512_storeu_si512(sums + 8 * half,
                          _mm512_add_epi64(_mm512_add_epi64(before, more), tile[row][half]));
    }
  }
}

#endif

}  // namespace

DoubleKernel double_kernel([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) return {{8, 16}, add_doubles_avx512};
  if (instructions >= InstructionSet::Avx2) return {{4, 8}, add_doubles_avx2};
#endif
  return {{4, 4}, add_doubles<4, 4>};
}

IfmaKernel ifma_kernel([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512Ifma) return {{4, 16}, add_integers_ifma};
#endif
  return {{4, 16}, add_integers<4, 16>};
}

NarrowKernel narrow_kernel([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512Ifma) return {{8, 16}, add_narrow_ifma};
#endif
  return {{8, 16}, add_narrow<8, 16>};
}

}  // namespace gradproof::oracle
