#include "properties/cases/generators/sizes.h"

namespace gradproof::cases {
namespace {

constexpr unsigned percent_long_output_padding = 40, percent_negative_padding = 35;

SpatialAxis& any_axis(Convolution& convolution, corpus::RandomSource& random) {
  const auto last = static_cast<std::int64_t>(convolution.axes.size()) - 1;
  return convolution.axes[to_size(random.between(0, last))];
}

/// Sets the larger map such that the smaller one has `outputs`, and `behind` elements are left at
/// its end.
void set_outputs(SpatialAxis& axis, std::int64_t outputs, std::int64_t behind) {
  axis.left_out = behind / axis.stride;
  axis.big = (outputs - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1 + behind -
             axis.padding_begin - axis.padding_end;
}

void lengthen_output_padding(SpatialAxis& axis, corpus::RandomSource& random) {
  const SpatialAxis before = axis;
  const std::int64_t outputs = small_length(axis);
  if (axis.dilation <= axis.stride) axis.dilation = axis.stride + random.between(1, 3);
  set_outputs(axis, outputs, random.between(axis.stride, axis.dilation - 1));
  if (axis.big < 1) axis = before;
}

void make_padding_negative(SpatialAxis& axis, corpus::RandomSource& random) {
  const std::int64_t outputs = small_length(axis), behind = unread_length(axis);
  axis.padding_begin = axis.padding_end = -random.between(1, 3);
  set_outputs(axis, outputs, behind);
}

}  // namespace

void widen(Convolution& convolution, Domain domain, corpus::RandomSource& random) {
  if (domain == Domain::Cann) return;
  if (domain == Domain::Any && random.chance(percent_negative_padding)) {
    make_padding_negative(any_axis(convolution, random), random);
  }
  if (convolution.transposed && random.chance(percent_long_output_padding)) {
    lengthen_output_padding(any_axis(convolution, random), random);
  }
}

}  // namespace gradproof::cases
