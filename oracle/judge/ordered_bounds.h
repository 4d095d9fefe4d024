#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/machine/machine.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/order_bound.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/product_order.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// Bounds of the elements of one output by the order in which its target adds (order_bound.h).
///
/// Each costs as much as the element's sum in that order, product by product, so that of an output
/// with many products only some elements have one, spread over the output by a hash: together about
/// `most_products`. A mistake of precision is one of nearly every element.
class OrderedBounds {
 public:
  static constexpr std::uint64_t most_products = 2'000'000;

  /// Operands as they are multiplied; `other` is not read for gradBias. All must outlive the
  /// object.
  OrderedBounds(const corpus::GradientMachine& machine, const Arithmetic& way,
                const Geometry& geometry, corpus::OutputRole role, const Dense<Number>& grad_output,
                const Dense<Number>& other);

  /// |FLOAT sum - exact sum| of an element without special products, underflow apart; `place` is
  /// row-major in N C D H W. nullopt: of this element it is not known.
  std::optional<double> at(std::uint64_t place);

 private:
  bool is_chosen(std::uint64_t place) const;
  bool has_machines_tree(const Shape& at) const;
  double product_of(const std::optional<Factors>& factors) const;
  std::optional<double> computed_at(std::uint64_t place) const;

  const corpus::GradientMachine& machine_;
  const Geometry& geometry_;
  corpus::OutputRole role_;
  const Dense<Number>&grad_output_, &other_;
  OrderBound bound_;
  ProductOrder order_;
  std::vector<std::int64_t> measured_;  ///< numbers of the products of an explicit tree
  std::uint64_t one_of_ = 1;            ///< so many elements one has a bound
  std::optional<std::uint64_t> last_place_;
  std::optional<double> last_;
};

}  // namespace gradproof::oracle
