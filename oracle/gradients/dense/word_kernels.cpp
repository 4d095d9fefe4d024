#include "oracle/gradients/dense/word_kernels.h"

#include <cstring>

namespace gradproof::oracle {
namespace {

using Integers = std::int64_t __attribute__((vector_size(words_at_once * sizeof(std::int64_t))));
using Words = std::uint64_t __attribute__((vector_size(words_at_once * sizeof(std::uint64_t))));
using Doubles = double __attribute__((vector_size(words_at_once * sizeof(double))));

/// Digits of magnitudes with the sign of the integer: x ^ s - s with s = x >> 63 (0 or -1) is |x|,
/// and the same step again restores the sign. The result is an argument, because how a vector is
/// returned depends on the instruction set.
__attribute__((always_inline)) inline void cut_digits(const std::int64_t* integers, DigitCut cut,
                                                      Integers& digits) {
  Integers values;
  std::memcpy(&values, integers, sizeof values);
  const Integers signs = values >> 63;
  const Integers magnitudes = (values ^ signs) - signs;
  digits = magnitudes >> cut.shift & cut.mask;
  digits = (digits ^ signs) - signs;
}

__attribute__((always_inline)) inline void as_doubles(const std::int64_t* integers,
                                                      std::int64_t count, DigitCut cut,
                                                      double* words) {
  for (std::int64_t i = 0; i < count; i += words_at_once) {
    Integers digits;
    cut_digits(integers + i, cut, digits);
    const auto converted = __builtin_convertvector(digits, Doubles);
    std::memcpy(words + i, &converted, sizeof converted);
  }
}

__attribute__((always_inline)) inline void as_digits(const std::int64_t* integers,
                                                     std::int64_t count, DigitCut cut,
                                                     std::uint64_t bias, std::uint64_t* words) {
  for (std::int64_t i = 0; i < count; i += words_at_once) {
    Integers digits;
    cut_digits(integers + i, cut, digits);
    const Words biased = reinterpret_cast<Words>(digits) + bias;
    std::memcpy(words + i, &biased, sizeof biased);
  }
}

/// Adding the bias modulo 2^64 maps [-2^51, 2^51) to [0, 2^52): the integers are used as they are,
/// without their signs taken out.
__attribute__((always_inline)) inline void as_biased(const std::int64_t* integers,
                                                     std::int64_t count, std::uint64_t bias,
                                                     std::uint64_t* words) {
  for (std::int64_t i = 0; i < count; i += words_at_once) {
    Words values;
    std::memcpy(&values, integers + i, sizeof values);
    values += bias;
    std::memcpy(words + i, &values, sizeof values);
  }
}

/// Column sums of `depth` lines of `width` words, modulo 2^64: overflows of partial sums cancel, as
/// addition modulo 2^64 is associative, so only the final sum has to fit.
template <typename Four>
__attribute__((always_inline)) inline void sum_by_four(const std::uint64_t* words,
                                                       std::int64_t depth, std::int64_t width,
                                                       std::uint64_t* sums) {
  constexpr std::int64_t lanes = sizeof(Four) / sizeof *sums;
  for (std::int64_t first = 0; first < width; first += lanes) {
    Four sum{};
    for (std::int64_t step = 0; step < depth; ++step) {
      Four more;
      std::memcpy(&more, words + step * width + first, sizeof more);
      sum += more;
    }
    std::memcpy(sums + first, &sum, sizeof sum);
  }
}

/// Modulo 2^64, as the words of biased integers need; vectors of four where the lines are no
/// multiple of eight.
__attribute__((always_inline)) inline void lines_summed(const std::uint64_t* words,
                                                        std::int64_t depth, std::int64_t width,
                                                        std::uint64_t* sums) {
  using Half = std::uint64_t __attribute__((vector_size(sizeof(Words) / 2)));
  if (width % words_at_once == 0) return sum_by_four<Words>(words, depth, width, sums);
  sum_by_four<Half>(words, depth, width, sums);
}

/// `Vector` holds words_at_once numbers.
template <typename Vector, typename Number>
__attribute__((always_inline)) inline void add_all(const Number* sums, std::int64_t count,
                                                   Number* to) {
  std::int64_t i = 0;
  for (; i + words_at_once <= count; i += words_at_once) {
    Vector total;
    Vector more;
    std::memcpy(&total, to + i, sizeof total);
    std::memcpy(&more, sums + i, sizeof more);
    total += more;
    std::memcpy(to + i, &total, sizeof total);
  }
  for (; i < count; ++i) to[i] += sums[i];
}

/// Lanes of two vectors: those of the second are numbered after those of the first. By reference,
/// because how vectors are passed depends on the instruction set.
template <int... lanes>
__attribute__((always_inline)) inline void choose(const Words& first, const Words& second,
                                                  Words& chosen) {
#if __has_builtin(__builtin_shufflevector)
  chosen = __builtin_shufflevector(first, second, lanes...);
#else  // GCC 11
  chosen = __builtin_shuffle(first, second, Words{lanes...});
#endif
}

/// 128-bit sums low + high * 2^52 from two 64-bit words: the lower word is low + (high << 52), with
/// a carry where that wraps around; the upper one (high >> 12) plus low's sign extension plus
/// carry.
__attribute__((always_inline)) inline void halves_joined(const std::uint64_t* low,
                                                         const std::uint64_t* high,
                                                         std::int64_t count, Int128* sums) {
  std::int64_t i = 0;
  for (; i + words_at_once <= count; i += words_at_once) {
    Words lows;
    Words highs;
    std::memcpy(&lows, low + i, sizeof lows);
    std::memcpy(&highs, high + i, sizeof highs);
    const Words raised = highs << 52U;
    const Words lower = lows + raised;
    const Integers carries = lower < raised;  // -1 where there is one
    const Integers signs = reinterpret_cast<Integers>(lows) >> 63;
    const auto upper =
        reinterpret_cast<Words>((reinterpret_cast<Integers>(highs) >> 12) + signs - carries);
    Words first;
    Words second;
    choose<0, 8, 1, 9, 2, 10, 3, 11>(lower, upper, first);
    choose<4, 12, 5, 13, 6, 14, 7, 15>(lower, upper, second);
    std::memcpy(sums + i, &first, sizeof first);
    std::memcpy(sums + i + words_at_once / 2, &second, sizeof second);
  }
  for (; i < count; ++i) {
    sums[i] = Int128{static_cast<std::int64_t>(high[i])} * (Int128{1} << 52U) +
              static_cast<std::int64_t>(low[i]);
  }
}

void doubles_portable(const std::int64_t* integers, std::int64_t count, DigitCut cut,
                      double* words) {
  as_doubles(integers, count, cut, words);
}
void digits_portable(const std::int64_t* integers, std::int64_t count, DigitCut cut,
                     std::uint64_t bias, std::uint64_t* words) {
  as_digits(integers, count, cut, bias, words);
}
void biased_portable(const std::int64_t* integers, std::int64_t count, std::uint64_t bias,
                     std::uint64_t* words) {
  as_biased(integers, count, bias, words);
}
void sum_lines_portable(const std::uint64_t* words, std::int64_t depth, std::int64_t width,
                        std::uint64_t* sums) {
  lines_summed(words, depth, width, sums);
}
void add_words_portable(const std::uint64_t* sums, std::int64_t count, std::uint64_t* to) {
  add_all<Words>(sums, count, to);
}
void add_doubles_portable(const double* sums, std::int64_t count, double* to) {
  add_all<Doubles>(sums, count, to);
}
void join_halves_portable(const std::uint64_t* low, const std::uint64_t* high, std::int64_t count,
                          Int128* sums) {
  halves_joined(low, high, count, sums);
}

#if defined(__x86_64__)

__attribute__((target("avx512f,avx512dq"))) void doubles_avx512(const std::int64_t* integers,
                                                                std::int64_t count, DigitCut cut,
                                                                double* words) {
  as_doubles(integers, count, cut, words);
}
__attribute__((target("avx512f,avx512dq"))) void digits_avx512(const std::int64_t* integers,
                                                               std::int64_t count, DigitCut cut,
                                                               std::uint64_t bias,
                                                               std::uint64_t* words) {
  as_digits(integers, count, cut, bias, words);
}
__attribute__((target("avx512f,avx512dq"))) void biased_avx512(const std::int64_t* integers,
                                                               std::int64_t count,
                                                               std::uint64_t bias,
                                                               std::uint64_t* words) {
  as_biased(integers, count, bias, words);
}
__attribute__((target("avx512f,avx512dq"))) void sum_lines_avx512(const std::uint64_t* words,
                                                                  std::int64_t depth,
                                                                  std::int64_t width,
                                                                  std::uint64_t* sums) {
  lines_summed(words, depth, width, sums);
}
__attribute__((target("avx512f,avx512dq"))) void add_words_avx512(const std::uint64_t* sums,
                                                                  std::int64_t count,
                                                                  std::uint64_t* to) {
  add_all<Words>(sums, count, to);
}
__attribute__((target("avx512f,avx512dq"))) void add_doubles_avx512(const double* sums,
                                                                    std::int64_t count,
                                                                    double* to) {
  add_all<Doubles>(sums, count, to);
}
__attribute__((target("avx512f,avx512dq"))) void join_halves_avx512(const std::uint64_t* low,
                                                                    const std::uint64_t* high,
                                                                    std::int64_t count,
                                                                    Int128* sums) {
  halves_joined(low, high, count, sums);
}

#endif

}  // namespace

WordKernels word_kernels([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) {
    return {doubles_avx512,   digits_avx512,      biased_avx512,     sum_lines_avx512,
            add_words_avx512, add_doubles_avx512, join_halves_avx512};
  }
#endif
  return {doubles_portable,   digits_portable,      biased_portable,     sum_lines_portable,
          add_words_portable, add_doubles_portable, join_halves_portable};
}

}  // namespace gradproof::oracle
