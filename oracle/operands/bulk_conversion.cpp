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

/// Widens an extent, as the reference: by minimum and maximum of finite non-zero numbers.
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

/// Converts the rest, as the reference of integers_avx512.
void convert_rest(std::span<const Number> numbers, int unit, std::int64_t* integers) {
  for (const Number& number : numbers) *integers++ = integer_of(number, unit);
}

#if defined(__x86_64__)

constexpr std::size_t at_once = 8;
using Lanes = std::int64_t __attribute__((vector_size(64)));
static_assert(sizeof(Number) == 16 && offsetof(Number, kind) == 0 &&
                  offsetof(Number, negative) == 1 && offsetof(Number, exponent) == 4 &&
                  offsetof(Number, significand) == 8,
              "a number is two words of 64 bits");

/// Eight numbers, word by word: 16 words of two vectors, of which every other belongs together.
struct SplitNumbers {
  __m512i
      heads;  ///< kind and sign in the lowest two bytes, then padding; exponent in the upper half
  __m512i significands;

  __attribute__((target("avx512f,avx512dq,avx512cd"))) __m512i exponents() const {
    return _mm512_maskz_srai_epi64(0xFF, heads, 32);  // unmasked, GCC 12 warns of its own operand
  }
};

__attribute__((target("avx512f,avx512dq,avx512cd"))) inline SplitNumbers split(
    const Number* numbers) {
  const auto* const words = reinterpret_cast<const std::int64_t*>(numbers);
  const __m512i first = _mm512_loadu_si512(words);
  const __m512i second = _mm512_loadu_si512(words + 8);
  const __m512i of_heads = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i of_significands = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  return {_mm512_permutex2var_epi64(first, of_heads, second),
          _mm512_permutex2var_epi64(first, of_significands, second)};
}

/// The reference, eight lanes at once: the same minima and maxima in another order, which changes
/// nothing. 64 - lzcnt is the bit width.
__attribute__((target("avx512f,avx512dq,avx512cd"))) Extent extent_avx512(
    std::span<const Number> numbers) {
  Extent extent = nothing_yet;
  __m512i unit = _mm512_set1_epi64(beyond_all);
  __m512i lowest_top = unit;
  __m512i top = _mm512_set1_epi64(-beyond_all);
  const __m512i kind = _mm512_set1_epi64(0xFF);
  const __m512i word_bits = _mm512_set1_epi64(64);
  std::size_t index = 0;
  for (; index + at_once <= numbers.size(); index += at_once) {
    const SplitNumbers all = split(numbers.data() + index);
    const __mmask8 is_finite = _mm512_testn_epi64_mask(all.heads, kind);
    const __mmask8 counts =
        _mm512_mask_test_epi64_mask(is_finite, all.significands, all.significands);
    const __m512i width = _mm512_sub_epi64(word_bits, _mm512_lzcnt_epi64(all.significands));
    const __m512i exponents = all.exponents();
    const __m512i tops = _mm512_add_epi64(exponents, width);
    extent.non_finite += at_once - static_cast<std::size_t>(std::popcount(is_finite));
    extent.non_zeros += static_cast<std::size_t>(std::popcount(counts));
    unit = _mm512_mask_min_epi64(unit, counts, unit, exponents);
    top = _mm512_mask_max_epi64(top, counts, top, tops);
    lowest_top = _mm512_mask_min_epi64(lowest_top, counts, lowest_top, tops);
  }
  const auto units = reinterpret_cast<Lanes>(unit);
  const auto all_tops = reinterpret_cast<Lanes>(top);
  const auto lowest_tops = reinterpret_cast<Lanes>(lowest_top);
  for (std::size_t lane = 0; lane < at_once; ++lane) {
    extent.unit = std::min(extent.unit, static_cast<int>(units[lane]));
    extent.top = std::max(extent.top, static_cast<int>(all_tops[lane]));
    extent.lowest_leading =
        std::min(extent.lowest_leading, static_cast<int>(lowest_tops[lane]) - 1);
  }
  widen(extent, numbers.subspan(index));
  return extent;
}

/// The mask `sign` tests the byte of `negative`.
/// A zero is shifted by 0.
__attribute__((target("avx512f,avx512dq,avx512cd"))) void integers_avx512(
    std::span<const Number> numbers, int unit, std::int64_t* integers) {
  const __m512i units = _mm512_set1_epi64(unit);
  const __m512i sign = _mm512_set1_epi64(0xFF00);
  std::size_t index = 0;
  for (; index + at_once <= numbers.size(); index += at_once) {
    const SplitNumbers all = split(numbers.data() + index);
    const __mmask8 is_negative = _mm512_test_epi64_mask(all.heads, sign);
    const __mmask8 is_not_zero = _mm512_test_epi64_mask(all.significands, all.significands);
    const __m512i shifts = _mm512_maskz_sub_epi64(is_not_zero, all.exponents(), units);
    const __m512i magnitudes = _mm512_maskz_sllv_epi64(0xFF, all.significands, shifts);
    _mm512_storeu_si512(
        integers + index,
        _mm512_mask_sub_epi64(magnitudes, is_negative, _mm512_setzero_si512(), magnitudes));
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
