#include "oracle/judge/comparison.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "oracle/arithmetic/precision_standard.h"
#include "oracle/judge/element_judge.h"
#include "oracle/judge/rounded_match.h"
#include "oracle/judge/sum_scope.h"
#include "oracle/numbers/ceil_log2.h"
#include "oracle/numbers/check.h"
#include "oracle/numbers/ulp.h"

namespace gradproof::oracle {
namespace {

/// The bin of a histogram of distances in ULP, which are whole numbers or infinite: 0, then
/// (2^(b-2), 2^(b-1)] for bin b; the last bin also holds all beyond.
std::size_t bin_of(double ulps, std::size_t bins) {
  if (ulps == 0) return 0;
  if (ulps > std::ldexp(1.0, static_cast<int>(bins))) return bins - 1;
  return std::min(to_size(1 + std::max(ceil_log2(ulps), -1)), bins - 1);
}

/// The element that is furthest outside its bound, or, without a breach, nearest to it.
/// An order: breaches before others, then the larger share of what is admitted, then the larger
/// distance in ULP; the first of equals stays.
struct Worst {
  std::size_t index = 0;
  bool is_breach = false;
  double ratio = -1, ulps = 0;

  bool is_worse_than(const Worst& other) const {
    if (is_breach != other.is_breach) return is_breach;
    if (ratio != other.ratio) return ratio > other.ratio;
    return ulps > other.ulps;
  }
};

/// "FLOAT16, then to BF16".
std::string roundings_words(const Arithmetic& arithmetic) {
  std::vector<std::string_view> names;
  for (const NumberFormat one : arithmetic.roundings) names.push_back(name_of(one));
  if (names.empty()) names.push_back(name_of(NumberFormat::Float));
  return fmt::format("{}", fmt::join(names, ", then to "));
}

/// "F(3x3,2x2) (admitted by ...)"; empty: sums of products.
std::string algorithm_words(const ComparisonBasis& basis) {
  if (basis.tiles == nullptr) return {};
  const TileForm& form = basis.tiles->form();
  return fmt::format("{} ({})", words(form), form.why);
}

/// Why no other value is right; nothing where every order of addition leads to it.
std::string demand(bool is_special, const Allowance& allowance) {
  if (is_special) return "infinities and NaN follow IEEE rules; ";
  if (allowance.words.starts_with("0:")) return {};
  return fmt::format("error {:.4g} exceeds the bound {}; ", allowance.error, allowance.words);
}

class TensorComparison {
 public:
  TensorComparison(const ComparisonBasis& basis, const corpus::OutputObservation& observed,
                   const std::vector<std::int64_t>& shape)
      : basis_(basis),
        observed_(observed),
        shape_(shape),
        judge_(basis),
        metrics_(basis.arithmetic) {}

  Comparison operator()() {
    elements_ = to_size(*corpus::element_count(shape_));
    check(observed_.bits.size() % std::max<std::size_t>(elements_, 1) == 0,
          "a tensor's bytes match its shape");
    corpus::OutputEvidence& evidence = result_.evidence;
    evidence.compared = true;
    evidence.elements = elements_;
    evidence.compute_format = name_of(basis_.arithmetic.operands);
    evidence.reduction_length = static_cast<std::uint64_t>(basis_.exact.longest_sum());
    evidence.sums_are_exact =
        basis_.tiles == nullptr &&
        every_sum_is_exact(scope_of(basis_.exact), basis_.arithmetic, basis_.adder);
    const bool may_match = basis_.indices == nullptr && !basis_.each_element_alone;
    if (may_match && judge_.has_no_specials()) {
      add_matches_and_others();
    } else {
      for (std::size_t i = 0; i < basis_.exact.size(); ++i) add(i, computed(i));
    }
    metrics_.write_to(evidence);
    evidence.bound_ratio = std::max(worst_.ratio, 0.0);
    if (worst_.ratio >= 0) describe_worst(computed(worst_.index));
    evidence.in_tiles = judge_.right_in_tiles();
    result_.algorithm = algorithm_words(basis_);
    return std::move(result_);
  }

