#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/data_type.h"
#include "corpus/product.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// The format that operands have when they are multiplied, or nullopt where the product refuses the
/// combination. Source: aclnnConvolutionBackward, cubeMathType.
std::optional<NumberFormat> compute_format(corpus::Product product, corpus::DataType promoted,
                                           int cube_math_type);

/// The cubeMathType of a call; that of a graph operator is USE_HF32 where it enables HF32, else
/// KEEP_DTYPE.
int math_type_of(const corpus::Case& test_case);

/// One way in which a gradient may be computed: operands converted, multiplied, added in FLOAT (in
/// DOUBLE where all tensors are, which no product of CANN's does) in any order, and the sum rounded
/// by a chain of roundings R:
///   result = R(sum of convert(a_i) * convert(b_i)), the sum evaluated in FLOAT.
/// The conversions are exact functions of the bits and are applied to the operands before the exact
/// sums are taken; only the summation has an error bound.
/// Source: aclnnConvolutionBackward, cubeMathType; the tables of docs/gradients.md.
struct Arithmetic {
  std::string_view why = {};  ///< the rule that allows it; empty: what the specification says
  NumberFormat operands = NumberFormat::Float;  ///< converted to this first, bit by bit
  Rounding operand_rounding = Rounding::NearestEven;
  /// h: operands are rounded to HF32 in an unspecified direction. `operands` is Float then, and the
  /// multiplied operand is a (1 + d) with |d| <= h. 0 otherwise.
  double operand_slack = 0;
  /// The formats that the sum is rounded to, one after the other; the sums' own is not listed.
  std::vector<NumberFormat> roundings = {};
  Overflow overflow = Overflow::ToInfinity;
  /// The bias of a forward call is rounded to this first; FLOAT holds each as it is.
  NumberFormat bias = NumberFormat::Float;
  /// The bias is no term of the sum: it is added to what the first of `roundings` gives, and the
  /// others follow. FLOAT is listed then too.
  bool bias_is_late = false;
  NumberFormat sums = NumberFormat::Float;    ///< products are multiplied and added in it
  NumberFormat output = NumberFormat::Float;  ///< what the elements of the result are stored in

  /// True if products of two operands fit FLOAT's significand: p + p <= 24 bits. So for FLOAT16
  /// (11), BFLOAT16 (8), HF32 (12 or 11) and the 8-bit formats, not for FLOAT. A product of two
  /// p-bit integers is below 2^(2 p). Exponents do not matter here: products below FLOAT's range
  /// are in ErrorBound's underflow, those above it in ElementJudge::may_overflow.
  bool products_are_exact() const { return 2 * precision(operands) <= precision(sums); }
};

/// The ways in which this output may be computed; the first one is what the specification says, the
/// others are differences that a foreign library may show. Empty where no arithmetic is defined.
/// The operands that the call takes and the output must be there.
std::vector<Arithmetic> arithmetics(const corpus::Case& test_case, corpus::OutputRole role,
                                    const JudgeSettings& settings);

/// The chain of roundings of an exact value. The first rounding is of the exact value itself, not
/// of its FLOAT: see AdmissibleInterval for why that suffices.
/// Where the sum is exact (the grid) FLOAT holds it, so that its rounding to FLOAT does nothing:
/// there the chain of the exact value is the one right answer.
Number rounded_through(const Arithmetic& arithmetic, const Truncated& exact);
/// Rounds the exact value likewise, and adds a finite bias late.
Number rounded_through(const Arithmetic& arithmetic, const Truncated& exact, const Number& bias);

/// The ways of a forward call that has a bias, for each way to compute the products: where the bias
/// enters, and what it is rounded to before. Source: the pages' tables of precision.
std::vector<Arithmetic> with_bias(const corpus::Case& test_case,
                                  const std::vector<Arithmetic>& ways, Profile profile);

/// Ways of the released library's matrix products, which some forward calls are.
std::vector<Arithmetic> by_matrix_products(const corpus::Case& test_case,
                                           const Arithmetic& expected);

}  // namespace gradproof::oracle
