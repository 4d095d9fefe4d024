#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "corpus/machine/algorithm.h"

namespace gradproof::oracle {

/// Entries of a matrix without their signs, row by row.
struct Magnitudes {
  std::size_t rows = 1, columns = 1;
  std::vector<double> entries = {1};

  double at(std::size_t row, std::size_t column) const { return entries[row * columns + column]; }
  double largest_row_sum() const;
  std::size_t most_non_zeros() const;  ///< of a row

  /// alpha of a transform: the most roundings that an entry of its operand passes through on its
  /// way to an entry of the result. One for each addition, and for a factor 1 where it is no power
  /// of two, 2 where it is no FLOAT either.
  /// Proved: proofs/Winograd.v, row_alpha and winograd.
  std::uint64_t roundings() const;
};

/// Winograd's F(m, r) along one axis: m results of r neighbours each, from n = m + r - 1 entries d
/// of the larger operand and r entries g of the smaller one,
///   y = A^T ((G g) * (B^T d)), entry by entry,
/// with matrices that make y the correlation exactly; here without their signs, which no bound
/// needs.
/// Source: A. Lavin and S. Gray, Fast algorithms for convolutional neural networks, CVPR 2016.
struct AxisForm {
  Magnitudes larger = {};   ///< |B^T|, n x n
  Magnitudes smaller = {};  ///< |G|, n x r
  Magnitudes results = {};  ///< |A^T|, m x n
  /// |G| with each row times its common denominator: what a kernel adds that divides last.
  Magnitudes undivided = {};
  /// True if sums of integers are exact in it: all fractions are of powers of two.
  bool keeps_integers = true;
  bool smaller_has_fractions = false;

  std::int64_t result_count() const { return static_cast<std::int64_t>(results.rows); }
  std::int64_t smaller_count() const { return static_cast<std::int64_t>(smaller.columns); }
  std::int64_t entries() const { return static_cast<std::int64_t>(larger.rows); }
};

/// Form of a Winograd algorithm along one of its axes.
const AxisForm& axis_form(corpus::Algorithm algorithm);

/// Form of an axis without transform: F(1, 1), products as they are.
const AxisForm& plain_axis();

}  // namespace gradproof::oracle
