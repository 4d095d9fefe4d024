#include "oracle/gradients/binned/bin_sums.h"

#include <algorithm>
#include <cstring>

namespace gradproof::oracle {
namespace {

/// One 64-bit integer for each of some lanes: as many as AVX-512, AVX2, and SSE2 or NEON have in a
/// register.
using EightLanes = std::int64_t __attribute__((vector_size(64)));
using FourLanes = std::int64_t __attribute__((vector_size(32)));
using TwoLanes = std::int64_t __attribute__((vector_size(16)));
static_assert(sizeof(EightLanes) == bin_lanes * sizeof(std::int64_t));

/// Sums over one digit's rows of bins: those of their lower and of their upper 32 bits, each times
/// its weight. A bin is b = (b mod 2^32) + 2^32 * floor(b / 2^32), so the upper part belongs to the
/// next digit. A digit has 32 / quantum rows with weights 2^(quantum * row): each sum is below 2^32
/// * 2^32 / (2^quantum - 1), which with a quantum of at least 4 is below 2^61.
template <typename Lanes>
struct FoldedRows {
  Lanes low, high;
};

template <int quantum, typename Lanes>
__attribute__((always_inline)) inline void fold_digit(std::int64_t* rows, std::int64_t count,
                                                      FoldedRows<Lanes>& folded) {
  Lanes low{};
  Lanes high{};
  for (std::int64_t row = count - 1; row >= 0; --row) {  // Horner's scheme
    Lanes bin;
    std::memcpy(&bin, rows + row * bin_lanes, sizeof bin);
    std::memset(rows + row * bin_lanes, 0, sizeof bin);
    low = (low << quantum) + (bin & 0xFFFFFFFF);
    high = (high << quantum) + (bin >> 32);
  }
  folded = {low, high};
}

/// Adds the rows to the digits and leaves each digit in [0, 2^32): total = carry * 2^32 + kept. The
/// carry out of the last digit is the sign's extension and is dropped (two's complement).
/// The quantum is a template parameter because shifts by a constant take half as long.
template <int quantum, typename Lanes>
__attribute__((always_inline)) inline void fold_rows(std::int64_t* rows, std::int64_t row_count,
                                                     std::int64_t* digits,
                                                     std::int64_t digit_count) {
  constexpr std::int64_t rows_each = 32 / quantum;
  FoldedRows<Lanes> folded{};
  Lanes carry{};
  for (std::int64_t digit = 0; digit < digit_count; ++digit) {
    const Lanes above = folded.high;  // of the digit below
    const std::int64_t first = std::min(digit * rows_each, row_count);
    fold_digit<quantum, Lanes>(rows + first * bin_lanes, std::min(rows_each, row_count - first),
                               folded);
    Lanes total;
    std::memcpy(&total, digits + digit * bin_lanes, sizeof total);
    total += folded.low + above + carry;
    const Lanes kept = total & 0xFFFFFFFF;
    std::memcpy(digits + digit * bin_lanes, &kept, sizeof kept);
    carry = total >> 32;
  }
}

/// Joins digits 2 i and 2 i + 1, each in [0, 2^32), into 64-bit words, in place.
__attribute__((always_inline)) inline void pair_digits(std::int64_t* digits, std::int64_t pairs) {
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    EightLanes low;
    EightLanes high;
    std::memcpy(&low, digits + 2 * pair * bin_lanes, sizeof low);
    std::memcpy(&high, digits + (2 * pair + 1) * bin_lanes, sizeof high);
    low |= high << 32;
    std::memcpy(digits + pair * bin_lanes, &low, sizeof low);
  }
  std::memset(digits + pairs * bin_lanes, 0,
              static_cast<std::size_t>(pairs * bin_lanes) * sizeof *digits);
}

void pair_portable(std::int64_t* digits, std::int64_t pairs) { pair_digits(digits, pairs); }

/// All lanes, as many at once as a vector has.
template <typename Lanes>
__attribute__((always_inline)) inline void fold_by_quantum(std::int64_t* rows,
                                                           std::int64_t row_count, int log_quantum,
                                                           std::int64_t* digits,
                                                           std::int64_t digit_count) {
  constexpr std::int64_t at_once = sizeof(Lanes) / sizeof(std::int64_t);
  for (std::int64_t lane = 0; lane < bin_lanes;
       lane += at_once, rows += at_once, digits += at_once) {
    if (log_quantum == 2) {
      fold_rows<4, Lanes>(rows, row_count, digits, digit_count);
    } else if (log_quantum == 3) {
      fold_rows<8, Lanes>(rows, row_count, digits, digit_count);
    } else {
      fold_rows<16, Lanes>(rows, row_count, digits, digit_count);
    }
  }
}

void fold_portable(std::int64_t* rows, std::int64_t row_count, int log_quantum,
                   std::int64_t* digits, std::int64_t digit_count) {
  fold_by_quantum<TwoLanes>(rows, row_count, log_quantum, digits, digit_count);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) void fold_avx2(std::int64_t* rows, std::int64_t row_count,
                                               int log_quantum, std::int64_t* digits,
                                               std::int64_t digit_count) {
  fold_by_quantum<FourLanes>(rows, row_count, log_quantum, digits, digit_count);
}

__attribute__((target("avx512f,avx512dq"))) void fold_avx512(std::int64_t* rows,
                                                             std::int64_t row_count,
                                                             int log_quantum, std::int64_t* digits,
                                                             std::int64_t digit_count) {
  fold_by_quantum<EightLanes>(rows, row_count, log_quantum, digits, digit_count);
}

__attribute__((target("avx512f,avx512dq"))) void pair_avx512(std::int64_t* digits,
                                                             std::int64_t pairs) {
  pair_digits(digits, pairs);
}

#endif

/// The places of a left and a right word add up to the bin of the sum of their exponents, in the
/// lane of the right word.
/// A place is row * bin_lanes, plus the lane in a right word, so that adding two places adds their
/// rows. Words are below 2^31 in magnitude, products below 2^62.
void add_products(const BinWord* left, const BinWord* right, std::int64_t stride,
                  std::int64_t count, std::int64_t* rows) {
  for (std::int64_t step = 0; step < count; ++step, right += stride) {
    const std::int64_t factor = left[step].significand;
    std::int64_t* const row = rows + left[step].place;
    for (std::int64_t lane = 0; lane < bin_lanes; ++lane) {
      row[right[lane].place] += factor * right[lane].significand;
    }
  }
}

/// Rows for two sums at once: what is read of the right operand serves both.
struct Pair {
  const BinWord* left;
  std::int64_t* rows;
};

void add_products(const Pair& one, const Pair& other, const BinWord* right, std::int64_t stride,
                  std::int64_t count) {
  for (std::int64_t step = 0; step < count; ++step, right += stride) {
    const std::int64_t factor = one.left[step].significand;
    const std::int64_t other_factor = other.left[step].significand;
    std::int64_t* const row = one.rows + one.left[step].place;
    std::int64_t* const other_row = other.rows + other.left[step].place;
    for (std::int64_t lane = 0; lane < bin_lanes; ++lane) {
      const std::int64_t significand = right[lane].significand;
      row[right[lane].place] += factor * significand;
      other_row[right[lane].place] += other_factor * significand;
    }
  }
}

}  // namespace

