#include "oracle/judge/tile_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

constexpr double raised = 1 + 0x1p-20;
/// A kernel may add halves before it halves: up to 4 times what the sums come to.
constexpr double overflow_of_sums = 0x1p125;

AxisMatrices matrices_of(const TileForm& form, Magnitudes AxisForm::*matrix) {
  AxisMatrices result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = &(form.axes[i]->*matrix);
  return result;
}

/// Error of a transform's result where each of its operations errs by at most 1.
TileBounds::Carried carried(const AxisMatrices& matrices, bool rounds, bool factors_round) {
  TileBounds::Carried lost;
  for (const Magnitudes* matrix : matrices) {
    if (matrix->entries.size() == 1) continue;
    const auto count = static_cast<double>(matrix->most_non_zeros());
    const double operations = rounds ? 2 * count - 1 : factors_round ? count : 0;
    lost.factor *= matrix->largest_row_sum();
    lost.added = lost.added * matrix->largest_row_sum() + operations;
  }
  return lost;
}

std::int64_t tiles_along(std::int64_t length, std::int64_t size) {
  return (length + size - 1) / size;
}

}  // namespace

TileBounds::TileBounds(const TileForm& form, const Arithmetic& way, Adder adder,
                       const Geometry& geometry, OutputRole role,
                       const MeasuredOperand& grad_output, const MeasuredOperand& other)
    : form_(form),
      bound_(adder, way, false),
      geometry_(geometry),
      role_(role),
      grad_output_(grad_output),
      other_(other) {
  roundings_ = roundings(form_);
  const bool flushes = bound_.may_flush();
  const double read = flushes ? 1 : 0;
  const bool has_fractions = std::ranges::any_of(
      form_.axes, [](const AxisForm* axis) { return axis->smaller_has_fractions; });
  lost_in_smaller_ =
      carried(matrices_of(form_, &AxisForm::smaller), flushes, has_fractions).of(read);
  lost_in_larger_ = carried(matrices_of(form_, &AxisForm::larger), flushes, false).of(read);
  carried_by_results_ = carried(matrices_of(form_, &AxisForm::results), flushes, true);
  // Well inside of FLOAT's range, so that quarters of the unit and sums of 2^24 of it are numbers.
  constexpr int room = 60;
  const auto fits = [](const Extent& extent) { return extent.unit >= -room && extent.top <= room; };
  const auto keeps = [](const AxisForm* axis) { return axis->keeps_integers; };
  grid_fits_ =
      std::ranges::all_of(form_.axes, keeps) && fits(grad_output.extent) && fits(other.extent);
}

/// One cut for tiles from the origin; where they may begin anywhere, one for each place.
void TileBounds::prepare() {
  const bool is_weight = role_ == OutputRole::GradWeight;
  Position ends{1, 1, 1};
  for (std::size_t i = 0; i < ends.size() && form_.begins_anywhere; ++i) {
    ends[i] = is_weight ? form_.axes[i]->smaller_count() : form_.axes[i]->result_count();
  }
  for (std::int64_t d = 0; d < ends[0]; ++d) {
    for (std::int64_t h = 0; h < ends[1]; ++h) {
      for (std::int64_t w = 0; w < ends[2]; ++w) cuts_.push_back(cut({d, h, w}));
    }
  }
  known_.resize(cuts_.size());
}

