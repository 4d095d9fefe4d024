#include "oracle/geometry/workload.h"

#include "corpus/operators/operator_row.h"
#include "oracle/facts/operator_facts.h"
#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {
namespace {

/// Factors are lengths; a product with a factor of 0 is 0 whatever the others are, also where the
/// product of the others overflows 64 bits. A negative factor makes it undefined.
class Product {
 public:
  Product& operator*=(std::int64_t factor) {
    is_defined_ = is_defined_ && factor >= 0;
    is_zero_ = is_zero_ || factor == 0;
    overflows_ =
        overflows_ || __builtin_mul_overflow(
                          value_, static_cast<std::uint64_t>(factor == 0 ? 1 : factor), &value_);
    return *this;
  }
  std::optional<std::uint64_t> value() const {
    if (!is_defined_) return std::nullopt;
    if (is_zero_) return 0;
    if (overflows_) return std::nullopt;
    return value_;
  }

 private:
  std::uint64_t value_ = 1;
  bool is_defined_ = true, is_zero_ = false, overflows_ = false;
};

}  // namespace

namespace {

std::optional<std::uint64_t> operator_mac_count(const corpus::Case& test_case) {
  const OperatorFacts facts = operator_facts_of(test_case);
  if (!facts.out_backprop_shape || !facts.filter_shape) return std::nullopt;
  Product macs;
  for (const std::int64_t length : *facts.out_backprop_shape) macs *= length;
  for (std::size_t axis = axis_c; axis <= axis_w; ++axis) macs *= facts.filter_shape->at(axis);
  return macs.value();
}

}  // namespace

/// Each element of the small map meets every tap, and every channel of the big one in its group,
/// once: N * C_small * positions * C_big / groups * taps, products with padding counted too. An
/// empty big map makes the problem empty as well, although its lengths are no factors.
std::optional<std::uint64_t> mac_count(const corpus::Case& test_case) {
  if (corpus::has_attributes(test_case.api)) return operator_mac_count(test_case);
  if (const auto convolution = corpus::lowered(test_case)) return mac_count(*convolution);
  const auto& small = test_case.transposed ? test_case.input : test_case.grad_output;
  const auto& big = test_case.transposed ? test_case.grad_output : test_case.input;
  if (!small || !big || !test_case.weight) return std::nullopt;
  const auto small_shape = lifted(small->shape);
  const auto weight_shape = lifted(test_case.weight->shape);
  const bool same_rank = small->shape.size() == test_case.weight->shape.size() &&
                         small->shape.size() == big->shape.size();
  if (!small_shape || !weight_shape || !same_rank) return std::nullopt;
  Product macs;
  for (const std::int64_t length : *small_shape) macs *= length;
  for (std::size_t axis = 1; axis < weight_shape->size(); ++axis) macs *= (*weight_shape)[axis];
  for (const std::int64_t length : big->shape) {
    if (length == 0) macs *= 0;
  }
  return macs.value();
}

}  // namespace gradproof::oracle
