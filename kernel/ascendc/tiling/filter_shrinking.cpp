#include <algorithm>
#include <cstdint>

#include "kernel/ascendc/tiling/filter_search.h"

// The steps in the middle are taken in 32 bits, as the released class does: above 4 GiB they wrap,
// and the wrap decides how far the blocks shrink.

namespace gradproof::kernel::ascendc::tiling {
namespace {

constexpr std::int64_t edge = 16;

constexpr std::int64_t quotient_up(Wide dividend, Wide divisor) {
  return static_cast<std::int64_t>((dividend + divisor - 1) / divisor);
}
constexpr std::int64_t in_32_bits(Wide bytes) { return static_cast<std::uint32_t>(bytes); }

class Shrinking {
 public:
  explicit Shrinking(FilterSearch& search) : search_(search) {}

  void run() {
    if (shorter_k_suffices()) return;
    narrow();
    give_back();
  }

 private:
  std::int64_t& m() { return search_.blocks.base_m; }
  std::int64_t& n() { return search_.blocks.base_n; }
  std::int64_t& k() { return search_.blocks.base_k; }
  std::int64_t bytes() const { return search_.bytes; }
  std::int64_t c0() const { return search_.c0; }
  std::int64_t copies(std::int64_t elements) const {
    return search_.copies(quotient_up(elements, c0()));
  }
  std::int64_t l1() const { return static_cast<std::int64_t>(search_.platform.l1Size); }

  /// Bytes by which one block of each side is too large for L1.
  std::int64_t gap() {
    const Wide needed = Wide{k()} * m() * bytes() + search_.bound() * bytes();
    return std::max<std::int64_t>(0, in_32_bits(needed) - l1());
  }

  bool shorter_k_suffices();
  void narrow();
  void narrow_both();
  void give_back();

  FilterSearch& search_;
};

/// Shortens K; true where that is enough.
bool Shrinking::shorter_k_suffices() {
  const TilingAxis &h = search_.problem.h, &w = search_.problem.w;
  const Wide pack = Wide{copies(n())} * c0() * w.input * h.stride * c0() * bytes();
  const Wide bytes_of_pack = Wide{m()} * c0() * bytes() + quotient_up(pack, w.output);
  const Wide less = Wide{quotient_up(gap(), bytes_of_pack)} * c0();
  if (k() - less < c0()) {
    k() = c0();
    return false;
  }
  k() -= static_cast<std::int64_t>(less);
  while (k() > c0() && !search_.fits()) {
    k() -= c0();
    if (k() <= w.output && (w.output % k() == 0 || w.output % c0() != 0)) break;
  }
  return search_.fits();
}

/// Narrows M and N, the wider one first.
void Shrinking::narrow() {
  while (m() > edge && m() > n() && !search_.fits()) m() -= edge;
  while (n() > edge && n() > m() && !search_.fits()) n() -= edge;
  if (!search_.fits()) narrow_both();
}

void Shrinking::narrow_both() {
  const Wide row = Wide{search_.rows_read()} * search_.problem.w.input * edge * bytes();
  const Wide fractal = Wide{k()} * edge * bytes() + quotient_up(row, search_.taps);
  const std::int64_t less = quotient_up(gap(), fractal);
  if (m() < (less + 1) * edge) {
    m() = n() = edge;
    return;
  }
  m() -= less * edge;
  n() = m();
  std::int64_t blocks = copies(n());
  while (m() > edge && !search_.fits()) {
    if (copies(m()) < blocks) {
      n() = m();
      blocks = copies(m());
    } else {
      m() -= edge;
    }
  }
}

/// Makes M and K longer again where a short N left room.
void Shrinking::give_back() {
  const FilterBlocks& b = search_.blocks;
  const auto& platform = search_.platform;
  const Wide left = Wide{b.step_ka} * k() * b.step_m * m() * bytes() * b.left_buffers;
  const Wide right = search_.bound() * bytes() * b.right_buffers;
  const std::int64_t free = l1() - in_32_bits(left) - in_32_bits(right);
  const auto fractals_of = [&](std::uint64_t memory, std::int64_t other) {
    return std::max<std::int64_t>(static_cast<std::int64_t>(memory) / bytes() / 2 / other / edge,
                                  1) *
           edge;
  };
  const std::int64_t most = std::min(search_.m, fractals_of(platform.l0CSize, m()));
  m() = free < 0 ? most : std::min(m() + free / (k() * edge * bytes()) * edge, most);
  std::int64_t longest = k();
  for (; longest <= search_.k && search_.fits(); k() += c0()) longest = k();
  if (search_.k < longest) {
    k() = search_.k;
  } else {
    search_.set_base_k(std::min(
        {longest, fractals_of(platform.l0ASize, m()), fractals_of(platform.l0BSize, n())}));
  }
}

}  // namespace

void shrink(FilterSearch& search) { Shrinking(search).run(); }

}  // namespace gradproof::kernel::ascendc::tiling
