#include "oracle/arithmetic/arithmetic_model.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "oracle/facts/case_facts.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::OutputRole;

using ByMathType = std::array<std::optional<NumberFormat>, 4>;

/// The compute format by cubeMathType: KEEP_DTYPE, ALLOW_FP32_DOWN_PRECISION, USE_FP16, USE_HF32.
/// nullopt: the product refuses it. A pair of products and dtype without a row has no gradient at
/// all, unless the dtype is an 8-bit float of Ascend950.
struct ComputeRow {
  ProductClass products;
  DataType promoted;
  ByMathType formats;
};

constexpr NumberFormat half = NumberFormat::Float16;
constexpr NumberFormat brain = NumberFormat::BFloat16;
constexpr NumberFormat single = NumberFormat::Float;
constexpr NumberFormat wide = NumberFormat::Hf32Wide;
constexpr NumberFormat narrow = NumberFormat::Hf32Narrow;

constexpr std::array compute_rows{
    ComputeRow{ProductClass::A1, DataType::Float16, {half, half, half, half}},
    ComputeRow{ProductClass::A1, DataType::Float, {std::nullopt, half, half, std::nullopt}},
    ComputeRow{ProductClass::A23, DataType::Float16, {half, half, half, half}},
    ComputeRow{ProductClass::A23, DataType::Float, {single, wide, half, wide}},
    // USE_FP16: refused by the documents, computed in FLOAT16 by the released library (D-01).
    ComputeRow{ProductClass::A23, DataType::BFloat16, {brain, brain, half, brain}},
    ComputeRow{ProductClass::A5, DataType::Float16, {half, half, half, half}},
    ComputeRow{ProductClass::A5, DataType::Float, {single, narrow, half, narrow}},
    ComputeRow{ProductClass::A5, DataType::BFloat16, {brain, brain, half, brain}},
};

bool is_hf32(NumberFormat format) { return format == wide || format == narrow; }

/// Formats that gradInput's FLOAT sums are rounded to when they leave the cube unit (the conversion
/// of fixpipe): the compute format, unless that is stored as FLOAT.
std::vector<NumberFormat> cube_roundings(NumberFormat compute) {
  if (compute == single || is_hf32(compute)) return {};
  return {compute};
}

/// Rounding to FLOAT is the addition's own, and rounding twice to one format is rounding once (a
/// number of the format stays as it is), so neither is listed.
void append(std::vector<NumberFormat>& roundings, NumberFormat format) {
  const bool rounds = format != NumberFormat::Float;
  if (rounds && (roundings.empty() || roundings.back() != format)) roundings.push_back(format);
}

/// gradInput leaves the cube unit in the compute format and is converted to its dtype then: two
/// roundings where they differ. gradWeight is rounded once.
Arithmetic matrix_arithmetic(OutputRole role, NumberFormat compute, NumberFormat output) {
  Arithmetic result{.operands = compute, .output = output};
  if (!is_hf32(compute)) result.operand_rounding = default_rounding(compute);
  if (role == OutputRole::GradInput) result.roundings = cube_roundings(compute);
  append(result.roundings, output);
  return result;
}

/// The bias gradient never sees the cube unit: gradOutput as it is, added in FLOAT, rounded to its
/// own dtype (ReduceSum returns its input's) and then to the output's.
Arithmetic bias_arithmetic(NumberFormat grad_output, NumberFormat output) {
  Arithmetic result{.operands = grad_output, .output = output};
  append(result.roundings, grad_output);
  append(result.roundings, output);
  return result;
}