 private:
  NumberFormat format() const { return basis_.arithmetic.output; }

  /// Row-major index in the output of the i-th exact element.
  std::size_t place_of(std::size_t index) const {
    return basis_.indices == nullptr ? index : (*basis_.indices)[index];
  }

  std::size_t element_size() const { return observed_.bits.size() / elements_; }

  Number computed(std::size_t index) const {
    const std::span bits = observed_.bits;
    Number number;
    decode_all(format(), bits.subspan(place_of(index) * element_size(), element_size()),
               std::span(&number, 1));
    return number;
  }

  std::vector<std::int64_t> coordinate_in_output(std::size_t index) const {
    if (!basis_.order) return coordinate(place_of(index), shape_);
    const Shape own = five_axes(shape_);
    const Shape logical = in_logical_order(own, *basis_.order);
    const Shape at = in_tensor_order(coordinate_of(logical, place_of(index)), *basis_.order);
    return {at.begin(), at.begin() + static_cast<std::ptrdiff_t>(shape_.size())};
  }

  /// Nearly all elements of a right output are the exact value rounded: those are recognised a
  /// block at a time in doubles, and only the others are decided one by one.
  void add_matches_and_others() {
    RoundedMatch match(judge_.sums(), basis_.arithmetic);
    for (std::size_t first = 0; first < elements_; first += RoundedMatch::block) {
      const std::size_t count = std::min(RoundedMatch::block, elements_ - first);
      match.look_at(
          first, count,
          std::span(observed_.bits).subspan(first * element_size(), count * element_size()));
      for (std::size_t i = 0; i < count; ++i) {
        if (match.holds(i)) {
          add_match(match.computed(i), match.exact(i));
        } else {
          add(first + i, computed(first + i));
        }
      }
    }
  }

  /// What `add` does with an element that is the exact value rounded, and finite: such an element
  /// is right in every regime, because the exact value lies in its own interval.
  void add_match(double computed, double exact) {
    corpus::OutputEvidence& evidence = result_.evidence;
    result_.exact_zeros += exact == 0 ? 1 : 0;
    ++evidence.compared_elements;
    ++evidence.ulp_histogram.front();
    metrics_.add_rounded(computed, exact);
  }

  void add(std::size_t index, const Number& computed) {
    corpus::OutputEvidence& evidence = result_.evidence;
    result_.exact_zeros += judge_.is_zero(index) && !judge_.has_special_product(index) ? 1 : 0;
    const Number expected = judge_.expected(index);
    const Decision decision = judge_.decide(index, computed, expected);
    if (decision == Decision::NotCompared) {
      result_.uncompared_specials += judge_.has_special_product(index) ? 1 : 0;
      return;
    }
    ++evidence.compared_elements;
    const double ulps = distance(decision, computed, expected);
    evidence.ulp_max = std::max(evidence.ulp_max, ulps);
    ++evidence.ulp_histogram.at(bin_of(ulps, evidence.ulp_histogram.size()));
    if (expected.is_finite()) metrics_.add(computed, judge_.exact(index), expected);
    if (decision == Decision::Wrong) add_breach(index);
    if (ulps > 0) consider(index, computed, decision, ulps);
  }

  /// Where both a NaN and a number are admitted, the NaN counts as distance 0.
  /// In codes of the output's format between computed and expected (numbers/ulp.h), not between
  /// computed and exact.
  double distance(Decision decision, const Number& computed, const Number& expected) const {
    const bool is_admitted_nan =
        decision == Decision::Right && (computed.is_nan() || expected.is_nan());
    if (is_admitted_nan || same_value(computed, expected)) return 0;
    return ulp_distance(format(), computed, expected);
  }

