#include "oracle/facts/spatial_axis.h"

namespace gradproof::oracle {
namespace {

Relation equal(std::int64_t given, CheckedInteger wanted) {
  if (wanted.overflowed()) return Relation::Unknown;
  return given == wanted.value() ? Relation::Holds : Relation::Fails;
}

}  // namespace

CheckedInteger SpatialAxis::padded_length() const {
  return CheckedInteger(big) + padding_begin + padding_end;
}

/// Extent from the first tap to the last, both counted.
CheckedInteger SpatialAxis::kernel_extent() const {
  return (CheckedInteger(kernel) - 1) * dilation + 1;
}

CheckedInteger SpatialAxis::last_position() const { return (CheckedInteger(small) - 1) * stride; }

/// The usual output length of a convolution; floor, because the last window must lie inside of the
/// padded map.
CheckedInteger SpatialAxis::small_length() const {
  return floor_quotient(padded_length() - kernel_extent(), stride) + 1;
}

/// Solves the same relation for the big length: `stride` lengths lead to one small length, and
/// outputPadding, from 0 to stride - 1, chooses among them.
CheckedInteger SpatialAxis::deduced_big_length() const {
  return last_position() - padding_begin - padding_end + kernel_extent() + output_padding;
}

Relation kernel_fits(const SpatialAxis& axis) {
  const auto available = axis.padded_length().value();
  const auto needed = axis.kernel_extent().value();
  if (!available || !needed) return Relation::Unknown;
  return *available >= *needed ? Relation::Holds : Relation::Fails;
}

Relation small_length_is_right(const SpatialAxis& axis) {
  if (axis.stride < 1) return Relation::Unknown;
  return equal(axis.small, axis.small_length());
}

Relation big_length_is_as_deduced(const SpatialAxis& axis) {
  return equal(axis.big, axis.deduced_big_length());
}

/// The order Holds < Unknown < Fails: the result is the worst of them.
Relation on_all(const SpatialAxes& axes, Relation (*relation)(const SpatialAxis&)) {
  Relation worst = Relation::Holds;
  for (const SpatialAxis& axis : axes.all()) {
    const Relation here = relation(axis);
    if (here == Relation::Fails) return here;
    if (here == Relation::Unknown) worst = here;
  }
  return worst;
}

}  // namespace gradproof::oracle
