#include "properties/advice/tensors/typical_share.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "corpus/random_source.h"
#include "oracle/arithmetic/random_sum.h"
#include "oracle/gradients/contributions.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "properties/advice/explain/typical_error.h"

namespace gradproof::advice {
namespace {

using findings::diagnosis::Witness;
using oracle::Arithmetic;
using oracle::NumberFormat;
using oracle::Shape;
using Clock = std::chrono::steady_clock;

/// Products that are looked at, and elements that are at least.
constexpr std::uint64_t most_products = 2'000'000, least_elements = 16;
/// Elements with the largest shares at a glance, whose shares are worked out.
constexpr std::size_t worked_out = 4;

struct Element {
  std::size_t index = 0;
  double error = 0;
  double rounding = 0;  ///< half a unit of the formats that the sum is rounded to
  double glance = 0;    ///< its share with a normal law in place of the right one
};

class Shares {
 public:
  Shares(const Witness& witness, const Arithmetic& way, std::uint64_t seed, Clock::time_point until)
      : until_(until),
        witness_(witness),
        way_(way),
        seed_(seed),
        shape_(witness.geometry.shape(witness.role)),
        computed_(oracle::decoded(way.output, witness.observed.bits, shape_)) {}

  std::optional<TypicalShare> operator()(const std::optional<Shape>& worst) const {
    std::vector<Element> elements;
    for (const std::size_t index : chosen(worst)) {
      if (Clock::now() >= until_) break;
      if (const auto element = glance_at(index)) elements.push_back(*element);
    }
    if (elements.empty()) return std::nullopt;
    TypicalShare result{.elements = elements.size()};
    const auto count = std::min(elements.size(), worked_out);
    std::partial_sort(
        elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count), elements.end(),
        [](const Element& one, const Element& other) { return one.glance > other.glance; });
    for (std::size_t i = 0; i < count && Clock::now() < until_; ++i) {
      result.share = std::max(result.share, share_of(elements[i]));
    }
    return result;
  }

 private:
  std::vector<std::size_t> chosen(const std::optional<Shape>& worst) const {
    const auto terms = static_cast<std::uint64_t>(
        std::max<std::int64_t>(1, witness_.geometry.longest_reduction(witness_.role)));
    const std::uint64_t all = computed_.size();
    const std::uint64_t count = std::min(all, std::max(most_products / terms, least_elements));
    std::vector<std::size_t> indices;
    if (worst) indices.push_back(oracle::offset_of(shape_, *worst));
    for (std::uint64_t i = 0; i < count; ++i) {
      // A regular step would meet the same position of every row.
      indices.push_back(count == all ? i : corpus::mixed(seed_ + i) % all);
    }
    std::ranges::sort(indices);
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
  }

  double multiplied(const oracle::Number& number) const {
    if (way_.operands == NumberFormat::Float || number.is_zero()) return oracle::to_double(number);
    return oracle::to_double(
        oracle::convert(way_.operands, number, way_.operand_rounding, way_.overflow));
  }

  std::vector<double> products_of(std::size_t index) const {
    std::vector<double> products;
    oracle::for_each_contribution(
        witness_.geometry, witness_.role, oracle::coordinate_of(shape_, index),
        [&](const Shape& grad_output, const Shape& other) {
          const double one = multiplied(witness_.grad_output.at(grad_output));
          const double product =
              witness_.has_other() ? one * multiplied(witness_.other.at(other)) : one;
          if (product != 0) products.push_back(product);
          return true;
        });
    return products;
  }

  /// Element seen quickly; nullopt: nothing is added, or what is not finite.
  std::optional<Element> glance_at(std::size_t index) const {
    double sum = 0, squares = 0;
    const auto products = products_of(index);
    for (const double product : products) {
      sum += product;
      squares += product * product;
    }
    const double computed = oracle::to_double(computed_[index]);
    if (products.empty() || !std::isfinite(squares) || !std::isfinite(computed)) {
      return std::nullopt;
    }
    Element element{.index = index, .error = std::fabs(computed - sum)};
    for (const NumberFormat format : way_.roundings) {
      if (sum != 0) element.rounding += std::ldexp(0.5, unit_exponent(format, std::ilogb(sum)));
    }
    // K roundings of partial sums t: in random order the mean of t^2 is squares / 6 + sum^2 / 3.
    constexpr double unit_roundoff = 0x1p-24;
    const double mean_square = static_cast<double>(products.size()) *
                               (squares / 6 + sum * sum / 3) * unit_roundoff * unit_roundoff;
    element.glance = element.error / (element.rounding + std::sqrt(mean_square));
    return element;
  }

  double share_of(const Element& element) const {
    if (element.error == 0) return 0;
    const auto products = products_of(element.index);
    const bool is_bias = !witness_.has_other();
    oracle::RandomSum sum(oracle::addend_law(products, way_, is_bias),
                          static_cast<std::int64_t>(products.size()));
    const double typical = element.rounding + sum.quantile(typical_rate);
    return typical > 0 ? element.error / typical : 0;
  }

  Clock::time_point until_;
  const Witness& witness_;
  const Arithmetic& way_;
  std::uint64_t seed_;
  Shape shape_;
  findings::diagnosis::Numbers computed_;
};

}  // namespace

std::optional<TypicalShare> typical_share(const Witness& witness, std::string_view format,
                                          const std::optional<Shape>& worst, std::uint64_t seed,
                                          Clock::time_point until) {
  const auto way = std::ranges::find_if(witness.arithmetics, [&](const Arithmetic& one) {
    return oracle::name_of(one.operands) == format && one.operand_slack == 0;
  });
  if (way == witness.arithmetics.end()) return std::nullopt;
  return Shares(witness, *way, seed, until)(worst);
}

}  // namespace gradproof::advice
