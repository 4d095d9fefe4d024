#include <fmt/core.h>

#include <utility>

#include "oracle/numbers/format_row.h"
#include "properties/findings/hypotheses/hypothesis.h"

namespace gradproof::findings::diagnosis {
namespace {

using oracle::NumberFormat;
using oracle::Rounding;

/// A conversion that befalls the elements of one sign before all are converted as they should be.
struct Conversion {
  NumberFormat format;
  Rounding rounding;
  bool of_negative;
};

void convert_sign(Numbers& numbers, const Conversion& conversion) {
  for (oracle::Number& number : numbers.elements()) {
    if (number.negative != conversion.of_negative) continue;
    number = oracle::convert(conversion.format, number, conversion.rounding);
  }
}

/// Whose elements: gradOutput's, the other operand's, or both.
struct NegatedOperands {
  std::string words;
  bool grad_output, other;
};

Hypothesis converted(const NegatedOperands& operands, const Conversion& conversion) {
  const bool truncates = conversion.rounding == Rounding::TowardZero;
  return {fmt::format("with {} {} alone {} to {}", conversion.of_negative ? "negative" : "positive",
                      operands.words, truncates ? "truncated" : "rounded",
                      oracle::name_of(conversion.format)),
          [is_grad_output = operands.grad_output, is_other = operands.other,
           conversion](const Witness& witness) {
            World world = right_world(witness);
            if (is_grad_output) convert_sign(world.grad_output.changed(), conversion);
            if (is_other) convert_sign(world.other.changed(), conversion);
            return std::optional(std::move(world));
          }};
}

void add_signs(const NegatedOperands& operands, const oracle::Arithmetic& right,
               std::vector<Hypothesis>& into) {
  for (const NumberFormat format : oracle::number_formats) {
    if (oracle::precision(format) >= oracle::precision(right.sums)) continue;
    for (const Rounding rounding : {oracle::default_rounding(format), Rounding::TowardZero}) {
      if (format == right.operands && rounding == right.operand_rounding) continue;
      for (const bool of_negative : {true, false}) {
        into.push_back(converted(operands, {format, rounding, of_negative}));
      }
    }
  }
}

}  // namespace

std::vector<Hypothesis> sign_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!example.has_other()) return hypotheses;
  const oracle::Arithmetic& right = example.arithmetics.front();
  const auto elements_of = [](corpus::InputRole role) {
    return fmt::format("elements of {}", corpus::name_of(role));
  };
  add_signs({elements_of(corpus::InputRole::GradOutput), true, false}, right, hypotheses);
  add_signs({elements_of(example.other_role()), false, true}, right, hypotheses);
  add_signs({"elements of both operands", true, true}, right, hypotheses);
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