  /// An element with the bits that it had before the run counts as unwritten.
  /// A correct kernel may compute the very bits that were there; only breaches are counted, so such
  /// an element is no finding.
  void add_breach(std::size_t index) {
    ++result_.evidence.breaches;
    const std::size_t size = element_size();
    const std::size_t offset = place_of(index) * size;
    const bool has_before = observed_.before.size() == observed_.bits.size();
    const bool is_unwritten =
        has_before &&
        std::memcmp(observed_.bits.data() + offset, observed_.before.data() + offset, size) == 0;
    result_.unwritten += is_unwritten ? 1 : 0;
  }

  void consider(std::size_t index, const Number& computed, Decision decision, double ulps) {
    Worst candidate{.index = index, .is_breach = decision == Decision::Wrong, .ulps = ulps};
    candidate.ratio = std::numeric_limits<double>::infinity();
    if (computed.is_finite() && !judge_.has_special_product(index)) {
      candidate.ratio = judge_.ratio(index, computed, std::max(worst_.ratio, 0.0));
    } else if (decision == Decision::Right) {
      candidate.ratio = 1;  // an overflow that is admitted
    }
    if (candidate.is_worse_than(worst_)) worst_ = candidate;
  }

  void describe_worst(const Number& computed) {
    const std::size_t index = worst_.index;
    const Number expected = judge_.expected(index);
    corpus::WorstElement worst{.at = coordinate_in_output(index),
                               .computed = words(format(), computed),
                               .exact = right_words(index, expected),
                               .bound = {},
                               .terms = judge_.terms(index)};
    const bool is_special = judge_.has_special_product(index);
    const Allowance allowance = is_special ? Allowance{} : judge_.allowance(index, computed);
    worst.bound = is_special ? "IEEE rules for infinities and NaN" : allowance.words;
    if (worst_.is_breach) {
      result_.worst_is_nan = computed.is_nan() != expected.is_nan();
      result_.finding =
          fmt::format("{}: computed {}, expected {}; {}{} of {} elements differ", words(worst.at),
                      worst.computed, worst.exact, demand(is_special, allowance),
                      result_.evidence.breaches, result_.evidence.elements);
    }
    result_.evidence.worst = std::move(worst);
  }

  /// The right value with its bits, and where it comes from: "2 (0x40000000): the exact sum", "inf
  /// (0x7f800000): the exact sum 131072 rounded to FLOAT16".
  std::string right_words(std::size_t index, const Number& expected) const {
    std::string right = words(format(), expected);
    if (judge_.has_special_product(index)) return right;
    const double exact = judge_.exact(index);
    if (exact == to_double(expected)) return right + ": the exact sum";
    return fmt::format("{}: the exact sum {} rounded to {}", right, exact,
                       roundings_words(basis_.arithmetic));
  }

  ComparisonBasis basis_;
  const corpus::OutputObservation& observed_;
  const std::vector<std::int64_t>& shape_;
  ElementJudge judge_;
  ErrorMetrics metrics_;
  Worst worst_;
  Comparison result_;
  std::size_t elements_ = 0;  ///< of the whole output
};

}  // namespace

Comparison compare(const ComparisonBasis& basis, const corpus::OutputObservation& observed,
                   const std::vector<std::int64_t>& shape) {
  return TensorComparison(basis, observed, shape)();
}

std::string words(NumberFormat format, const Number& number) {
  return fmt::format("{} (0x{:0{}x})", to_double(number), encode(format, number),
                     2 * row(format).word_bytes);
}

std::vector<std::int64_t> coordinate(std::uint64_t index, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> at(shape.size());
  auto rest = static_cast<std::int64_t>(index);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = rest % shape[axis];
    rest /= shape[axis];
  }
  return at;
}

std::string words(const std::vector<std::int64_t>& coordinate) {
  return fmt::format("[{}]", fmt::join(coordinate, ","));
}

}  // namespace gradproof::oracle
