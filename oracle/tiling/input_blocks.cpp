#include "oracle/tiling/input_blocks.h"

#include <algorithm>
#include <utility>

#include "oracle/numbers/int128.h"
#include "oracle/tiling/core_share.h"

namespace gradproof::oracle::tiling {
namespace {

using Int = std::int64_t;

// The class keeps to these whatever platform it was told; of L1 it leaves 128 bytes.
constexpr Int l1_bytes = 512 * 1024 - 128;
constexpr Int l0ab_bytes = Int{64} * 1024;
constexpr Int l0c_bytes = Int{128} * 1024;
constexpr Int longest_run = 65535;
constexpr Int row_bytes = 128;  ///< of a block's K, first

Int quotient_up(Int value, Int by) { return (value + by - 1) / by; }
Int aligned(Int value, Int to) { return quotient_up(value, to) * to; }

Int largest_divisor_up_to(Int of, Int limit) {
  Int divisor = std::min(of, limit);
  while (of % divisor != 0) --divisor;
  return divisor;
}

/// Blocks of K in L1, of A and of B.
struct Steps {
  Int ka = 1, kb = 1;
};

/// A side of the product: M = H W of dx, aligned to C0; N = C1 C0 of dx; K = KH KW C1 C0 of
/// gradOutput, of one kernel plane (kernel position along D).
/// Source: Conv3DBackpropInput, tiling class, GetTiling. Blocks of A (M x K) and B (K x N) lie in
/// L0A and L0B, two of each for double buffering; their product (M x N, FLOAT) in L0C.
class Search {
 public:
  explicit Search(const InputProblem& problem)
      : it_(problem),
        c0_(problem.c0()),
        bytes_(problem.element_bytes),
        window_(problem.h.kernel * problem.w.kernel),
        m_(aligned(problem.plane(), c0_)),
        n_(problem.cin1() * c0_),
        k_(window_ * problem.cout1() * c0_) {}

  /// L0 first, then how many of its blocks L1 holds; both are shrunk until they fit or nothing is
  /// left to shrink. The published order decides ties, so it is kept step by step.
  std::optional<InputBlocks> run() {
    choose_l0();
    choose_l1();
    make_it_fit();
    if (!fits(steps())) return std::nullopt;
    blocks_.single_core_m = core_share_of(it_, blocks_.base_m, blocks_.base_n);
    return blocks_;
  }

 private:
  Steps steps() const { return {blocks_.step_ka, blocks_.step_kb}; }
  void take(Steps steps) {
    blocks_.step_ka = steps.ka;
    blocks_.step_kb = steps.kb;
  }

  Int window_of_c0() const { return window_ * c0_; }

  /// True if a block of K holds whole windows, or a window whole blocks.
  bool divides_windows(Int k) const { return k % window_of_c0() == 0 || window_of_c0() % k == 0; }

  /// The longest K of which two blocks fit an operand's L0 buffer.
  /// k * max(m, n) elements in half a buffer (32 KiB), in whole packs of C0, at least one, and no
  /// more than K.
  Int longest_k(Int m, Int n) const {
    const Int elements = l0ab_bytes / 2 / bytes_;
    return std::min(std::max<Int>(elements / std::max(m, n) / c0_, 1) * c0_, k_);
  }

  /// K begins with 128 bytes, shortened until it divides windows; M and N with 256 and 128, the
  /// longer side of the product first.
  void choose_l0() {
    const bool is_tall = m_ >= n_;
    const Int short_row = row_bytes / bytes_;
    blocks_.base_k = std::min(short_row, k_);
    while (blocks_.base_k > c0_ && !divides_windows(blocks_.base_k)) {
      blocks_.base_k = std::max(blocks_.base_k - c0_, c0_);
    }
    blocks_.base_m = std::min<Int>(is_tall ? 256 : 128, m_);
    blocks_.base_n = std::min<Int>(is_tall ? 128 : 256, n_);
    widen(short_row);
    lengthen_k();
  }

  /// Widens the other sides where K is shorter than a row. They are bounded by half of L0A and L0B,
  /// and by L0C with FLOAT sums of 4 bytes.
  void widen(Int short_row) {
    if (blocks_.base_k >= short_row) return;
    const Int most_in_l0ab = std::max<Int>(l0ab_bytes / 2 / bytes_ / blocks_.base_k / c0_, 1) * c0_;
    const auto widest_for = [&](Int other) {
      return std::min(most_in_l0ab, std::max<Int>(l0c_bytes / 4 / other / c0_, 1) * c0_);
    };
    constexpr Int wide = 256;
    if (blocks_.base_n < wide) blocks_.base_m = std::min(widest_for(blocks_.base_n), m_);
    if (blocks_.base_m < wide) blocks_.base_n = std::min(widest_for(blocks_.base_m), n_);
  }

  void lengthen_k() {
    for (Int k = longest_k(blocks_.base_m, blocks_.base_n); k > c0_; k = std::max(k - c0_, c0_)) {
      if (!divides_windows(k)) continue;
      blocks_.base_k = k;
      return;
    }
  }

  /// A's rows and B's blocks, with their buffers, in L1. Both operands must hold whole windows of
  /// C0 channels, because A is expanded from whole rows of gradOutput.
  /// Bytes of A: rows of the expanded gradOutput times its expanded width times channels; of B: K
  /// times N; each times its buffers. In 128 bits, since lengths may have 31 bits each.
  bool fits(Steps steps) const {
    const Int of_a = steps.ka * blocks_.base_k, of_b = steps.kb * blocks_.base_k;
    if (of_a % window_of_c0() != 0 || of_b % window_of_c0() != 0) return false;
    const Int128 b = Int128{of_b} * blocks_.base_n * bytes_ * blocks_.b_buffers_in_l1;
    const Int channels = std::max<Int>(of_a / window_, 1);
    const Int128 a = Int128{rows_of_a(it_, blocks_.base_m)} * it_.w.small * it_.w.stride *
                     channels * bytes_ * blocks_.a_buffers_in_l1;
    return a + b <= l1_bytes;
  }

