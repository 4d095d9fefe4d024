#include <algorithm>
#include <limits>
#include <numeric>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/violations/breaker_parts.h"
#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::cases {
namespace {

using breaker_parts::draw_axis_index;
using corpus::Case;
using corpus::Product;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

bool any_frame(const Frame&) { return true; }
bool is_transposed(const Frame& frame) { return frame.transposed; }
bool is_normal(const Frame& frame) { return !frame.transposed; }
bool is_normal_second_generation(const Frame& frame) {
  return !frame.transposed && is_second_generation(frame.product);
}
bool is_normal_volume(const Frame& frame) {
  return is_normal_second_generation(frame) && frame.rank == 5;
}
bool is_normal_plane(const Frame& frame) {
  return is_normal_second_generation(frame) && frame.rank < 5;
}
bool has_empty_path(const Frame& frame) { return !is_first_generation(frame.product); }
bool is_transposed_with_empty_path(const Frame& frame) {
  return has_empty_path(frame) && frame.transposed;
}
bool is_normal_with_empty_path(const Frame& frame) {
  return has_empty_path(frame) && !frame.transposed;
}
bool is_transposed_950(const Frame& frame) {
  return frame.transposed && frame.product == Product::Ascend950;
}

/// One element below the bound, or far below it.
std::int64_t draw_below(std::int64_t bound, corpus::RandomSource& random) {
  return random.one_of({bound - 1, bound - 1, bound - 2, -int64_max, int64_min});
}

template <auto member, std::int64_t bound>
bool lower_element(Case& test_case, corpus::RandomSource& random) {
  auto& array = *(test_case.*member);
  if (array.empty()) return false;
  array[to_size(random.between(0, static_cast<std::int64_t>(array.size()) - 1))] =
      draw_below(bound, random);
  return true;
}

bool raise_output_padding(Case& test_case, corpus::RandomSource& random) {
  auto& array = *test_case.output_padding;
  const auto axis = to_size(random.between(0, static_cast<std::int64_t>(array.size()) - 1));
  array[axis] = (*test_case.stride)[axis] + random.one_of<std::int64_t>({0, 0, 1, 1000});
  return true;
}

bool set_any_output_padding(Case& test_case, corpus::RandomSource& random) {
  auto& array = *test_case.output_padding;
  array[to_size(random.between(0, static_cast<std::int64_t>(array.size()) - 1))] =
      random.one_of<std::int64_t>({1, -1, 7, int64_max});
  return true;
}

bool lower_groups(Case& test_case, corpus::RandomSource& random) {
  test_case.groups = random.one_of({0, 0, -1, -2, std::numeric_limits<std::int32_t>::min()});
  return true;
}

std::int64_t draw_above(std::int64_t limit, corpus::RandomSource& random) {
  return random.one_of({limit + 1, limit + 1, limit + 2, 2 * limit});
}

/// Sets one axis of a call, and all shapes that follow from it.
bool with_axis(Case& test_case, std::size_t axis, void (*change)(SpatialAxis&, std::int64_t),
               std::int64_t value) {
  const auto old = convolution_of(test_case);
  if (!old) return false;
  Convolution next = *old;
  change(next.axes[axis], value);
  if (room(next.axes[axis]) < 0) return false;
  std::vector<std::size_t> axes(old->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  test_case = with_convolution(test_case, *old, next, axes);
  return true;
}

void widen_kernel(SpatialAxis& axis, std::int64_t kernel) {
  axis.big += axis.dilation * (kernel - axis.kernel);
  axis.kernel = kernel;
}

void widen_stride(SpatialAxis& axis, std::int64_t stride) { axis.stride = stride; }

void widen_padding(SpatialAxis& axis, std::int64_t padding) {
  axis.padding_begin = axis.padding_end = padding;
  axis.stride = std::max(axis.stride, padding / 16);  // few outputs, so few elements
}

void widen_dilation(SpatialAxis& axis, std::int64_t dilation) {
  axis.kernel = std::min<std::int64_t>(axis.kernel, 2);
  axis.dilation = dilation;
  axis.big = std::max(axis.big, dilation + 1);
}

bool exceed(Case& test_case, bool depth_too, void (*change)(SpatialAxis&, std::int64_t),
            std::int64_t limit, corpus::RandomSource& random) {
  const std::int64_t value = draw_above(limit, random);
  return with_axis(test_case, draw_axis_index(test_case, depth_too, random), change, value);
}

bool exceed_kernel(Case& test_case, corpus::RandomSource& random) {
  return exceed(test_case, false, widen_kernel, 255, random);
}

bool exceed_stride(Case& test_case, corpus::RandomSource& random) {
  return exceed(test_case, false, widen_stride, 63, random);
}

bool exceed_padding_of_a_volume(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = draw_axis_index(test_case, false, random);
  // A stride of 16 at the least, and 63 at the most, keeps the other rows of the table whole.
  const auto widen = [](SpatialAxis& changed, std::int64_t padding) {
    changed.padding_begin = changed.padding_end = padding;
    changed.stride = std::clamp<std::int64_t>(changed.stride, 16, 63);
  };
  return with_axis(test_case, axis, widen, draw_above(255, random));
}

bool exceed_padding(Case& test_case, corpus::RandomSource& random) {
  return exceed(test_case, true, widen_padding, 255, random);
}

bool exceed_dilation(Case& test_case, corpus::RandomSource& random) {
  return exceed(test_case, true, widen_dilation, 255, random);
}

bool exceed_dilation_but_depth(Case& test_case, corpus::RandomSource& random) {
  return exceed(test_case, false, widen_dilation, 255, random);
}

bool exceed_groups(Case& test_case, corpus::RandomSource& random) {
  Convolution wide;
  wide.transposed = test_case.transposed;
  wide.groups = random.one_of({65536, 65536, 65537});
  wide.axes.resize(test_case.input->shape.size() - 2);
  const auto old = convolution_of(test_case);
  if (!old) return false;
  std::vector<std::size_t> axes(old->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  test_case = with_convolution(test_case, *old, wide, axes);
  return true;
}

constexpr RuleBreaker breakers[] = {
    {"STRIDE-01", Base::NonEmpty, any_frame, lower_element<&Case::stride, 1>},
    {"PAD-01", Base::NonEmpty, any_frame, lower_element<&Case::padding, 0>},
    {"DIL-01", Base::NonEmpty, any_frame, lower_element<&Case::dilation, 1>},
    {"OPAD-01", Base::NonEmpty, is_transposed, lower_element<&Case::output_padding, 0>},
    {"OPAD-02", Base::NonEmpty, is_transposed, raise_output_padding},
    {"OPAD-03", Base::NonEmpty, is_normal, set_any_output_padding},
    {"GRP-01", Base::NonEmpty, any_frame, lower_groups},
    // Of an empty problem no sizes are compared that would be refused for the same reason.
    {"STRIDE-01", Base::Empty, has_empty_path, lower_element<&Case::stride, 1>},
    {"PAD-01", Base::Empty, has_empty_path, lower_element<&Case::padding, 0>},
    {"DIL-01", Base::Empty, has_empty_path, lower_element<&Case::dilation, 1>},
    {"OPAD-01", Base::Empty, is_transposed_with_empty_path,
     lower_element<&Case::output_padding, 0>},
    {"OPAD-02", Base::Empty, is_transposed_with_empty_path, raise_output_padding},
    {"OPAD-03", Base::Empty, is_normal_with_empty_path, set_any_output_padding},
    {"GRP-01", Base::Empty, has_empty_path, lower_groups},
    {"RANGE-01", Base::NonEmpty, is_normal_second_generation, exceed_kernel},
    {"RANGE-02", Base::NonEmpty, is_transposed_950, exceed_kernel},
    {"RANGE-03", Base::NonEmpty, is_normal_volume, exceed_stride},
    {"RANGE-04", Base::NonEmpty, is_transposed_950, exceed_stride},
    {"RANGE-05", Base::NonEmpty, is_normal_volume, exceed_padding_of_a_volume},
    {"RANGE-06", Base::NonEmpty, is_normal_plane, exceed_padding},
    {"RANGE-07", Base::NonEmpty, is_transposed_950, exceed_padding_of_a_volume},
    {"RANGE-08", Base::NonEmpty, is_normal_second_generation, exceed_dilation},
    {"RANGE-09", Base::NonEmpty, is_transposed_950, exceed_dilation_but_depth},
    {"RANGE-10", Base::NonEmpty, is_wide, exceed_groups},
};

}  // namespace

std::span<const RuleBreaker> range_breakers() { return breakers; }

}  // namespace gradproof::cases
