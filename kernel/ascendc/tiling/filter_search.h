#pragma once

#include <cstdint>

#include "kernel/ascendc/tiling/problem.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {

/// 64-bit lengths have products that 64 bits do not hold.
__extension__ using Wide = __int128;

/// Division of one core's share of dw: M = Cout, N = Cin in packs of c0 times the taps, K =
/// positions of gradOutput in one plane.
struct FilterBlocks {
  enum class Direction : unsigned char { MN, MK, NK };  ///< what L1 holds more than one block of

  Direction direction = Direction::MK;
  bool iterates_m_first = false;
  std::int64_t base_m = 16, base_n = 16, base_k = 16;
  std::int64_t step_m = 1, step_n = 1;               ///< blocks in L1 at a time
  std::int64_t step_ka = 1, step_kb = 1;             ///< the same of K, of gradOutput and of input
  std::int64_t left_buffers = 2, right_buffers = 2;  ///< in L1
  std::int64_t sum_buffers = 2;                      ///< in L0C
};

/// The state of the search for blocks of Conv3DBackpropFilter and what the search asks of it.
/// Source: specification, "How Conv3dBpFilterTiling cuts", sections 3 and 4; `/` truncates.
class FilterSearch {
 public:
  /// Section 3: the blocks to begin with.
  FilterSearch(const TilingProblem& of, const ConvBackpropApi::PlatformInfo& on);

  /// Elements of input that lie in L1 at a time.
  Wide bound() const;
  /// The bound's share of an axis N of `packs`: how many blocks of channels its taps belong to.
  std::int64_t copies(std::int64_t packs) const;
  /// Rows of input that the blocks of K in L1 read; they may be more than there are.
  std::int64_t rows_read() const;
  bool fits() const;
  /// Gives L1 so many blocks of gradOutput and of input. A depth of 1 is the end of double
  /// buffering.
  void take_depths(std::int64_t left, std::int64_t right);
  /// Sets base_k to at most `k` and K, and to whole rows where a row is a shorter multiple of c0.
  void set_base_k(std::int64_t k);

  const TilingProblem& problem;
  const ConvBackpropApi::PlatformInfo& platform;
  const std::int64_t bytes, c0, taps;
  const std::int64_t m, n, k;  ///< the product's lengths in elements, padded
  FilterBlocks blocks;

 private:
  void begin();
};

/// Makes the blocks smaller (section 6) where none of the search's depths fits L1. What is left may
/// not fit either.
void shrink(FilterSearch& search);

}  // namespace gradproof::kernel::ascendc::tiling
