#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/machine/machine.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// Two operands that are multiplied, by their coordinates in N C D H W.
struct Factors {
  Shape grad_output{}, other{};
};

/// The products of the elements of one gradient in the order in which a machine takes them
/// (corpus::LeafOrder).
class ProductOrder {
 public:
  /// Longer sums than this have no table of places; `is_possible` says so.
  static constexpr std::int64_t most_products = std::int64_t{1} << 24;

  /// The geometry must outlive the object.
  ProductOrder(const Geometry& geometry, corpus::OutputRole role, const corpus::LeafOrder& order);

  bool is_possible() const { return is_possible_; }

  /// Returns the products in order; nullopt: padding or stride leaves out one that has a place.
  std::vector<std::optional<Factors>> products_of(const Shape& at) const;

  /// Numbers of an element's products, ascending: equal for elements with the same products.
  std::vector<std::int64_t> numbers_of(const Shape& at) const;

 private:
  /// Counts all numbers; one more than `most_products` where there are more.
  std::int64_t count() const;
  std::int64_t number_of(const Factors& factors) const;
  void set_places(const std::vector<corpus::OrderAxis>& loops);

  const Geometry& geometry_;
  corpus::OutputRole role_;
  bool counts_absent_;
  bool is_possible_ = true;
  std::array<std::int64_t, 4> lengths_{};  ///< of k, kd, kh, kw or n, od, oh, ow
  std::vector<std::uint32_t> places_;      ///< by number; empty: the number itself
};

/// An axis of the loops that the gradient has not, in words; nullopt where all are its own.
std::optional<std::string> foreign_axis(corpus::OutputRole role, const corpus::LeafOrder& order);

/// The element with the longest sum: the first of them.
Shape longest_element(const Geometry& geometry, corpus::OutputRole role);

}  // namespace gradproof::oracle
