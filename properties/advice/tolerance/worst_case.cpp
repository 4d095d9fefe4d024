#include "properties/advice/tolerance/worst_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "corpus/element_encoding.h"
#include "oracle/arithmetic/summation.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/product_order.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::InputRole;
using corpus::OutputRole;
using oracle::Arithmetic;
using oracle::NumberFormat;

/// One of the two tensors whose elements are multiplied.
struct Operand {
  DataType dtype = DataType::Float;
  /// Part of the heavy factor that a conversion takes away whole, times 2^exponent.
  double significand = 1;
  int exponent = 0;
};

/// A number just below the tie between 1 and the next number of the compute format: its conversion
/// loses all of what is above 1, whichever way ties go.
double converted_worst(NumberFormat memory, NumberFormat compute) {
  const int bits = oracle::precision(compute), finer = oracle::precision(memory);
  if (finer <= bits + 1) return 1;
  return 1 + std::ldexp(1.0, -bits) - std::ldexp(1.0, 1 - finer);
}

/// The largest exponent with which the significand stays within the range and half of what the
/// format and the result can hold.
int exponent_within(double largest, double significand, NumberFormat result) {
  const int within = std::ilogb(largest / significand);
  return std::min(within, std::ilogb(oracle::largest_finite(result)) / 2 - 2);
}

/// True if the first product can lose half a unit. Where FLOAT products are rounded, the first
/// loses half a unit if it is the square of 1 + 2^-12: 1 + 2^-11 and half a unit above it.
bool first_product_can_lose(const Operand& one, const Operand& two, const Arithmetic& arithmetic,
                            const corpus::GradientMachine& machine) {
  return !arithmetic.products_are_exact() && arithmetic.roundings.empty() &&
         machine.product != corpus::MachineProduct::Exact && one.dtype == DataType::Float &&
         two.dtype == DataType::Float;
}

/// Fills the operands of a worst case and lists them.
class Filling {
 public:
  Filling(const Case& call, OutputRole role, const Arithmetic& arithmetic,
          const corpus::GradientMachine& machine, double largest)
      : role_(role),
        other_role_(role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input) {
    const NumberFormat result =
        arithmetic.roundings.empty() ? NumberFormat::Float : arithmetic.roundings.back();
    grad_output_ = operand(call, InputRole::GradOutput, arithmetic);
    other_ = operand(call, other_role_, arithmetic);
    if (first_product_can_lose(grad_output_, other_, arithmetic, machine)) {
      grad_output_.significand = other_.significand = 1 + 0x1p-12;
    }
    for (Operand* each : {&grad_output_, &other_}) {
      each->exponent = exponent_within(largest, each->significand, result);
    }
    squares_first_ = grad_output_.significand == 1 + 0x1p-12 && other_.significand == 1 + 0x1p-12;
  }

  /// The factors of a product of so much, the heavy one being 1; zeros where the dtypes have none.
  WorstCase::Factors factors_of(double product, bool is_heavy) const {
    const bool converts = is_heavy || !squares_first_;
    const double one = converts ? grad_output_.significand : 1;
    if (role_ == OutputRole::GradBias) {
      return encodable({std::ldexp(product, grad_output_.exponent), 1});
    }
    int exponent = 0;
    const double fraction = std::frexp(product, &exponent);
    const int half = exponent / 2;
    return encodable(
        {std::ldexp(2 * fraction * one, half + grad_output_.exponent),
         std::ldexp(converts ? other_.significand : 1, exponent - 1 - half + other_.exponent)});
  }

  void list(const oracle::Factors& at, const WorstCase::Factors& values, Case& call) const {
    add(InputRole::GradOutput, grad_output_.dtype, at.grad_output, values.grad_output, call);
    if (role_ == OutputRole::GradBias) return;
    add(other_role_, other_.dtype, at.other, values.other, call);
  }

 private:
  Operand operand(const Case& call, InputRole role, const Arithmetic& arithmetic) const {
    Operand result{.dtype = corpus::tensor(call, role)->dtype};
    const auto memory = oracle::format_of(result.dtype);
    if (memory && role_ != OutputRole::GradBias) {
      result.significand = converted_worst(*memory, arithmetic.operands);
    }
    return result;
  }

  WorstCase::Factors encodable(const WorstCase::Factors& factors) const {
    const bool first = corpus::encode_exactly(grad_output_.dtype, factors.grad_output).has_value();
    const bool second = role_ == OutputRole::GradBias ||
                        corpus::encode_exactly(other_.dtype, factors.other).has_value();
    return first && second ? factors : WorstCase::Factors{};
  }

