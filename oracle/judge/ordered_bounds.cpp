#include "oracle/judge/ordered_bounds.h"

#include <algorithm>
#include <vector>

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

/// Both of the bounds hold, so that the smaller one does. An explicit tree speaks of sums with as
/// many products as it has leaves.
std::optional<double> OrderedBounds::computed_at(std::uint64_t place) const {
  const auto factors = order_.products_of(coordinate_of(geometry_.shape(role_), place));
  const bool is_explicit = machine_.tree.family == corpus::TreeFamily::Explicit;
  const bool has_another_sum =
      is_explicit && machine_.tree.leaves != static_cast<std::int64_t>(factors.size());
  if (factors.empty() || has_another_sum) return std::nullopt;
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
