#include "kernel/ascendc/tiling/blocks.h"

#include <algorithm>

#include "kernel/ascendc/tiling/whole_numbers.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

// Sizes that the released class uses, whatever platform it is told.
constexpr std::int64_t l1_bytes = 524288 - 128;
constexpr std::int64_t l0ab_bytes = 65536;
constexpr std::int64_t l0c_bytes = 131072;
constexpr std::int64_t l2_bytes = 150'994'944;
constexpr std::int64_t longest_row = 65535;  // elements of A in L1 along K
constexpr std::int64_t widest_base = 256;
constexpr std::int64_t widest_whole_row = 64;

constexpr std::int64_t divided_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

struct Steps {
  std::int64_t ka = 1, kb = 1;
};

class BlockSearch {
 public:
  explicit BlockSearch(const TilingProblem& problem)
      : problem_(problem),
        bytes_(problem.element_bytes),
        c0_(problem.c0()),
        taps_(problem.h.kernel * problem.w.kernel),
        tap_depth_(taps_ * c0_),
        width_(problem.w.input),
        positions_(problem.h.input * problem.w.input),
        m_(divided_up(positions_, c0_) * c0_),
        n_(problem.cin1() * c0_),
        k_(tap_depth_ * problem.cout1()) {}

  std::optional<TilingBlocks> run() {
    choose_base();
    choose_steps();
    if (!fits() && !shrink()) drop_double_buffers();
    if (!fits()) return std::nullopt;
    choose_single_core_m();
    return blocks_;
  }

 private:
  std::int64_t operand_elements() const { return l0ab_bytes / 2 / bytes_; }

  // `room` elements shared by `others` each: the multiple of C0 that fits, at least one C0.
  std::int64_t share(std::int64_t room, std::int64_t others) const {
    return std::max<std::int64_t>(room / others / c0_, 1) * c0_;
  }

  // A block of K ends where the taps of a channel block end, or divides them.
  bool is_compatible(std::int64_t k) const { return k % tap_depth_ == 0 || tap_depth_ % k == 0; }

  void choose_base() {
    const std::int64_t full_k = 128 / bytes_;
    blocks_.base_m = std::min<std::int64_t>(m_ >= n_ ? 256 : 128, m_);
    blocks_.base_n = std::min<std::int64_t>(m_ >= n_ ? 128 : 256, n_);
    blocks_.base_k = std::min(full_k, k_);
    while (blocks_.base_k > c0_ && !is_compatible(blocks_.base_k)) {
      blocks_.base_k = std::max(blocks_.base_k - c0_, c0_);
    }
    const std::int64_t l0c_elements = l0c_bytes / 4;
    const std::int64_t widest = share(operand_elements(), blocks_.base_k);
    if (blocks_.base_n < widest_base && blocks_.base_k < full_k) {
      blocks_.base_m = std::min({widest, share(l0c_elements, blocks_.base_n), m_});
    }
    if (blocks_.base_m < widest_base && blocks_.base_k < full_k) {
      blocks_.base_n = std::min({widest, share(l0c_elements, blocks_.base_m), n_});
    }
    deepen_base_k();
  }

  void deepen_base_k() {
    std::int64_t k =
        std::min(share(operand_elements(), std::max(blocks_.base_m, blocks_.base_n)), k_);
    for (; k > c0_; k = std::max(k - c0_, c0_)) {
      if (!is_compatible(k)) continue;
      blocks_.base_k = k;
      return;
    }
  }

  // Rows of spread grad output that `m` positions of grad input read.
  std::int64_t rows_read(std::int64_t m) const {
    std::int64_t rows = 2;
    if (m % width_ == 0 || width_ % m == 0) {
      rows = divided_up(m, width_);
    } else if (m > width_) {
      rows = m / width_ + 2;
    }
    const TilingAxis& h = problem_.h;
    return std::min(rows - 1 + (h.kernel - 1) * h.dilation + 1, (h.output - 1) * h.stride + 1);
  }

  std::int64_t spread_width() const { return problem_.w.output * problem_.w.stride; }

  bool fits(const Steps& steps) const {
    const std::int64_t a_depth = steps.ka * blocks_.base_k;
    const std::int64_t b_depth = steps.kb * blocks_.base_k;
    if (a_depth % tap_depth_ != 0 || b_depth % tap_depth_ != 0) return false;
    const auto b_bytes = product({blocks_.bl1_buffers, bytes_, blocks_.base_n, b_depth});
    const auto a_bytes =
        product({rows_read(blocks_.base_m), spread_width(),
                 std::max<std::int64_t>(a_depth / taps_, 1), bytes_, blocks_.al1_buffers});
    return sum({a_bytes, b_bytes}) <= l1_bytes;
  }

  bool fits() const { return fits({blocks_.step_ka, blocks_.step_kb}); }

  void take(const Steps& steps) {
    blocks_.step_ka = steps.ka;
    blocks_.step_kb = steps.kb;
  }

  void choose_steps() {
    const std::int64_t whole = divided_up(k_, blocks_.base_k);
    if (problem_.d.kernel == 1 && fits({1, whole})) return take(with_all_of_b(whole));
    blocks_.bl1_buffers = 2;
    const Steps equal = equal_steps();
    const Steps ladder = ladder_steps();
    take(fits(equal) && equal.ka + equal.kb > ladder.ka + ladder.kb ? equal : ladder);
  }

  Steps with_all_of_b(std::int64_t whole) const {
    for (std::int64_t ka = whole; ka > 1; --ka) {
      if (whole % ka == 0 && fits({ka, whole})) return {ka, whole};
    }
    return {1, whole};
  }

