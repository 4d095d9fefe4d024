#include "fuzz/records/case_limits.h"

#include <algorithm>

namespace gradproof::fuzz {
namespace {

using cases::Convolution;
using cases::SpatialAxis;

/// A product of lengths; the largest number where it leaves 64 bits.
class Product {
 public:
  Product& operator*=(std::int64_t length) {
    is_zero_ = is_zero_ || length == 0;
    overflows_ = overflows_ || __builtin_mul_overflow(value_, length, &value_);
    return *this;
  }
  std::int64_t value() const {
    if (is_zero_) return 0;
    return overflows_ ? std::numeric_limits<std::int64_t>::max() : value_;
  }

 private:
  std::int64_t value_ = 1;
  bool is_zero_ = false, overflows_ = false;
};

/// The larger feature map follows from the number of positions on it.
void set_positions(SpatialAxis& axis, std::int64_t positions) {
  const std::int64_t reach = (positions - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1;
  axis.big = std::max<std::int64_t>(1, reach - axis.padding_begin - axis.padding_end);
}

void halve(std::int64_t& number) { number /= 2; }

/// Halves the largest number of an axis; its positions stay as many where they can.
void simplify(SpatialAxis& axis) {
  const std::int64_t positions = cases::small_length(axis);
  const std::int64_t padding = std::max(axis.padding_begin, axis.padding_end);
  const std::int64_t largest =
      std::max({positions, axis.kernel, axis.stride, axis.dilation, padding});
  std::int64_t wanted = std::max<std::int64_t>(positions, 1);
  const bool is_all_padding = axis.big == 1 && positions > 1;  // which then makes the positions
  if (padding > 0 && (largest == padding || is_all_padding)) {
    halve(axis.padding_begin);
    halve(axis.padding_end);
    if (positions > 2) wanted = positions / 2 + 1;
  } else if (largest == positions) {
    halve(wanted);
  } else {
    halve(largest == axis.kernel   ? axis.kernel
          : largest == axis.stride ? axis.stride
                                   : axis.dilation);
  }
  set_positions(axis, std::max<std::int64_t>(wanted, 1));
}

/// Returns the share of an axis in elements and products.
std::int64_t weight_of(const SpatialAxis& axis) {
  return std::max({axis.big, axis.kernel, cases::small_length(axis)});
}

/// Makes one number a step smaller; false where everything is 1 already.
bool step(Convolution& convolution) {
  std::int64_t* largest = &convolution.batch;
  for (std::int64_t* number : {&convolution.groups, &convolution.small_channels_per_group,
                               &convolution.big_channels_per_group}) {
    if (*number > *largest) largest = number;
  }
  const auto axis = std::ranges::max_element(convolution.axes, {}, weight_of);
  const bool is_axis = axis != convolution.axes.end() && weight_of(*axis) >= *largest;
  if (!is_axis && *largest <= 1) return false;
  if (is_axis && weight_of(*axis) <= 1) return false;
  if (is_axis) {
    simplify(*axis);
  } else {
    halve(*largest);
  }
  return true;
}

}  // namespace

bool is_within(const Convolution& convolution, const CaseLimits& limits) {
  Product small, big, weight;
  small *= convolution.batch;
  small *= convolution.groups * convolution.small_channels_per_group;
  big *= convolution.batch;
  big *= convolution.groups * convolution.big_channels_per_group;
  weight *= convolution.groups * convolution.small_channels_per_group;
  weight *= convolution.big_channels_per_group;
  Product macs = small;
  macs *= convolution.big_channels_per_group;
  for (const SpatialAxis& axis : convolution.axes) {
    const std::int64_t positions = cases::small_length(axis);
    small *= positions;
    macs *= positions;
    macs *= axis.kernel;
    big *= axis.big;
    weight *= axis.kernel;
  }
  return macs.value() <= limits.macs &&
         std::max({small.value(), big.value(), weight.value()}) <= limits.elements;
}

Convolution fitted(Convolution convolution, const CaseLimits& limits) {
  constexpr int most_steps = 256;  // every number of a record is 1 long before
  for (int i = 0; i < most_steps && !is_within(convolution, limits); ++i) {
    if (!step(convolution)) break;
  }
  return convolution;
}

}  // namespace gradproof::fuzz