/// gradWeight: tiles of the small map, those of the big one around them. gradInput: tiles of the
/// output, from those of the other map that they meet; for the big map with the taps turned round.
TileBounds::Cut TileBounds::cut(const Position& shift) const {
  const bool is_weight = role_ == OutputRole::GradWeight;
  const bool is_of_big = !is_weight && !geometry_.transposed;
  TileGrid smaller{}, larger{};
  for (std::size_t i = 0; i < shift.size(); ++i) {
    const Axis& axis = geometry_.axes[i];
    const AxisForm& form = *form_.axes[i];
    const std::int64_t step = is_weight ? form.smaller_count() : form.result_count();
    larger.step[i] = step;
    larger.count[i] = tiles_along((is_of_big ? axis.big : axis.small) + shift[i], step);
    larger.first[i] = -shift[i] - (is_of_big ? form.smaller_count() - 1 - axis.padding_begin
                                             : axis.padding_begin);
    if (!is_weight) continue;
    smaller.step[i] = step;
    smaller.count[i] = larger.count[i];
    smaller.first[i] = -shift[i];
  }
  smaller.is_reversed = is_of_big;
  const bool smaller_is_other = !is_weight || geometry_.transposed;
  const Dense<Number>& small_operand = (smaller_is_other ? other_ : grad_output_).numbers;
  const Dense<Number>& large_operand = (smaller_is_other ? grad_output_ : other_).numbers;
  const auto undivided = matrices_of(form_, &AxisForm::undivided);
  const auto of_larger = matrices_of(form_, &AxisForm::larger);
  // The taps of gradInput are cut alike wherever tiles begin.
  auto in_taps =
      !is_weight && !cuts_.empty()
          ? cuts_.front().of_smaller
          : std::make_shared<const TransformedTiles>(
                small_operand, smaller, matrices_of(form_, &AxisForm::smaller), undivided);
  return {shift, std::move(in_taps),
          std::make_shared<const TransformedTiles>(large_operand, larger, of_larger, of_larger)};
}

void TileBounds::add(const Cut& cut, std::size_t smaller, std::size_t larger, TileSum& sum) {
  const auto of_smaller = cut.smaller().entries(smaller), of_larger = cut.larger().entries(larger);
  // Also where the other factor is 0: infinity times 0 is NaN.
  sum.may_overflow =
      sum.may_overflow || cut.smaller().may_overflow(smaller) || cut.larger().may_overflow(larger);
  const auto reach = [&](const TransformedTiles& tiles, std::size_t tile, bool surely) {
    if (!tiles.has_specials() || !tiles.is_special(tile)) return;
    const auto reached = tiles.reached(tile);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      sum.reached[i] += reached[i];
      if (surely) sum.surely_reached[i] += reached[i];
    }
  };
  reach(cut.smaller(), smaller, !cut.larger().is_zero(larger));
  reach(cut.larger(), larger, !cut.smaller().is_zero(smaller));
  if (cut.smaller().is_zero(smaller) || cut.larger().is_zero(larger)) return;
  ++sum.terms;
  for (std::size_t i = 0; i < of_smaller.size(); ++i) {
    sum.products[i] += of_smaller[i] * of_larger[i];
    sum.of_smaller[i] += of_smaller[i];
    sum.of_larger[i] += of_larger[i];
  }
}

/// `at`: batch entry or kernel, channel, and the tile along each axis.
TileBounds::TileSum TileBounds::sum_of(const Cut& cut, const Shape& at) const {
  std::size_t entries = 1;
  for (const AxisForm* axis : form_.axes) entries *= static_cast<std::size_t>(axis->entries());
  TileSum sum(entries);
  const std::int64_t big = geometry_.big_channels, small = geometry_.small_channels;
  if (role_ == OutputRole::GradWeight) {
    const std::int64_t big_channel = at[0] / small * big + at[1];
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      const std::size_t first = cut.smaller().place(n, at[0], 0);
      const std::size_t last = cut.smaller().place(n, at[0] + 1, 0);
      const std::size_t larger = cut.larger().place(n, big_channel, 0);
      for (std::size_t i = first; i < last; ++i) add(cut, i, larger + i - first, sum);
    }
    return sum;
  }
  const std::int64_t tile = cut.larger().tile_at({at[2], at[3], at[4]});
  const std::int64_t own = geometry_.transposed ? small : big;  // channels of a group
  const std::int64_t group = at[1] / own;
  for (std::int64_t i = 0; i < (geometry_.transposed ? big : small); ++i) {
    const std::int64_t kernel = geometry_.transposed ? at[1] : group * small + i;
    const std::int64_t channel = geometry_.transposed ? i : at[1] % own;
    const std::int64_t in_map = group * (geometry_.transposed ? big : small) + i;
    add(cut, cut.smaller().place(kernel, channel, 0), cut.larger().place(at[0], in_map, tile), sum);
  }
  return sum;
}

