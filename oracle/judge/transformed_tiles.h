#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/arithmetic/winograd_form.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// Matrices, one for each of D, H and W.
using AxisMatrices = std::array<const Magnitudes*, 3>;

/// The matrices applied to a block of values, row-major, along one axis after the other.
std::vector<double> transformed(std::vector<double> values, const AxisMatrices& matrices);

/// Cut of an operand along D, H and W: tile i of an axis begins at first + i * step, and is as
/// long as its matrix has columns. Beyond the operand there are zeros.
struct TileGrid {
  std::array<std::int64_t, 3> first{}, step{1, 1, 1}, count{1, 1, 1};
  bool is_reversed = false;  ///< each tile is turned round, as the taps for gradInput are

  std::int64_t tiles() const { return count[0] * count[1] * count[2]; }
};

/// Tiles of an operand, transformed: entries from the magnitudes of the operand's elements alone;
/// infinite and NaN ones count as 0, and as reaching the entries that they are part of.
///
/// Doubles: an entry is off by less than 2^-48 of itself, since at most 16 roundings of positive
/// numbers make it.
class TransformedTiles {
 public:
  /// `undivided`: sums that a kernel may build before it divides, each below 2^127 in a tile whose
  /// sums cannot overflow.
  TransformedTiles(const Dense<Number>& operand, const TileGrid& grid, const AxisMatrices& matrices,
                   const AxisMatrices& undivided);

  /// Row-major in (outer, channel, tile).
  std::size_t place(std::int64_t outer, std::int64_t channel, std::int64_t tile) const {
    return static_cast<std::size_t>((outer * channels_ + channel) * tiles_ + tile);
  }
  /// The number of the tile at a place of the grid.
  std::int64_t tile_at(const std::array<std::int64_t, 3>& at) const {
    return (at[0] * counts_[1] + at[1]) * counts_[2] + at[2];
  }
  std::int64_t tiles() const { return tiles_; }
  std::span<const double> entries(std::size_t tile) const {
    return std::span(entries_).subspan(tile * size_, size_);
  }
  /// Entries that an infinite or NaN element reaches: above 0.
  std::span<const double> reached(std::size_t tile) const {
    return std::span(reached_).subspan(tile * size_, size_);
  }
  bool has_specials() const { return !reached_.empty(); }
  bool is_special(std::size_t tile) const { return (traits_[tile] & special) != 0; }
  bool may_overflow(std::size_t tile) const { return (traits_[tile] & overflowing) != 0; }
  /// True if all elements of the tile are 0.
  bool is_zero(std::size_t tile) const { return (traits_[tile] & occupied) == 0; }

 private:
  static constexpr std::uint8_t occupied = 1, special = 2, overflowing = 4;

  void add_tile(const Dense<Number>& operand, const Shape& begin, const TileGrid& grid,
                const AxisMatrices& matrices, const AxisMatrices& undivided);
  void add_reached(const std::vector<double>& specials, bool any, const AxisMatrices& matrices);

  std::int64_t channels_, tiles_;
  std::array<std::int64_t, 3> counts_;
  std::size_t size_ = 1;
  std::vector<double> entries_, reached_;
  std::vector<std::uint8_t> traits_;
};

}  // namespace gradproof::oracle
