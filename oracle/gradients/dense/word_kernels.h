#pragma once

#include <cstdint>

#include "oracle/numbers/instruction_set.h"
#include "oracle/numbers/int128.h"

namespace gradproof::oracle {

/// One digit of integers' magnitudes, with their signs: `mask` says how wide it is, the shift where
/// it is found.
struct DigitCut {
  int shift = 0;
  std::int64_t mask = 0;
};

/// Conversions take a multiple of so many integers.
inline constexpr std::int64_t words_at_once = 8;

/// Steps on integers, words and sums that lie one after the other, `count` of them.
struct WordKernels {
  /// Digits in doubles.
  void (*doubles)(const std::int64_t* integers, std::int64_t count, DigitCut cut, double* words);
  /// Digits plus a bias.
  void (*digits)(const std::int64_t* integers, std::int64_t count, DigitCut cut, std::uint64_t bias,
                 std::uint64_t* words);
  /// Integers plus a bias.
  void (*biased)(const std::int64_t* integers, std::int64_t count, std::uint64_t bias,
                 std::uint64_t* words);
  /// Sums each of `width` lines of words, side by side, modulo 2^64. `width` is a multiple of 4.
  void (*sum_lines)(const std::uint64_t* words, std::int64_t depth, std::int64_t width,
                    std::uint64_t* sums);
  /// Adds sums to others, modulo 2^64.
  void (*add_words)(const std::uint64_t* sums, std::int64_t count, std::uint64_t* to);
  void (*add_doubles)(const double* sums, std::int64_t count, double* to);
  /// high * 2^52 + low, both signed.
  void (*join_halves)(const std::uint64_t* low, const std::uint64_t* high, std::int64_t count,
                      Int128* sums);
};

/// Kernels for the widest instructions up to these; all give the same bits.
WordKernels word_kernels(InstructionSet instructions);

}  // namespace gradproof::oracle