  // Half of L1 for each side, in blocks of channels.
  Steps equal_steps() const {
    const std::int64_t half = l1_bytes / 2;
    const auto b_block = product({tap_depth_, blocks_.base_n, bytes_});
    const auto a_block = product({bytes_, rows_read(blocks_.base_m), spread_width(), c0_});
    std::int64_t b = std::max<std::int64_t>(half / blocks_.bl1_buffers / b_block, 1);
    std::int64_t a = std::max<std::int64_t>(half / blocks_.al1_buffers / a_block, 1);
    b = std::min(b, problem_.cout1());
    a = std::min(a, problem_.cout1());
    if (b > a) a = largest_divisor(b, a);
    if (a > b) b = largest_divisor(a, b);
    Steps steps{std::min(divided_up(a * tap_depth_, blocks_.base_k), longest_row / blocks_.base_k),
                divided_up(b * tap_depth_, blocks_.base_k)};
    if (steps.ka > steps.kb) steps.ka -= steps.ka % steps.kb;
    if (steps.kb > steps.ka) steps.kb -= steps.kb % steps.ka;
    return steps;
  }

  static std::int64_t largest_divisor(std::int64_t of, std::int64_t at_most) {
    while (of % at_most != 0) --at_most;
    return at_most;
  }

  // The same number of steps on both sides, down from all taps until it fits.
  Steps ladder_steps() const {
    std::int64_t steps = std::min(divided_up(k_, blocks_.base_k), taps_);
    // More never fits, and counting down from a large kernel would take minutes.
    steps = std::min(steps, std::max<std::int64_t>(l1_bytes / blocks_.base_k, 1));
    while (steps > 1 && !fits({steps, steps})) --steps;
    return {steps, steps};
  }

  bool take_any_that_fits() {
    take(ladder_steps());
    if (fits()) return true;
    take(equal_steps());
    return fits();
  }

  bool shrink() {
    const TilingBlocks before = blocks_;
    narrow();
    const std::int64_t widest = std::max(blocks_.base_m, blocks_.base_n);
    std::int64_t k = std::min(share(operand_elements(), widest), k_);
    // Runs even where narrowing was enough, as in the released class.
    while (k > c0_) {
      k = std::max(k - c0_, c0_);
      blocks_.base_k = k;
      if (is_compatible(k) && take_any_that_fits()) return true;
    }
    blocks_.base_m = before.base_m;
    blocks_.base_n = before.base_n;
    blocks_.base_k = before.base_k;
    return fits();
  }

  void narrow() {
    const std::int64_t narrowest_m = std::max(width_, c0_);
    while (blocks_.base_m > narrowest_m || blocks_.base_n > c0_) {
      if (blocks_.base_m > narrowest_m && blocks_.base_m > blocks_.base_n) {
        blocks_.base_m = std::max(blocks_.base_m - c0_, c0_);
      } else {
        blocks_.base_n = std::max(blocks_.base_n - c0_, c0_);
      }
      if (take_any_that_fits()) return;
    }
  }

  // Each step is tried even where the one before was enough, so that both end single.
  void drop_double_buffers() {
    for (const auto& [a, b] : {Steps{2, 1}, Steps{1, 2}, Steps{1, 1}}) {
      blocks_.al1_buffers = a;
      blocks_.bl1_buffers = b;
      if (!fits()) shrink();
    }
  }

  bool fits_in_l2(std::int64_t m) const {
    const TilingAxis& h = problem_.h;
    const std::int64_t planes = std::max<std::int64_t>(problem_.d.kernel / problem_.d.stride, 1);
    const auto a = product({std::max<std::int64_t>(rows_read(m) / h.stride, 1), problem_.w.output,
                            planes, problem_.cout1(), c0_});
    const auto b = product({blocks_.base_n, k_, planes});
    const auto c = product({m, blocks_.base_n});
    return product({sum({a, b, c, blocks_.base_m * blocks_.base_n}), bytes_}) <= l2_bytes;
  }

  void choose_single_core_m() {
    const bool cuts_rows =
        width_ > widest_whole_row && blocks_.base_m % width_ != 0 && width_ % blocks_.base_m != 0;
    blocks_.single_core_m = std::max<std::int64_t>(blocks_.base_m / width_, 1) * width_;
    if (cuts_rows) {
      take_fewest_parts();
    } else {
      take_largest_even_part();
    }
  }

  void take_fewest_parts() {
    const std::int64_t parts = divided_up(positions_, blocks_.base_m);
    for (std::int64_t i = 1; i <= parts; ++i) {
      const std::int64_t m = divided_up(problem_.h.input, i) * width_;
      if (!fits_in_l2(m)) continue;
      blocks_.single_core_m = m;
      return;
    }
  }

  void take_largest_even_part() {
    std::int64_t m = blocks_.base_m;
    std::int64_t rows = blocks_.single_core_m;
    while (rows < positions_) {
      m += blocks_.base_m;
      rows = std::min(std::max<std::int64_t>(m / width_, 1) * width_, positions_);
      if (positions_ % rows == 0 && fits_in_l2(rows)) blocks_.single_core_m = rows;
    }
  }

  const TilingProblem& problem_;
  const std::int64_t bytes_, c0_, taps_, tap_depth_, width_, positions_, m_, n_, k_;
  TilingBlocks blocks_;
};

}  // namespace

std::optional<TilingBlocks> blocks_for(const TilingProblem& problem) {
  return BlockSearch(problem).run();
}

}  // namespace gradproof::kernel::ascendc::tiling
