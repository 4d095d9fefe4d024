#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

Axis random_axis(Random& random) {
  Axis axis;
  axis.small = random.in(1, 4);
  axis.kernel = random.in(1, 3);
  axis.stride = random.in(1, 3);
  axis.dilation = random.in(1, 3);
  const std::int64_t covered =
      (axis.small - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  const std::int64_t unread = random.in(0, axis.stride - 1);
  const std::int64_t padding = random.in(0, covered + unread - 1);
  axis.padding_begin = random.in(0, padding);
  axis.big = covered + unread - padding;
  if (random.one_in(10)) {  // negative padding: both ends of the map are cut off
    const std::int64_t cut = random.in(1, 2);
    axis.padding_begin = -cut;
    axis.big = covered + unread + 2 * cut;
  }
  return axis;
}

Number random_number(Random& random, NumberFormat format, const Filling& filling) {
  if (random.in(0, 63) < filling.specials_in_64) {
    return convert(format,
                   {.kind = random.one_in(2) ? Number::Kind::NaN : Number::Kind::Infinite,
                    .negative = random.one_in(2)},
                   Rounding::NearestEven);
  }
  const bool negative = random.one_in(2);
  if (random.in(0, 3) < filling.zeros_in_4) return {.negative = negative};
  constexpr int bits = 60;  // more than any format keeps
  const auto leading = std::uint64_t{1} << bits;
  const Truncated value{
      .negative = negative,
      .exponent = random.in(filling.exponent_low, filling.exponent_high) - bits,
      .significand = static_cast<Uint128>(leading | (random.bits() & (leading - 1)))};
  return round_to(format, value, Rounding::TowardZero);
}

}  // namespace

Geometry random_geometry(Random& random) {
  Geometry geometry{.transposed = random.one_in(2),
                    .batch = random.in(1, 3),
                    .groups = random.one_in(2) ? 1 : random.in(1, 3),
                    .big_channels = random.in(1, 3),
                    .small_channels = random.in(1, 3),
                    .axes = {}};
  const std::int64_t rank = random.in(1, 3);
  for (std::int64_t i = 3 - rank; i < 3; ++i) {
    geometry.axes[to_size(i)] = random_axis(random);
  }
  if (random.one_in(50)) geometry.batch = 0;
  return geometry;
}

Dense<Number> random_numbers(Random& random, const Shape& shape, NumberFormat format,
                             const Filling& filling) {
  Dense<Number> numbers(shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = random_number(random, format, filling);
  }
  return numbers;
}

}  // namespace gradproof::oracle
