#include <algorithm>
#include <limits>

#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using Lengths = std::vector<std::int64_t>;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

bool any_frame(const Frame&) { return true; }

/// Values near the ends of 64 bits, and those whose product with a small number just leaves it.
std::int64_t draw_far(corpus::RandomSource& random) {
  return random.one_of({int64_max, int64_max - 1, int64_max / 2 + 1});
}

std::size_t draw_place(const Lengths& array, corpus::RandomSource& random) {
  return to_size(random.between(0, static_cast<std::int64_t>(array.size()) - 1));
}

/// Pads both ends of the axis, so that their sum is what leaves 64 bits.
bool overflow_padding(Case& test_case, corpus::RandomSource& random) {
  auto& padding = *test_case.padding;
  const std::size_t place = draw_place(padding, random);
  padding[place] = draw_far(random);
  const bool has_two_ends = padding.size() == 2 * test_case.stride->size();
  if (has_two_ends) padding[place ^ 1U] = padding[place];
  return true;
}

bool overflow_dilation(Case& test_case, corpus::RandomSource& random) {
  const std::size_t place = draw_place(*test_case.dilation, random);
  if (test_case.weight->shape[place + 2] < 3) return false;  // one step of 2^63 - 1 may still fit
  (*test_case.dilation)[place] = draw_far(random);
  return true;
}

bool overflow_stride(Case& test_case, corpus::RandomSource& random) {
  const std::size_t place = draw_place(*test_case.stride, random);
  const auto& positions = test_case.transposed ? *test_case.input : *test_case.grad_output;
  if (positions.shape[place + 2] < 3) return false;
  (*test_case.stride)[place] = draw_far(random);
  return true;
}

bool overflow_any(Case& test_case, corpus::RandomSource& random) {
  switch (random.between(0, 2)) {
    case 0:
      return overflow_padding(test_case, random);
    case 1:
      return overflow_dilation(test_case, random);
    default:
      return overflow_stride(test_case, random);
  }
}

/// Makes three taps and three positions on every axis: what a far value is multiplied by.
void three_of_each(Convolution& sizes, corpus::RandomSource&) {
  for (SpatialAxis& axis : sizes.axes) {
    axis.kernel = std::max<std::int64_t>(axis.kernel, 3);
    axis.big = std::max(axis.big, axis.dilation * (axis.kernel - 1) + 1 + 2 * axis.stride);
  }
}

constexpr RuleBreaker breakers[] = {
    {"RANGE-11", Base::NonEmpty, any_frame, overflow_any, three_of_each}};

}  // namespace

std::span<const RuleBreaker> overflow_breakers() { return breakers; }

}  // namespace gradproof::cases