/// HF32 operands under each way of rounding that the target may use.
/// A run conforms if one of these admits all its elements: a device rounds all operands alike. The
/// third contains the first two, with a wider bound.
std::vector<Arithmetic> with_hf32_roundings(const Arithmetic& arithmetic, Hf32Rounding rounding) {
  if (!is_hf32(arithmetic.operands)) return {arithmetic};
  Arithmetic even = arithmetic;
  even.operand_rounding = Rounding::NearestEven;
  if (rounding == Hf32Rounding::NearestEven) return {even};
  Arithmetic away = arithmetic;
  away.operand_rounding = Rounding::NearestAway;
  if (rounding == Hf32Rounding::NearestAway) return {away};
  Arithmetic any = arithmetic;
  any.why = "HF32 operands rounded in any direction";
  any.operands = NumberFormat::Float;
  // 2^(1 - p) for a precision of p bits, one unit in the last place: rounding to nearest would err
  // by half of it, but truncation is possible too. Proved: proofs/Limit.v, converted_operand.
  any.operand_slack = precision(arithmetic.operands) == 12 ? 0x1p-11 : 0x1p-10;
  even.why = "HF32 operands rounded to nearest even";
  away.why = "HF32 operands rounded to nearest, ties away from zero";
  return {even, away, any};
}

/// Differences between documents and released behaviour that reach the values.
/// Each way has its reason in `why`: a difference of documents and library by its number (D-nn), or
/// what the mode leaves open. A result that is right in one of the ways is right.
std::vector<Arithmetic> tolerated(const corpus::Case& test_case, OutputRole role,
                                  ProductClass products, DataType promoted,
                                  const Arithmetic& expected) {
  std::vector<Arithmetic> result;
  const bool use_half = math_type_of(test_case) == 2 && products != ProductClass::A1;
  if (use_half && promoted == DataType::BFloat16) {
    result.push_back(matrix_arithmetic(role, brain, expected.output));
    result.back().why = "D-01";
  }
  const bool is_forward = corpus::is_forward(test_case.api);
  if (use_half && promoted == DataType::Float && !is_forward) {
    result.push_back(matrix_arithmetic(role, single, expected.output));
    result.back().why = "D-31";
  }
  // ALLOW_FP32_DOWN_PRECISION allows; it asks for nothing.
  if (test_case.cube_math_type == 1 && promoted == DataType::Float && expected.operands != single) {
    result.push_back(matrix_arithmetic(role, single, expected.output));
    result.back().why = "FLOAT where ALLOW_FP32_DOWN_PRECISION allows less";
  }
  const bool may_be_squeezed = test_case.api == corpus::Api::ConvolutionBackward &&
                               role == OutputRole::GradWeight && products != ProductClass::A5 &&
                               test_case.groups > 1 && expected.output == single &&
                               (expected.operands == half || expected.operands == brain);
  if (may_be_squeezed) {
    result.push_back(expected);
    result.back().roundings = {half};
    result.back().why = "grouped gradWeight through FLOAT16";
  }
  return result;
}

/// Atlas training and inference products saturate and have no other mode; both
/// outcomes are admitted there, since no published result shows which conversions do.
std::vector<Arithmetic> with_overflow_modes(std::vector<Arithmetic> ways, ProductClass products) {
  if (products != ProductClass::A1 && products != ProductClass::Unsupported) return ways;
  const std::size_t count = ways.size();
  for (std::size_t i = 0; i < count; ++i) {
    ways.push_back(ways[i]);
    ways.back().overflow = Overflow::Saturate;
    ways.back().why = "saturating overflow";
  }
  return ways;
}

}  // namespace

std::optional<NumberFormat> compute_format(corpus::Product product, DataType promoted,
                                           int cube_math_type) {
  if (cube_math_type < 0 || cube_math_type > 3) return std::nullopt;
  // The other one that forward operators run on computes like 910B.
  const ProductClass products =
      product == corpus::Product::Ascend310B ? ProductClass::A23 : class_of(product);
  // 8-bit floats have one mode: they are multiplied as they are.
  if (products == ProductClass::A5 && corpus::is_8_bit_float(promoted)) return format_of(promoted);
  const auto* row = std::ranges::find_if(compute_rows, [&](const ComputeRow& candidate) {
    return candidate.products == products && candidate.promoted == promoted;
  });
  if (row == std::end(compute_rows)) return std::nullopt;
  return row->formats.at(to_size(cube_math_type));
}

