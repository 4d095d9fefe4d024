#include "oracle/operands/bulk_conversion.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "oracle/sums/accumulators.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gradproof::oracle {
namespace {

/// Beyond the exponents of all formats: the neutral element of minimum and maximum.
constexpr int beyond_all = 1 << 20;
constexpr Extent nothing_yet{.unit = beyond_all, .top = -beyond_all, .lowest_leading = beyond_all};

/// The reference: minimum and maximum over the numbers that are finite and not zero.
void widen(Extent& extent, std::span<const Number> numbers) {
  for (const Number& number : numbers) {
    // No branches: which numbers are zero is hard to foresee in sparse data.
    const bool counts = number.is_finite() && number.significand != 0;
    const int top = number.exponent + static_cast<int>(std::bit_width(number.significand));
    extent.non_finite += number.is_finite() ? 0 : 1;
    extent.non_zeros += counts ? 1 : 0;
    extent.unit = std::min(extent.unit, counts ? number.exponent : beyond_all);
    extent.top = std::max(extent.top, counts ? top : -beyond_all);
    extent.lowest_leading = std::min(extent.lowest_leading, counts ? top - 1 : beyond_all);
  }
}

/// The reference of integers_avx512.
void convert_rest(std::span<const Number> numbers, int unit, std::int64_t* integers) {
  for (const Number& number : numbers) *integers++ = integer_of(number, unit);
}

#if defined(__x86_64__)

constexpr std::size_t at_once = 16;
using Lanes = std::int32_t __attribute__((vector_size(64)));
static_assert(sizeof(Number) == 12 && offsetof(Number, kind) == 0 &&
                  offsetof(Number, negative) == 1 && offsetof(Number, significand) == 4 &&
                  offsetof(Number, exponent) == 8,
              "a number is three words");

/// Sixteen numbers, word by word: 48 words of three vectors, of which every third belongs together.
struct SplitNumbers {
  __m512i heads;  ///< kind and sign in the lowest two bytes, then padding
  __m512i significands, exponents;
};

/// Two permutations for each of the three words: the first takes what lies in the first two
/// vectors, the second adds what lies in the third.
__attribute__((target("avx512f,avx512dq,avx512cd"))) inline SplitNumbers split(
    const Number* numbers) {
  const auto* const words = reinterpret_cast<const std::int32_t*>(numbers);
  const __m512i first = _mm512_loadu_si512(words);
  const __m512i second = _mm512_loadu_si512(words + 16);
  const __m512i third = _mm512_loadu_si512(words + 32);
  const __m512i of_two = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i heads_of_all =
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
  const __m512i significands_of_all =
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
  const __m512i exponents_of_all =
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
  const __m512i significands_of_two = _mm512_add_epi32(of_two, one);
  const __m512i exponents_of_two = _mm512_add_epi32(significands_of_two, one);
  return {_mm512_permutex2var_epi32(_mm512_permutex2var_epi32(first, of_two, second), heads_of_all,
                                    third),
          _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(first, significands_of_two, second),
                                    significands_of_all, third),
          _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(first, exponents_of_two, second),
                                    exponents_of_all, third)};
}

