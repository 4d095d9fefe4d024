#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/error_bound.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/transformed_tiles.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {

/// Distance of one element that is computed in tiles from the exact one, as far as admitted. Units:
/// those of the gradient.
struct TileTerms {
  double bound = 0;           ///< of |computed - exact|; infinite where there is none
  double magnitude = 0;       ///< S_w
  double gamma = 0;           ///< of R roundings
  std::uint64_t terms = 0;    ///< T: tiles, or channels, with a non-zero in both operands
  bool is_exact = false;      ///< no step of the algorithm rounds: equality is demanded
  bool may_overflow = false;  ///< a transform, product or sum
  /// True if an infinite or NaN element reaches it through some tile; and through one that no
  /// kernel can skip, since neither operand is zero throughout it.
  bool is_reached = false, is_surely_reached = false;
};

/// Bounds of the elements of one output that is computed by a Winograd algorithm.
///
/// Theorem. With U = G g G^T and V = B^T d B of each term, M = sum of U * V and Y = A^T M A, every
/// computed element is a sum of monomials A A B B G G d g, each multiplied by one factor (1 + d),
/// |d| <= u, for each operation that it passes: alpha for each transform of each axis, one for the
/// product, T - 1 for the additions. So |computed - exact| <= gamma_R S_w with R = T + sum of the
/// alphas and S_w the same expression of absolute values: in every order, fused or not. Adding an
/// entry that is exactly 0 rounds nothing.
/// Losses below the normal range are carried through the later steps at their largest.
///
/// Magnitudes are computed in doubles and then raised by 2^-20 of themselves, far more than their
/// roundings: (T + 64) 2^-53 for T < 2^24. Costs, when first asked about, a pass over both
/// operands, and for each tile of the output one product for each entry and term.
class TileBounds {
 public:
  /// Operands as they are multiplied. All must outlive the object.
  TileBounds(const TileForm& form, const Arithmetic& way, Adder adder, const Geometry& geometry,
             corpus::OutputRole role, const MeasuredOperand& grad_output,
             const MeasuredOperand& other);

  const TileForm& form() const { return form_; }

  /// Bound of the errors in a transform's result: from those in its operand, and those it adds.
  struct Carried {
    double factor = 1, added = 0;
    double of(double before) const { return before * factor + added; }
  };

  /// Terms of an element; `place` is row-major in N C D H W.
  TileTerms at(std::uint64_t place);

 private:
  using Position = std::array<std::int64_t, 3>;

  /// Both operands, cut where tiles of the output begin.
  struct Cut {
    Position shift;  ///< how far the first tile begins before the map
    std::shared_ptr<const TransformedTiles> of_smaller, of_larger;
    const TransformedTiles& smaller() const { return *of_smaller; }
    const TransformedTiles& larger() const { return *of_larger; }
  };
  /// Sums over the terms of one tile of the output.
  struct TileSum {
    explicit TileSum(std::size_t entries)
        : products(entries),
          of_smaller(entries),
          of_larger(entries),
          reached(entries),
          surely_reached(entries) {}
    std::vector<double> products, of_smaller, of_larger, reached, surely_reached;
    std::uint64_t terms = 0;
    bool may_overflow = false;
  };
  using Tile = std::vector<TileTerms>;  ///< of its elements, row-major

  void prepare();
  Cut cut(const Position& shift) const;
  const Tile& tile(const Cut& cut, std::size_t which, const Shape& at);
  TileSum sum_of(const Cut& cut, const Shape& at) const;
  static void add(const Cut& cut, std::size_t smaller, std::size_t larger, TileSum& sum);
  Tile terms_of(const TileSum& sum) const;
  double lost(double of_smaller, double of_larger, std::uint64_t terms) const;
  bool is_exact(double magnitude) const;

  TileForm form_;
  ErrorBound bound_;
  const Geometry& geometry_;
  corpus::OutputRole role_;
  MeasuredOperand grad_output_, other_;
  std::uint64_t roundings_ = 0;                      ///< R - T
  double lost_in_smaller_ = 0, lost_in_larger_ = 0;  ///< by underflow, in units of its smallest
  Carried carried_by_results_;
  bool grid_fits_ = false;
  std::vector<Cut> cuts_;
  std::vector<std::unordered_map<std::uint64_t, Tile>> known_;  ///< of each cut
};

}  // namespace gradproof::oracle