int math_type_of(const corpus::Case& test_case) {
  // The released forward operators take 4 for 0.
  if (corpus::is_forward(test_case.api) && test_case.cube_math_type == 4) return 0;
  if (!corpus::has_attributes(test_case.api)) return test_case.cube_math_type;
  return test_case.attributes && test_case.attributes->enable_hf32.value_or(false) ? 3 : 0;
}

/// True if all tensors that the gradient is made of are DOUBLE, and it is: a function of tensors
/// may compute so.
bool is_double_throughout(const corpus::Case& test_case, OutputRole role) {
  if (tensor(test_case, role)->dtype != DataType::Double) return false;
  return std::ranges::all_of(corpus::input_roles, [&](corpus::InputRole operand) {
    const bool is_read = role != OutputRole::GradBias || operand == corpus::InputRole::GradOutput;
    const auto& described = tensor(test_case, operand);
    return !is_read || !described || described->dtype == DataType::Double;
  });
}

/// gradBias is added by the vector unit, whatever cubeMathType says.
std::vector<Arithmetic> arithmetics(const corpus::Case& test_case, OutputRole role,
                                    const JudgeSettings& settings) {
  const auto product = corpus::product_of(test_case);
  const auto output = format_of(tensor(test_case, role)->dtype);
  if (!product || !output) return {};
  if (is_double_throughout(test_case, role)) {
    constexpr auto twice = NumberFormat::Double;
    return {Arithmetic{.operands = twice, .sums = twice, .output = twice}};
  }
  const ProductClass products = class_of(*product);
  if (role == OutputRole::GradBias) {
    const auto grad_output = format_of(test_case.grad_output->dtype);
    if (!grad_output) return {};
    return with_overflow_modes({bias_arithmetic(*grad_output, *output)}, products);
  }
  const auto promoted = facts_of(test_case, *product).promoted;
  if (!promoted) return {};
  const auto compute = compute_format(*product, *promoted, math_type_of(test_case));
  if (!compute) return {};
  const Arithmetic expected = matrix_arithmetic(role, *compute, *output);
  const bool is_forward = corpus::is_forward(test_case.api);
  auto ways = with_hf32_roundings(expected, settings.hf32_rounding);
  if (settings.profile == Profile::Tolerant) {
    std::ranges::copy(tolerated(test_case, role, products, *promoted, expected),
                      std::back_inserter(ways));
  }
  if (is_forward && settings.profile != Profile::Documented) {
    std::ranges::copy(by_matrix_products(test_case, expected), std::back_inserter(ways));
  }
  if (is_forward) ways = with_bias(test_case, ways, settings.profile);
  return with_overflow_modes(std::move(ways), products);
}

/// The number after the roundings from the one at `begin` on.
static Number converted_from(const Arithmetic& arithmetic, std::size_t begin, Number number) {
  for (std::size_t i = begin; i < arithmetic.roundings.size(); ++i) {
    const NumberFormat format = arithmetic.roundings[i];
    number = convert(format, number, default_rounding(format), arithmetic.overflow);
  }
  return number;
}

Number rounded_through(const Arithmetic& arithmetic, const Truncated& exact) {
  if (arithmetic.roundings.empty()) {
    return round_to(arithmetic.sums, exact, Rounding::NearestEven, arithmetic.overflow);
  }
  const NumberFormat first = arithmetic.roundings.front();
  return converted_from(arithmetic, 1,
                        round_to(first, exact, default_rounding(first), arithmetic.overflow));
}

Number rounded_through(const Arithmetic& arithmetic, const Truncated& exact, const Number& bias) {
  const NumberFormat first = arithmetic.roundings.at(0), second = arithmetic.roundings.at(1);
  Number number = round_to(first, exact, default_rounding(first), arithmetic.overflow);
  if (number.is_finite()) {
    const Dyadic sum = Dyadic(number) + Dyadic(bias);
    number = round_to(second, sum.truncated(), default_rounding(second), arithmetic.overflow);
  }
  return converted_from(arithmetic, number.is_finite() ? 2 : 1, number);
}

}  // namespace gradproof::oracle
