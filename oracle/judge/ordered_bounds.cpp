#include "oracle/judge/ordered_bounds.h"

#include <algorithm>
#include <array>

namespace gradproof::oracle {
namespace {

/// Spreads places evenly, whatever the strides of the tensor (Knuth's multiplicative hash).
std::uint64_t spread(std::uint64_t place) { return (place + 1) * 0x9E3779B97F4A7C15U >> 20U; }

}  // namespace

OrderedBounds::OrderedBounds(const corpus::GradientMachine& machine, const Arithmetic& way,
                             const Geometry& geometry, corpus::OutputRole role,
                             const Dense<Number>& grad_output, const Dense<Number>& other)
    : machine_(machine),
      geometry_(geometry),
      role_(role),
      grad_output_(grad_output),
      other_(other),
      bound_(machine, way, role == corpus::OutputRole::GradBias),
      order_(geometry, role, machine.order) {
  const auto elements = static_cast<double>(element_count(geometry.shape(role)));
  const double products = elements * static_cast<double>(geometry.longest_reduction(role));
  const bool is_explicit = machine.tree.family == corpus::TreeFamily::Explicit;
  if (is_explicit) measured_ = order_.numbers_of(longest_element(geometry, role));
  one_of_ = static_cast<std::uint64_t>(std::max(1.0, products / most_products));
}

/// A hash decides and no counter, so that which elements are chosen depends on the place alone.
bool OrderedBounds::is_chosen(std::uint64_t place) const {
  return order_.is_possible() && spread(place) % one_of_ == 0;
}

/// Exact: two factors of at most 24 bits.
double OrderedBounds::product_of(const std::optional<Factors>& factors) const {
  if (!factors) return 0;
  const double one = to_double(grad_output_.at(factors->grad_output));
  return role_ == corpus::OutputRole::GradBias ? one : one * to_double(other_.at(factors->other));
}

/// An explicit tree was measured in the longest sum and speaks of sums of the same products; what
/// is added elsewhere in another tree has the bound of every order.
bool OrderedBounds::has_machines_tree(const Shape& at) const {
  const std::array<std::int64_t, 3> position{at[2], at[3], at[4]};
  for (const corpus::OtherTree& other : machine_.elsewhere) {
    if (std::ranges::find(other.positions, position) != other.positions.end()) return false;
  }
  if (measured_.empty()) return true;
  return machine_.tree.leaves == static_cast<std::int64_t>(measured_.size()) &&
         order_.numbers_of(at) == measured_;
}

/// Both of the bounds hold, so that the smaller one does.
std::optional<double> OrderedBounds::computed_at(std::uint64_t place) const {
  const Shape at = coordinate_of(geometry_.shape(role_), place);
  const auto factors = order_.products_of(at);
  if (factors.empty() || !has_machines_tree(at)) return std::nullopt;
  std::vector<double> products;
  products.reserve(factors.size());
  for (const auto& each : factors) products.push_back(product_of(each));
  const OrderTerms terms = bound_.terms(products);
  return std::min(terms.by_depth, terms.by_partial_sums);
}

std::optional<double> OrderedBounds::at(std::uint64_t place) {
  if (!is_chosen(place)) return std::nullopt;
  if (last_place_ != place) {
    last_ = computed_at(place);
    last_place_ = place;
  }
  return last_;
}

}  // namespace gradproof::oracle