  /// Chooses the blocks in L1. With one kernel plane, all of B stays in L1 where it fits; else both
  /// operands have two buffers, and the longer of two ways to share L1 is taken.
  void choose_l1() {
    const Int blocks_of_k = quotient_up(k_, blocks_.base_k);
    if (it_.d.kernel == 1 && fits({1, blocks_of_k})) return keep_all_of_b(blocks_of_k);
    blocks_.b_buffers_in_l1 = 2;
    const Steps ladder = ladder_steps(), equal = equal_steps();
    const bool is_longer = equal.ka + equal.kb > ladder.ka + ladder.kb;
    take(fits(equal) && is_longer ? equal : ladder);
  }

  /// Keeps B whole in L1: A takes the most blocks that divide K's and still fit.
  void keep_all_of_b(Int blocks_of_k) {
    Int ka = blocks_of_k;
    while (ka > 1 && !(fits({ka, blocks_of_k}) && blocks_of_k % ka == 0)) --ka;
    take({ka, blocks_of_k});
  }

  /// Returns steps of as many channel blocks of each operand as half of L1 takes. Channels of both
  /// are made multiples of one another by the largest divisor, then steps likewise, so that reloads
  /// of one operand fall together with those of the other.
  Steps equal_steps() const {
    constexpr Int half = l1_bytes / 2;
    const Int128 row_of_a =
        Int128{bytes_} * rows_of_a(it_, blocks_.base_m) * it_.w.small * it_.w.stride * c0_;
    const Int128 row_of_b = Int128{window_of_c0()} * blocks_.base_n * bytes_;
    const auto channels = [&](Int buffers, Int128 row) {
      const Int128 most = std::max<Int128>(1, half / buffers / row);
      return static_cast<Int>(std::min<Int128>(most, it_.cout1()));
    };
    Int a = channels(blocks_.a_buffers_in_l1, row_of_a);
    Int b = channels(blocks_.b_buffers_in_l1, row_of_b);
    if (b > a) a = largest_divisor_up_to(b, a);
    if (a > b) b = largest_divisor_up_to(a, b);
    const auto blocks = [&](Int count) {
      return std::max<Int>(1, quotient_up(count * window_of_c0(), blocks_.base_k));
    };
    Steps steps{std::min(blocks(a), longest_run / blocks_.base_k), blocks(b)};
    if (steps.ka > steps.kb) steps.ka -= steps.ka % steps.kb;
    if (steps.kb > steps.ka) steps.kb -= steps.kb % steps.ka;
    return steps;
  }

  /// Finds equal steps of both operands that fit in L1, counted down from those of a window.
  Steps ladder_steps() const {
    Int rung = std::min(quotient_up(k_, blocks_.base_k), window_);
    while (rung > 1 && !fits({rung, rung})) --rung;
    return {rung, rung};
  }

  /// Takes the ladder's steps if they fit, else the equal ones, which then may or may not.
  bool found_steps() {
    take(ladder_steps());
    if (fits(steps())) return true;
    take(equal_steps());
    return fits(steps());
  }

  /// Double buffering is given up last: first smaller blocks, then one buffer for B, for A, for
  /// both.
  void make_it_fit() {
    if (fits(steps()) || shrink()) return;
    if (fits(steps())) return;
    // Every one of these is gone through, also once a blocking fits.
    for (const auto& [a, b] : {std::pair<Int, Int>{2, 1}, {1, 2}, {1, 1}}) {
      blocks_.a_buffers_in_l1 = a;
      blocks_.b_buffers_in_l1 = b;
      if (!fits(steps())) shrink();
    }
  }

  /// Makes M and N smaller, then in any case a smaller K; false, with the blocks as they were,
  /// where none fits.
  bool shrink() {
    const InputBlocks before = blocks_;
    shrink_m_and_n();
    if (shrink_k()) return true;
    blocks_.base_m = before.base_m;
    blocks_.base_n = before.base_n;
    blocks_.base_k = before.base_k;
    return false;
  }

  /// Shortens the longer side first, one C0 at a time, until the blocks fit or both sides are as
  /// short as they may be.
  void shrink_m_and_n() {
    const Int least_m = std::max(it_.w.big, c0_);
    while (blocks_.base_m > least_m || blocks_.base_n > c0_) {
      const bool is_ms_turn = blocks_.base_m > least_m && blocks_.base_m > blocks_.base_n;
      Int& side = is_ms_turn ? blocks_.base_m : blocks_.base_n;
      side = std::max(side - c0_, c0_);
      if (found_steps()) return;
    }
  }

  /// Shortens K from the longest that M and N allow, down by C0.
  bool shrink_k() {
    Int k = longest_k(blocks_.base_m, blocks_.base_n);
    while (k > c0_) {
      k = std::max(k - c0_, c0_);
      blocks_.base_k = k;
      if (divides_windows(k) && found_steps()) return true;
    }
    return false;
  }

  const InputProblem& it_;
  Int c0_, bytes_, window_;
  Int m_, n_, k_;  ///< the product's sides, of one kernel plane
  InputBlocks blocks_;
};

}  // namespace

std::optional<InputBlocks> input_blocks_of(const InputProblem& problem) {
  return Search(problem).run();
}

}  // namespace gradproof::oracle::tiling