/// Each operand's entries lose something where they are small, or are read as 0, and so do products
/// and sums; what is lost is multiplied by the other operand's entries and carried to the result.
double TileBounds::lost(double of_smaller, double of_larger, std::uint64_t terms) const {
  const double unit = bound_.may_flush() ? 0x1p-126 : 0x1p-149;
  const auto count = static_cast<double>(terms);
  const double in_sums =
      carried_by_results_.of(2 * count * (1 + lost_in_smaller_ * lost_in_larger_ * unit));
  return unit * (lost_in_larger_ * of_smaller + lost_in_smaller_ * of_larger + in_sums);
}

bool TileBounds::is_exact(double magnitude) const {
  if (!grid_fits_) return false;
  return magnitude <= std::ldexp(1, 22 + grad_output_.extent.unit + other_.extent.unit);
}

TileBounds::Tile TileBounds::terms_of(const TileSum& sum) const {
  const auto results = matrices_of(form_, &AxisForm::results);
  const auto magnitudes = transformed(sum.products, results);
  const auto of_smaller = transformed(sum.of_smaller, results);
  const auto of_larger = transformed(sum.of_larger, results);
  const auto reached = transformed(sum.reached, results);
  const auto surely = transformed(sum.surely_reached, results);
  const bool is_defined = bound_.is_defined(sum.terms + roundings_);
  const double gamma = is_defined ? bound_.gamma_estimate(sum.terms + roundings_) * raised
                                  : std::numeric_limits<double>::infinity();
  const double largest = *std::ranges::max_element(sum.products) * raised;
  Tile tile;
  for (std::size_t i = 0; i < magnitudes.size(); ++i) {
    TileTerms terms{.magnitude = magnitudes[i] * raised, .gamma = gamma, .terms = sum.terms};
    const double lost_here = lost(of_smaller[i], of_larger[i], sum.terms) * raised;
    if (sum.terms > 0) terms.bound = (gamma * terms.magnitude + lost_here * (1 + gamma)) * raised;
    terms.is_exact = is_exact(terms.magnitude);
    terms.may_overflow = sum.may_overflow || !is_defined || largest >= overflow_of_sums ||
                         terms.magnitude * (1 + gamma) >= overflow_of_sums;
    terms.is_reached = reached[i] > 0;
    terms.is_surely_reached = surely[i] > 0;
    tile.push_back(terms);
  }
  return tile;
}

const TileBounds::Tile& TileBounds::tile(const Cut& cut, std::size_t which, const Shape& at) {
  auto& known = known_[which];
  const Shape shape = geometry_.shape(role_);
  const auto place = static_cast<std::uint64_t>(
      ((at[0] * shape[1] + at[1]) * cut.larger().tiles()) +
      (role_ == OutputRole::GradWeight ? 0 : cut.larger().tile_at({at[2], at[3], at[4]})));
  const auto found = known.find(place);
  if (found != known.end()) return found->second;
  constexpr std::size_t most_known = 4096;
  if (known.size() >= most_known) known.clear();
  return known.emplace(place, terms_of(sum_of(cut, at))).first->second;
}

/// Widest bound of all cuts that are possible; whatever any of them may do is admitted.
TileTerms TileBounds::at(std::uint64_t place) {
  if (cuts_.empty()) prepare();
  const Shape element = coordinate_of(geometry_.shape(role_), place);
  TileTerms result;
  for (std::size_t which = 0; which < cuts_.size(); ++which) {
    Shape of_tile = element;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t size = form_.axes[i]->result_count();
      const bool is_weight = role_ == OutputRole::GradWeight;
      const std::int64_t from_first = element[i + 2] + (is_weight ? 0 : cuts_[which].shift[i]);
      of_tile[i + 2] = from_first / size;
      inside =
          inside * static_cast<std::size_t>(size) + static_cast<std::size_t>(from_first % size);
    }
    const TileTerms& terms = tile(cuts_[which], which, of_tile)[inside];
    if (which == 0) {
      result = terms;
      continue;
    }
    if (terms.bound > result.bound) {
      result.bound = terms.bound;
      result.magnitude = terms.magnitude;
      result.gamma = terms.gamma;
      result.terms = terms.terms;
    }
    result.is_exact = result.is_exact && terms.is_exact;
    result.may_overflow = result.may_overflow || terms.may_overflow;
    result.is_reached = result.is_reached || terms.is_reached;
    result.is_surely_reached = result.is_surely_reached && terms.is_surely_reached;
  }
  return result;
}

}  // namespace gradproof::oracle
