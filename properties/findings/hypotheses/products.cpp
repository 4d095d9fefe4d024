#include "properties/findings/hypotheses/products.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/comparison.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/dyadic.h"
#include "properties/findings/hypotheses/words.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using oracle::Dyadic;
using oracle::Geometry;
using oracle::Shape;

std::vector<std::size_t> non_zeros(const Numbers& numbers) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].is_finite() && !numbers[i].is_zero()) found.push_back(i);
  }
  return found;
}

/// Visits the places in gradWeight of the product of two elements of the maps: through each tap at
/// which they meet.
void meet_in_weight(const Geometry& geometry, const Shape& small, const Shape& big,
                    const std::function<void(const Shape&)>& visit) {
  const std::int64_t first = small[1] / geometry.small_channels * geometry.big_channels;
  Shape tap{small[1], big[1] - first, 0, 0, 0};
  if (small[0] != big[0] || tap[1] < 0 || tap[1] >= geometry.big_channels) return;
  const auto& axes = geometry.axes;
  for (tap[2] = 0; tap[2] < axes[0].kernel; ++tap[2]) {
    if (axes[0].big_at(small[2], tap[2]) != big[2]) continue;
    for (tap[3] = 0; tap[3] < axes[1].kernel; ++tap[3]) {
      if (axes[1].big_at(small[3], tap[3]) != big[3]) continue;
      for (tap[4] = 0; tap[4] < axes[2].kernel; ++tap[4]) {
        if (axes[2].big_at(small[4], tap[4]) == big[4]) visit(tap);
      }
    }
  }
}

/// Place in gradInput of the product of gradOutput and weight.
std::optional<Shape> met_in_input(const Geometry& geometry, const Shape& grad_output,
                                  const Shape& tap) {
  const std::int64_t first = tap[0] / geometry.small_channels * geometry.big_channels;
  Shape met = grad_output;
  if (geometry.transposed ? grad_output[1] != first + tap[1] : grad_output[1] != tap[0]) {
    return std::nullopt;
  }
  met[1] = geometry.transposed ? tap[0] : first + tap[1];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& axis = geometry.axes[i];
    const auto position = geometry.transposed ? axis.small_at(grad_output[i + 2], tap[i + 2])
                                              : axis.big_at(grad_output[i + 2], tap[i + 2]);
    if (!position) return std::nullopt;
    met[i + 2] = *position;
  }
  return met;
}

/// The single elements of one witness, worked out.
class ElementWords {
 public:
  explicit ElementWords(const Witness& witness)
      : witness_(witness),
        arithmetic_(witness.arithmetics.front()),
        grad_output_(multiplied(witness.grad_output)),
        other_(witness.has_other() ? multiplied(witness.other) : Numbers{}),
        computed_(oracle::decoded(arithmetic_.output, witness.observed.bits,
                                  witness.geometry.shape(witness.role))) {}

