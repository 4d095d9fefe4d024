#include "properties/cases/generators/violations/operator_breaks.h"

#include <vector>

#include "oracle/facts/axis_order.h"
#include "oracle/facts/operator_facts.h"
#include "properties/cases/generators/capacity_edge.h"

namespace gradproof::cases::operator_breaks {
namespace {

using corpus::Case;
using corpus::Format;
using Lengths = std::vector<std::int64_t>;

/// The value of an attribute for a logical axis.
std::int64_t& value(Case& test_case, std::optional<Lengths>& array, std::size_t axis) {
  const Format format = test_case.grad_output->format;
  if (!array) array = Lengths(5, 1);
  return array->at(oracle::axis_order(format)->at(axis));
}

/// Shortens the axis to one output with this kernel and stride, and as little padding as can be.
void shorten(SpatialAxis& axis) {
  axis.padding_begin = axis.padding_end = 0;
  axis.big = (axis.kernel - 1) * axis.dilation + 1;
}

/// Sets a value of strides or dilations that is below its range, or not 1 for N or C.
bool spoil_steps(Case& test_case, std::optional<Lengths>& array, corpus::RandomSource& random) {
  switch (random.between(0, 2)) {
    case 0:
      value(test_case, array, to_size(random.between(0, 1))) = random.between(2, 4);
      return true;
    case 1:
      value(test_case, array, to_size(random.between(2, 4))) = random.between(-1, 0);
      return true;
    default:
      value(test_case, array, oracle::axis_n) = 1;
      if (random.chance(50)) {
        array->push_back(1);
      } else {
        array->pop_back();
      }
      return true;
  }
}

/// A limit of strides or dilations along one of D, H and W: the documented one, or that of the
/// released library where it is wider, from just below it on.
std::int64_t limit_of(Case& test_case, std::size_t axis, std::int64_t documented,
                      corpus::RandomSource& random) {
  const bool dx = is_dx(test_case), counted = on_950(test_case);
  const std::int64_t released = dx ? 2147483647 : 2147483646;
  if (counted && !dx) return released;
  const bool is_wider = dx ? counted : axis == 0;
  return is_wider && random.chance(40) ? released - random.between(0, 2) : documented;
}

}  // namespace

bool enlarge_kernel(Case& test_case, corpus::RandomSource& random) {
  const auto axis = to_size(random.between(1, 2));
  return resize(test_case, [&](Convolution& next) {
    next.axes[axis].kernel = random.between(512, 530);
    next.axes[axis].dilation = 1;
    shorten(next.axes[axis]);
    next.batch = 1;
    return true;
  });
}

/// Exceeds the stride's range by little: with one output whatever the stride.
bool exceed_stride(Case& test_case, corpus::RandomSource& random) {
  if (random.chance(50)) return spoil_steps(test_case, test_case.attributes->strides, random);
  const auto axis = to_size(random.between(0, 2));
  const std::int64_t limit = limit_of(test_case, axis, axis == 0 ? 255 : 63, random);
  return resize(test_case, [&](Convolution& next) {
    shorten(next.axes[axis]);
    next.axes[axis].stride = limit + random.between(1, 3);
    return true;
  });
}

bool exceed_dilation(Case& test_case, corpus::RandomSource& random) {
  if (random.chance(50)) return spoil_steps(test_case, test_case.attributes->dilations, random);
  const auto axis = to_size(random.between(0, 2));
  constexpr std::int64_t narrow = 255;
  const std::int64_t limit = limit_of(test_case, axis, narrow, random);
  return resize(test_case, [&](Convolution& next) {
    next.axes[axis].kernel = limit > narrow || random.chance(50) ? 1 : 2;
    next.axes[axis].stride = 1;
    next.axes[axis].dilation = limit + random.between(1, 4);
    shorten(next.axes[axis]);
    return true;
  });
}

bool exceed_pad(Case& test_case, corpus::RandomSource& random) {
  const auto axis = to_size(random.between(0, 2));
  const bool begin = random.chance(50);
  if (random.chance(20)) {
    test_case.attributes->pads->resize(to_size(random.one_of({0, 3, 5, 7})));
    return true;
  }
  const bool may_be_large = is_dx(test_case) || !on_950(test_case);
  return resize(test_case, [&](Convolution& next) {
    SpatialAxis& changed = next.axes[axis];
    shorten(changed);
    std::int64_t pad = -random.between(1, 2);
    if (may_be_large && random.chance(50)) {
      pad = random.between(256, 260);
      changed.kernel = random.between(300, 400);
      changed.dilation = 1;
      shorten(changed);
    }
    (begin ? changed.padding_begin : changed.padding_end) = pad;
    changed.big -= pad;
    next.batch = 1;
    return true;
  });
}

/// Breaks rules that no document has: only the released tiling refuses these.
bool exceed_tile_of_dx(Case& test_case, corpus::RandomSource& random) {
  return draw_capacity_edge(test_case, "HW-02", true, random);
}
bool exceed_row_of_dx(Case& test_case, corpus::RandomSource& random) {
  return draw_capacity_edge(test_case, "HW-03", true, random);
}
bool exceed_pads_of_dx(Case& test_case, corpus::RandomSource& random) {
  return draw_capacity_edge(test_case, "HW-04", true, random);
}
bool exceed_tile_of_dw(Case& test_case, corpus::RandomSource& random) {
  return draw_capacity_edge(test_case, "HW-05", true, random);
}
bool take_odd_groups(Case& test_case, corpus::RandomSource& random) {
  test_case.groups = static_cast<std::int32_t>(random.one_of({0, -1, 65536, 1 << 30}));
  return true;
}

}  // namespace gradproof::cases::operator_breaks