BinKernel bin_kernel([[maybe_unused]] InstructionSet instructions) {
#if defined(__x86_64__)
  if (instructions >= InstructionSet::Avx512) return {fold_avx512, pair_avx512};
  if (instructions >= InstructionSet::Avx2) return {fold_avx2, pair_portable};
#endif
  return {fold_portable, pair_portable};
}

BinSums::BinSums(const BinPlan& plan, InstructionSet instructions)
    : plan_(plan),
      kernel_(bin_kernel(instructions)),
      rows_(static_cast<std::size_t>(plan.rows() * bin_lanes)),
      digits_(2 * plan.digit_pairs() * bin_lanes) {}

/// Folds after every `depth` products: more could overflow a row.
void BinSums::add(const BinWord* left, const BinWord* right, std::int64_t stride,
                  std::int64_t count) {
  while (count > 0) {
    const std::int64_t now = std::min(count, plan_.depth() - added_);
    add_products(left, right, stride, now, rows_.data());
    added_ += now;
    count -= now;
    left += now;
    right += now * stride;
    if (added_ == plan_.depth()) fold();
  }
}

/// Adds products to both, which fold when the fuller one is full, and count alike from then on.
void BinSums::add_to_both(BinSums& one, const BinWord* left, BinSums& other,
                          const BinWord* other_left, const BinWord* right, std::int64_t stride,
                          std::int64_t count) {
  while (count > 0) {
    const std::int64_t added = std::max(one.added_, other.added_);
    const std::int64_t now = std::min(count, one.plan_.depth() - added);
    add_products({left, one.rows_.data()}, {other_left, other.rows_.data()}, right, stride, now);
    one.added_ = other.added_ = added + now;
    count -= now;
    left += now;
    other_left += now;
    right += now * stride;
    if (added + now < one.plan_.depth()) continue;
    one.fold();
    other.fold();
  }
}

void BinSums::fold() {
  kernel_.fold(rows_.data(), plan_.rows(), plan_.log_quantum(), digits_.data(),
               2 * static_cast<std::int64_t>(plan_.digit_pairs()));
  added_ = 0;
}

/// Lanes beyond the last channel hold zeros (empty_blocks) and are not written.
void BinSums::take(DigitSums& result, std::int64_t index, std::int64_t lanes, std::int64_t apart) {
  fold();
  const std::size_t pairs = plan_.digit_pairs();
  kernel_.pair(digits_.data(), static_cast<std::int64_t>(pairs));
  const auto* const words = reinterpret_cast<const std::uint64_t*>(digits_.data());
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    result.write(static_cast<std::size_t>(index + lane * apart), words + lane, bin_lanes);
  }
  std::fill_n(digits_.begin(), pairs * bin_lanes, 0);
}

}  // namespace gradproof::oracle