  static void add(InputRole role, DataType dtype, const oracle::Shape& at, double value,
                  Case& call) {
    const std::size_t axes = corpus::tensor(call, role)->shape.size() - 2;
    corpus::ListedElement element{.at = {at[0], at[1]}};
    element.at.insert(element.at.end(), at.end() - static_cast<std::ptrdiff_t>(axes), at.end());
    element.bits = corpus::encode_exactly(dtype, value).value_or(0);
    call.data->listed[role].push_back(std::move(element));
  }

  OutputRole role_;
  InputRole other_role_;
  Operand grad_output_, other_;
  bool squares_first_ = false;
};

void add_sums(WorstCase& worst) {
  oracle::Dyadic sum, magnitude;
  for (const WorstCase::Factors& factors : worst.factors) {
    if (factors.grad_output == 0) continue;
    const oracle::Dyadic product = oracle::Dyadic::from_double(factors.grad_output) *
                                   oracle::Dyadic::from_double(factors.other);
    sum += product;
    magnitude += product.magnitude();
  }
  worst.exact = sum.to_double();
  worst.magnitude = magnitude.to_double();
}

double converted(double value, const Arithmetic& arithmetic) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const oracle::Number number{.exponent = exponent - 24,
                              .significand = static_cast<std::uint32_t>(std::ldexp(fraction, 24))};
  return to_double(convert(arithmetic.operands, number, arithmetic.operand_rounding));
}

}  // namespace

corpus::GradientMachine sequential_machine(OutputRole role) {
  corpus::GradientMachine machine;
  machine.gradient = role;
  machine.product = corpus::MachineProduct::Rounded;
  return machine;
}

tl::expected<WorstCase, std::string> worst_case(const Case& call, OutputRole role,
                                                const corpus::GradientMachine& machine,
                                                const Arithmetic& arithmetic, double largest) {
  const auto geometry = oracle::geometry_of(call);
  if (!geometry) return tl::unexpected(geometry.error());
  const oracle::ProductOrder order(*geometry, role, machine.order);
  if (!order.is_possible()) {
    return tl::unexpected(
        fmt::format("sums of {} products are too long for a constructed case; "
                    "at most {}",
                    geometry->longest_reduction(role), oracle::ProductOrder::most_products));
  }
  WorstCase worst{.call = call, .at = oracle::longest_element(*geometry, role)};
  const auto places = order.products_of(worst.at);
  const bool is_explicit = machine.tree.family == corpus::TreeFamily::Explicit;
  if (is_explicit && machine.tree.leaves != static_cast<std::int64_t>(places.size())) {
    return tl::unexpected(fmt::format("the tree has {} leaves, and an element {} products",
                                      machine.tree.leaves, places.size()));
  }
  const WorstProducts products = worst_products(machine, arithmetic, places.size());
  const Filling filling(call, role, arithmetic, machine, largest);
  worst.call.data.emplace().distribution = corpus::Distribution::Listed;
  worst.factors.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i] || products.values[i] == 0) continue;
    worst.factors[i] = filling.factors_of(products.values[i], i == products.heavy);
    if (worst.factors[i].grad_output != 0) filling.list(*places[i], worst.factors[i], worst.call);
  }
  add_sums(worst);
  return worst;
}

std::vector<double> converted_products(const WorstCase& worst, OutputRole role,
                                       const Arithmetic& arithmetic) {
  std::vector<double> products;
  products.reserve(worst.factors.size());
  for (const auto& [grad_output, other] : worst.factors) {
    const bool is_bias = role == OutputRole::GradBias;
    products.push_back(is_bias ? grad_output
                               : converted(grad_output, arithmetic) * converted(other, arithmetic));
  }
  return products;
}

std::optional<double> computed_in_order(const WorstCase& worst,
                                        const corpus::GradientMachine& machine,
                                        const Arithmetic& arithmetic) {
  const corpus::NodeArithmetic float_addition;
  if (!(machine.node == float_addition)) return std::nullopt;
  std::vector<float> products;
  for (const double product : converted_products(worst, machine.gradient, arithmetic)) {
    products.push_back(static_cast<float>(product));
  }
  const oracle::summation::Adding<float> add = [](std::span<const float> parts) {
    double sum = 0;  // exact for two parts of a worst case
    for (const float part : parts) sum += part;
    return static_cast<float>(sum);
  };
  const auto sum = static_cast<double>(oracle::summed<float>(machine.tree, products, add));
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(sum), &exponent);
  const oracle::Truncated exact{
      .negative = sum < 0,
      .exponent = exponent - 53,
      .significand = oracle::Uint128{static_cast<std::uint64_t>(std::ldexp(fraction, 53))}};
  return to_double(rounded_through(arithmetic, exact));
}

}  // namespace gradproof::advice