  std::vector<std::string> operator()() {
    const bool is_small =
        oracle::extent_of(grad_output_).non_zeros <= most_non_zeros &&
        (!witness_.has_other() || oracle::extent_of(other_).non_zeros <= most_non_zeros);
    if (!is_small) return {};
    find_products();
    find_errors();
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < errors_.size() && sentences.size() < most_sentences; ++i) {
      if (!errors_[i] || errors_[i]->is_zero()) continue;
      if (auto sentence = explained(i); !sentence.empty()) sentences.push_back(sentence);
    }
    return sentences;
  }

 private:
  static constexpr std::size_t most_non_zeros = 32, most_sentences = 4;

  struct Term {
    Product product;
    Dyadic value;
  };

  Numbers multiplied(const Numbers& numbers) const {
    if (arithmetic_.operands == arithmetic_.sums) return numbers;
    return oracle::converted(numbers, arithmetic_.operands, arithmetic_.operand_rounding,
                             arithmetic_.overflow);
  }

  void find_products() {
    if (witness_.has_other()) {
      for (const Product& product :
           products_of(witness_.geometry, witness_.role, grad_output_, other_)) {
        terms_.push_back({product, value_of(product)});
      }
      return;
    }
    const Shape shape = grad_output_.shape();
    for (const std::size_t index : non_zeros(grad_output_)) {
      const auto channel = to_size(oracle::coordinate_of(shape, index)[1]);
      terms_.push_back({{index, 0, channel}, Dyadic(grad_output_[index])});
    }
  }

  Dyadic value_of(const Product& product) const {
    return Dyadic(grad_output_[product.grad_output]) * Dyadic(other_[product.other]);
  }

  /// Finds the errors, computed less exact, where there is such a number.
  void find_errors() {
    std::vector<Dyadic> exact(computed_.size());
    for (const Term& term : terms_) exact[term.product.output] += term.value;
    exact_ = exact;
    for (std::size_t i = 0; i < computed_.size(); ++i) {
      const oracle::Number right = oracle::rounded_through(arithmetic_, exact[i].truncated());
      if (oracle::same_value(right, computed_[i])) {
        errors_.emplace_back(Dyadic());
      } else if (computed_[i].is_finite()) {
        errors_.emplace_back(Dyadic(computed_[i]) - exact[i]);
      } else {
        errors_.emplace_back(std::nullopt);
      }
    }
  }

  std::string explained(std::size_t output) const {
    const Dyadic& error = *errors_[output];
    for (const Term& term : terms_) {
      const bool is_here = term.product.output == output;
      if (is_here && error == -term.value) return missing(term);
      if (is_here && error == term.value) {
        return fmt::format("{} counts {} twice", name(output), words(term));
      }
      if (!is_here && error == term.value) return misplaced(term, output);
    }
    if (is_rounding(output)) {
      return fmt::format("{} is {} where the products give {:.9g}: misrounded", name(output),
                         oracle::words(arithmetic_.output, computed_[output]),
                         exact_[output].to_double());
    }
    return strange_product(output);
  }

  std::string missing(const Term& term) const {
    // The element that received it says where it went, if it went anywhere.
    return fmt::format("{} lacks {}{}", name(term.product.output), words(term), places(term));
  }

  std::string misplaced(const Term& term, std::size_t output) const {
    return fmt::format("{} contains {}, which belongs to {}{}", name(output), words(term),
                       name(term.product.output), places(term));
  }

  bool is_rounding(std::size_t output) const {
    const double exact = std::abs(exact_[output].to_double());
    return exact > 0 && std::abs(errors_[output]->to_double()) < exact / 8;
  }

  /// A product of two elements that do not meet at all.
  std::string strange_product(std::size_t output) const {
    if (!witness_.has_other()) return {};
    for (const std::size_t a : non_zeros(grad_output_)) {
      for (const std::size_t b : non_zeros(other_)) {
        const Term term{{a, b, output}, value_of({a, b, output})};
        const bool meets = std::ranges::any_of(terms_, [&](const Term& other) {
          return other.product.grad_output == a && other.product.other == b;
        });
        if (!meets && *errors_[output] == term.value) {
          return fmt::format("{} contains {}, which do not meet", name(output), words(term));
        }
      }
    }
    return {};
  }

  std::string name(std::size_t output) const {
    return element_words(witness_, witness_.role, output);
  }

  /// "; gradOutput's is the last row of 2"
  std::string places(const Term& term) const {
    std::string text;
    const auto add = [&](InputRole role, std::size_t index) {
      const std::string place = place_words(witness_, role, index);
      if (!place.empty()) text += fmt::format("; {}'s is {}", corpus::name_of(role), place);
    };
    add(InputRole::GradOutput, term.product.grad_output);
    if (witness_.has_other()) add(witness_.other_role(), term.product.other);
    return text;
  }

  std::string words(const Term& term) const {
    const std::string left =
        element_words(witness_, InputRole::GradOutput, term.product.grad_output);
    if (!witness_.has_other()) return fmt::format("{} = {:.9g}", left, term.value.to_double());
    return fmt::format("the product {} * {} = {:.9g}", left,
                       element_words(witness_, witness_.other_role(), term.product.other),
                       term.value.to_double());
  }

  const Witness& witness_;
  const oracle::Arithmetic& arithmetic_;
  Numbers grad_output_, other_, computed_;
  std::vector<Term> terms_;
  std::vector<Dyadic> exact_;
  std::vector<std::optional<Dyadic>> errors_;
};

}  // namespace

std::vector<Product> products_of(const Geometry& geometry, OutputRole role,
                                 const Numbers& grad_output, const Numbers& other) {
  std::vector<Product> products;
  const Shape output = geometry.shape(role);
  const auto of_other = non_zeros(other);
  for (const std::size_t a : non_zeros(grad_output)) {
    const Shape at_a = oracle::coordinate_of(grad_output.shape(), a);
    for (const std::size_t b : of_other) {
      const Shape at_b = oracle::coordinate_of(other.shape(), b);
      const auto add = [&](const Shape& at) {
        products.push_back({a, b, oracle::offset_of(output, at)});
      };
      if (role == OutputRole::GradWeight) {
        const bool transposed = geometry.transposed;
        meet_in_weight(geometry, transposed ? at_b : at_a, transposed ? at_a : at_b, add);
      } else if (const auto met = met_in_input(geometry, at_a, at_b)) {
        add(*met);
      }
    }
  }
  return products;
}

std::vector<std::string> wrong_products(const Witness& witness) { return ElementWords(witness)(); }

}  // namespace gradproof::findings::diagnosis
