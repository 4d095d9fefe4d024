#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/arithmetic/admissible_interval.h"
#include "oracle/arithmetic/error_bound.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/tile_bounds.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

enum class Decision : std::uint8_t {
  Right,
  Wrong,
  NotCompared,  ///< the element's value is not defined well enough: a guard of the bound
};

/// How far a computed element may be from the exact one, and why. For reports: doubles, rounded.
/// Units: those of the output.
struct Allowance {
  double error = 0;  ///< |computed - exact|
  double reach = 0;  ///< what is admitted of it, roundings of the output included
  std::string words = {};
};

/// Decides single elements of one output. What only a few cases need (sums of magnitudes, counts of
/// terms) is computed when it is first asked for, for all elements at once.
/// A verdict never rests on a rounded number: tests in doubles have margins that their rounding
/// errors cannot cross, and decide only beyond them; what lies within is decided over GMP.
class ElementJudge {
 public:
  explicit ElementJudge(const ComparisonBasis& basis);

  /// Result of the chain of roundings for the exact value, or for its infinities and NaN.
  Number expected(std::size_t index) const;

  /// `expected`: that of the element.
  Decision decide(std::size_t index, const Number& computed, const Number& expected);

  /// |computed - exact| as a share of what is admitted; infinite where nothing is.
  /// In tiles it may be smaller than that of a sum of products, which is what one of at most `low`
  /// is given as.
  double ratio(std::size_t index, const Number& computed, double low = 0);

  /// The largest |computed - exact| that is admitted, roundings of the output included, in doubles;
  /// infinite where an admitted result is. NaN where the element is not compared, or has a special
  /// product.
  double reach(std::size_t index);

  /// The bound of an element without specials, in words for a person.
  Allowance allowance(std::size_t index, const Number& computed);

  /// Elements decided so far that are right in tiles alone, beyond what adding products allows.
  std::uint64_t right_in_tiles() const { return right_in_tiles_; }

  bool is_zero(std::size_t index) const { return sums_.is_zero(index); }
  /// The exact sum, off by less than 2^-52 of itself: for figures.
  double exact(std::size_t index) const;
  /// True if a product of the element is infinite or NaN.
  bool has_special_product(std::size_t index) const;
  bool has_no_specials() const { return specials_.empty(); }
  const ExactTensor& sums() const { return sums_; }
  /// K: non-zero products of the element.
  std::uint64_t terms(std::size_t index);

  /// What can be said of an element, strongest first.
  enum class Regime : std::uint8_t {
    Exact,      ///< every partial sum in every order is exact: equality
    Bounded,    ///< the rigorous bound
    Undefined,  ///< a partial sum may overflow, or the bound has no value
  };
  Regime regime(std::size_t index);

 private:
  bool slack_is_defined() const;
  /// True if doubles tell |computed - exact| and the bound well enough.
  bool has_estimate(const Number& computed) const;
  /// |computed - exact| of a finite number; and in doubles, of any.
  Dyadic exact_error(std::size_t index, const Number& computed) const;
  double error(std::size_t index, const Number& computed) const;
  bool is_on_grid(double magnitude, std::size_t index) const;
  bool may_overflow(double magnitude, std::size_t index) const;
  bool is_certainly_within_bound(std::size_t index, const Number& computed);
  bool is_certainly_beyond_bound(std::size_t index, const Number& computed, Regime found) const;
  /// Error that the target's order allows, underflow apart; nullopt if it is not known.
  std::optional<double> ordered_bound(std::size_t index) const;
  bool has_ordered_bound(std::size_t index) const { return ordered_bound(index).has_value(); }
  Dyadic bound(std::size_t index);
  AdmissibleInterval interval(std::size_t index);
  Decision decide_directly(std::size_t index, const Number& computed, const Number& expected);
  Decision decide_in_tiles(std::size_t index, const Number& computed);
  /// Bounds by the element's tiles; nullopt if the output is not computed in tiles.
  std::optional<TileTerms> terms_in_tiles(std::size_t index) const;
  double direct_ratio(std::size_t index, const Number& computed);
  std::string bound_words(std::size_t index);
  Decision decide_special(std::size_t index, const Number& computed, const Number& expected);
  void measure();
  double subnormal_magnitude(std::size_t index) const;

  ComparisonBasis basis_;
  ErrorBound bound_;
  ExactTensor sums_;
  std::vector<Specials> specials_;
  int grid_exponent_ = 0;        ///< the sums' format holds every multiple of a unit up to this
  int overflow_exponent_ = 0;    ///< from about 2^this on it is infinite
  bool has_estimates_ = false;   ///< doubles tell errors of sums in this format
  bool has_subnormals_ = false;  ///< among the operands
  bool operands_may_vanish_ = false;  ///< subnormal ones, read as zero
  bool grid_fits_ = false;
  bool all_exact_ = false;
  std::uint64_t right_in_tiles_ = 0;

  /// Of all elements, in their order: S, K, and the part of S with a subnormal operand (empty where
  /// none can vanish).
  struct Measures {
    ExactTensor magnitudes;
    std::vector<std::uint32_t> terms;
    std::vector<double> subnormal_magnitudes;
  };
  std::optional<Measures> measures_;
};

}  // namespace gradproof::oracle
