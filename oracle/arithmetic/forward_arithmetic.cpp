#include <algorithm>

#include "corpus/operators/operator_row.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/facts/case_facts.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;

bool is_hf32(NumberFormat format) {
  return format == NumberFormat::Hf32Wide || format == NumberFormat::Hf32Narrow;
}

/// True if the products' sum leaves the cube unit as FLOAT.
bool is_wide(NumberFormat compute) { return compute == NumberFormat::Float || is_hf32(compute); }

bool is_transposed_volume_on_a23(const Case& test_case) {
  const bool is_a23 = class_of(*corpus::product_of(test_case)) == ProductClass::A23;
  return is_a23 && test_case.transposed && test_case.grad_output->shape.size() == 5;
}

Arithmetic with_rounded_bias(const Arithmetic& way) {
  Arithmetic result = way;
  result.bias = way.operands;
  result.why = "FD-13";
  return result;
}

/// The released library rounds the bias to the compute format, but for a transposed call of a
/// product with FLOAT accumulators.
bool may_round_bias(const Case& test_case, const Arithmetic& way) {
  const bool is_first = class_of(*corpus::product_of(test_case)) == ProductClass::A1;
  return !is_wide(way.operands) && (!test_case.transposed || is_first);
}

/// y = rnd(rnd_P(rnd_C(sum) + b)), where P is what C and b are promoted to: the bias is added after
/// the first rounding. Where C is FLOAT that is a sum of one more term, in an order like any other.
/// The second way rounds a sum in BF16 to FLOAT before.
std::vector<Arithmetic> late_ways(const Arithmetic& way, NumberFormat bias) {
  Arithmetic late = way;
  late.bias_is_late = true;
  const NumberFormat promoted = way.operands == bias ? bias : NumberFormat::Float;
  late.roundings = {way.operands, promoted};
  if (way.output != promoted) late.roundings.push_back(way.output);
  if (promoted != NumberFormat::BFloat16) return {late};
  Arithmetic through_float = late;
  through_float.roundings.insert(through_float.roundings.begin() + 1, NumberFormat::Float);
  through_float.why = "BF16 rounded through FLOAT";
  return {late, through_float};
}

bool has_no_padding_and_no_dilation(const Case& test_case) {
  const auto& padding = test_case.padding;
  const auto& dilation = test_case.dilation;
  return padding && dilation &&
         std::ranges::all_of(*padding, [](auto value) { return value == 0; }) &&
         std::ranges::all_of(*dilation, [](auto value) { return value == 1; });
}

/// The kernel covers the whole map: one matrix product.
bool covers_its_map(const Case& call) {
  const auto& map = call.grad_output->shape;
  const auto& kernel = call.weight->shape;
  return !call.transposed && map.size() >= 4 && map.size() == kernel.size() &&
         std::equal(map.begin() + 2, map.end(), kernel.begin() + 2);
}

/// Spreads a map of one position.
bool spreads_one_position(const Case& call, ProductClass products) {
  const auto& map = call.grad_output->shape;
  const bool is_line = map.size() == 3 && call.weight->shape.size() == 3;
  return products == ProductClass::A5 && call.transposed && is_line && map[2] == 1 &&
         call.grad_input->shape[2] == call.weight->shape[2];
}

/// Cuts one channel of a line into pieces that do not overlap.
bool cuts_a_line(const Case& call) {
  const auto& map = call.grad_output->shape;
  const bool is_line = map.size() == 3 && call.weight->shape.size() == 3;
  return !call.transposed && is_line && map[1] == 1 && call.stride->front() > 63 &&
         call.stride->front() == call.weight->shape[2];
}

}  // namespace

std::vector<Arithmetic> with_bias(const Case& test_case, const std::vector<Arithmetic>& ways,
                                  Profile profile) {
  if (!test_case.input) return ways;
  const auto bias = format_of(test_case.input->dtype);
  if (!bias) return {};
  const bool may_be_late = is_transposed_volume_on_a23(test_case);
  std::vector<Arithmetic> result;
  for (const Arithmetic& way : ways) {
    if (may_be_late && !is_wide(way.operands)) {
      std::ranges::copy(late_ways(way, *bias), std::back_inserter(result));
      if (profile == Profile::Documented) continue;
    }
    result.push_back(way);
    if (profile != Profile::Documented && may_round_bias(test_case, way)) {
      result.push_back(with_rounded_bias(way));
    }
  }
  return result;
}

/// Rounded once, and FLOAT where the modes have HFLOAT32; only A23 and A5 have them.
std::vector<Arithmetic> by_matrix_products(const Case& test_case, const Arithmetic& expected) {
  const ProductClass products = class_of(*corpus::product_of(test_case));
  const bool is_candidate = test_case.api == corpus::Api::Convolution && test_case.groups == 1 &&
                            products != ProductClass::A1 && test_case.stride &&
                            has_no_padding_and_no_dilation(test_case);
  if (!is_candidate) return {};
  const bool is_spread = spreads_one_position(test_case, products);
  Arithmetic way = expected;
  way.why = "a matrix product";
  way.roundings.clear();
  if (way.output != NumberFormat::Float) way.roundings.push_back(way.output);
  if (covers_its_map(test_case) || is_spread) {
    const bool has_one_product = is_spread && test_case.grad_output->shape[1] == 1;
    if (has_one_product && is_hf32(way.operands)) way.operands = NumberFormat::Float;
    return {way};
  }
  if (!cuts_a_line(test_case) || !is_hf32(way.operands)) return {};
  way.operands = NumberFormat::Float;
  return {way};
}

}  // namespace gradproof::oracle