/// The reference, sixteen lanes at once: the same minima and maxima in another order, which changes
/// nothing. 32 - lzcnt is the bit width.
__attribute__((target("avx512f,avx512dq,avx512cd"))) Extent extent_avx512(
    std::span<const Number> numbers) {
  Extent extent = nothing_yet;
  __m512i unit = _mm512_set1_epi32(beyond_all);
  __m512i lowest_top = unit;
  __m512i top = _mm512_set1_epi32(-beyond_all);
  const __m512i kind = _mm512_set1_epi32(0xFF);
  const __m512i word_bits = _mm512_set1_epi32(32);
  std::size_t index = 0;
  for (; index + at_once <= numbers.size(); index += at_once) {
    const SplitNumbers split_numbers = split(numbers.data() + index);
    const __mmask16 is_finite = _mm512_testn_epi32_mask(split_numbers.heads, kind);
    const __mmask16 counts = _mm512_mask_test_epi32_mask(is_finite, split_numbers.significands,
                                                         split_numbers.significands);
    const __m512i width =
        _mm512_sub_epi32(word_bits, _mm512_lzcnt_epi32(split_numbers.significands));
    const __m512i tops = _mm512_add_epi32(split_numbers.exponents, width);
    extent.non_finite += at_once - static_cast<std::size_t>(std::popcount(is_finite));
    extent.non_zeros += static_cast<std::size_t>(std::popcount(counts));
    unit = _mm512_mask_min_epi32(unit, counts, unit, split_numbers.exponents);
    top = _mm512_mask_max_epi32(top, counts, top, tops);
    lowest_top = _mm512_mask_min_epi32(lowest_top, counts, lowest_top, tops);
  }
  for (std::size_t lane = 0; lane < at_once; ++lane) {
    extent.unit = std::min(extent.unit, reinterpret_cast<Lanes>(unit)[lane]);
    extent.top = std::max(extent.top, reinterpret_cast<Lanes>(top)[lane]);
    extent.lowest_leading =
        std::min(extent.lowest_leading, reinterpret_cast<Lanes>(lowest_top)[lane] - 1);
  }
  widen(extent, numbers.subspan(index));
  return extent;
}

using HalfOfWords = std::uint32_t __attribute__((vector_size(32)));
using Integers = std::int64_t __attribute__((vector_size(64)));

/// The intrinsic without a mask makes GCC 12 warn of its own uninitialized operand.
template <int half_of_vector>
__attribute__((target("avx512f,avx512dq,avx512cd"))) inline __m256i half(__m512i words) {
  return _mm512_maskz_extracti64x4_epi64(0xFF, words, half_of_vector);
}

/// Eight numbers as integers.
__attribute__((target("avx512f,avx512dq,avx512cd"))) inline void store_integers(
    __m256i significands, __m256i shifts, unsigned is_negative, std::int64_t* integers) {
  const auto units = __builtin_convertvector(reinterpret_cast<HalfOfWords>(significands), Integers)
                     << __builtin_convertvector(reinterpret_cast<HalfOfWords>(shifts), Integers);
  const auto magnitudes = reinterpret_cast<__m512i>(units);
  _mm512_storeu_si512(integers,
                      _mm512_mask_sub_epi64(magnitudes, static_cast<__mmask8>(is_negative),
                                            _mm512_setzero_si512(), magnitudes));
}

/// The mask `sign` tests the byte of `negative`.
/// A zero is shifted by 0.
__attribute__((target("avx512f,avx512dq,avx512cd"))) void integers_avx512(
    std::span<const Number> numbers, int unit, std::int64_t* integers) {
  const __m512i units = _mm512_set1_epi32(unit);
  const __m512i sign = _mm512_set1_epi32(0xFF00);
  std::size_t index = 0;
  for (; index + at_once <= numbers.size(); index += at_once) {
    const SplitNumbers all = split(numbers.data() + index);
    const unsigned is_negative = _mm512_test_epi32_mask(all.heads, sign);
    const __mmask16 is_not_zero = _mm512_test_epi32_mask(all.significands, all.significands);
    const __m512i shifts = _mm512_maskz_sub_epi32(is_not_zero, all.exponents, units);
    store_integers(half<0>(all.significands), half<0>(shifts), is_negative, integers + index);
    store_integers(half<1>(all.significands), half<1>(shifts), is_negative >> 8U,
                   integers + index + 8);
  }
  convert_rest(numbers.subspan(index), unit, integers + index);
}

#endif

Extent extent_in(std::span<const Number> numbers, [[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) return extent_avx512(numbers);
#endif
  Extent extent = nothing_yet;
  widen(extent, numbers);
  return extent;
}

}  // namespace

Extent extent_of(std::span<const Number> numbers, InstructionSet instructions) {
  const Extent extent = extent_in(numbers, instructions);
  if (extent.non_zeros == 0) return {.non_finite = extent.non_finite};
  return extent;
}

void integers_of(std::span<const Number> numbers, int unit, std::int64_t* integers,
                 [[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) return integers_avx512(numbers, unit, integers);
#endif
  convert_rest(numbers, unit, integers);
}

}  // namespace gradproof::oracle
