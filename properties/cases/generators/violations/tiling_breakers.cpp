#include <algorithm>
#include <iterator>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/generators/tiling_case.h"

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::Format;
using Lengths = std::vector<std::int64_t>;

constexpr int tries = 40;
constexpr std::int64_t max_macs = 5'000;
constexpr std::size_t axis_n = 0, axis_c = 1, axis_d = 2;  // of a shape

bool is_dx(const Case& test_case) { return corpus::computes_dx(test_case.api); }
bool is_transposed(const Case& test_case) { return is_dx(test_case) && !test_case.grad_input; }

corpus::TensorCase& filter(Case& test_case) {
  return is_dx(test_case) ? *test_case.weight : *test_case.grad_weight;
}

std::size_t any_axis(corpus::RandomSource& random) { return to_size(random.between(0, 2)); }

/// Changes the sizes of a case; false for a transposed one, whose sizes cannot be read.
template <typename Change>
bool resize(Case& test_case, Change&& change) {
  const auto old = convolution_of(test_case);
  if (!old) return false;
  Convolution next = *old;
  change(next);
  set_operator_convolution(test_case, next);
  return true;
}

bool contradict_setters(Case& test_case, corpus::RandomSource& random) {
  const std::int64_t ways = is_transposed(test_case) ? 1 : is_dx(test_case) ? 4 : 3;
  switch (random.between(1, ways)) {
    case 1:
      ++filter(test_case).shape[axis_n];
      return true;
    case 2:
      ++filter(test_case).shape[axis_c];
      return true;
    case 3:
      ++test_case.grad_output->shape[axis_n];
      return true;
    default:
      test_case.output_padding = Lengths{0, 0, 0};
      return true;
  }
}

bool spoil_signs(Case& test_case, corpus::RandomSource& random) {
  auto& attributes = *test_case.attributes;
  const std::size_t axis = axis_d + any_axis(random);
  switch (random.between(0, 2)) {
    case 0:
      attributes.pads->at(to_size(random.between(0, 5))) = -random.between(1, 9);
      return true;
    case 1:
      attributes.strides->at(axis) = -random.between(0, 2);
      return true;
    default:
      attributes.dilations->at(axis) = -random.between(0, 2);
      return true;
  }
}

/// Sets a length of 0, or a shape that no setter is told.
bool empty_a_tensor(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = axis_d + any_axis(random);
  switch (random.between(0, 4)) {
    case 0:
      filter(test_case).shape[axis] = 0;
      return true;
    case 1:
      test_case.grad_output->shape[axis] = 0;
      return true;
    case 2:
      test_case.grad_output->shape[axis_n] = 0;
      if (auto& map = is_dx(test_case) ? test_case.grad_input : test_case.input)
        map->shape[axis_n] = 0;
      return true;
    case 3:
      test_case.grad_output->shape[axis_c] = filter(test_case).shape[axis_n] = 0;
      return true;
    default:
      (is_dx(test_case) ? test_case.weight : test_case.grad_weight).reset();
      return true;
  }
}

/// Changes the format of the filter or of the map whose format the class looks at.
bool take_other_format(Case& test_case, corpus::RandomSource& random) {
  const bool is_filter = random.chance(50);
  auto& map = is_dx(test_case) ? *test_case.grad_output : *test_case.input;
  (is_filter ? filter(test_case) : map).format =
      random.one_of({Format::Ndhwc, Format::Nd, is_filter ? Format::Ndc1hwc0 : Format::FractalZ3d});
  return true;
}

/// Takes all of a deduced length: by pads beyond the kernel, or, which breaks no other rule, by an
/// outputPadding below 0.
bool take_all_away(Case& test_case, corpus::RandomSource& random) {
  test_case.grad_input.reset();
  test_case.attributes->input_size.reset();
  const bool by_pads = random.chance(50);
  const std::size_t axis = by_pads ? any_axis(random) : 0;
  const auto& attributes = *test_case.attributes;
  const std::int64_t reach =
      (test_case.grad_output->shape[axis_d + axis] - 1) * attributes.strides->at(axis_d + axis) +
      (test_case.weight->shape[axis_d + axis] - 1) * attributes.dilations->at(axis_d + axis) + 1;
  if (by_pads) {
    test_case.attributes->pads->at(2 * axis) = reach + random.between(40, 60);
  } else {
    test_case.output_padding.emplace(3, 0).at(axis) = -reach - random.between(0, 9);
  }
  return true;
}

bool contradict_lengths(Case& test_case, corpus::RandomSource& random) {
  if (is_transposed(test_case)) return false;
  auto& length = test_case.grad_output->shape[axis_d + any_axis(random)];
  length += length > 1 && random.chance(50) ? -1 : 1;
  return true;
}

/// Sets a stride just above its range, and lengths that go with it.
bool exceed_stride(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = is_dx(test_case) ? any_axis(random) : 1 + any_axis(random) % 2;
  return resize(test_case, [&](Convolution& next) {
    SpatialAxis& changed = next.axes[axis];
    const std::int64_t limit = axis == 0 ? std::min<std::int64_t>(changed.kernel, 255) : 63;
    changed.stride = limit + random.between(1, 2);
    changed.padding_begin = changed.padding_end = 0;
    changed.big =
        (changed.kernel - 1) * changed.dilation + 1 + changed.stride * random.between(0, 3);
  });
}

/// Makes one slice of dx with more positions than 32 bits count.
bool exceed_plane(Case& test_case, corpus::RandomSource& random) {
  return resize(test_case, [&](Convolution& next) {
    for (const std::size_t axis : {1U, 2U}) {
      SpatialAxis& changed = next.axes[axis];
      changed = {.big = std::int64_t{1} << 16, .kernel = 1};
    }
    next.axes[1].big += random.between(0, 3);
    next.batch = next.big_channels_per_group = next.small_channels_per_group = 1;
    next.axes[0] = {};
  });
}

bool exceed_stride_or_plane(Case& test_case, corpus::RandomSource& random) {
  return random.chance(80) ? exceed_stride(test_case, random) : exceed_plane(test_case, random);
}

/// Sets a pad as long as the kernel, or longer, and lengths that go with it.
bool exceed_pad(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = any_axis(random);
  // Before H and W it takes a dilated kernel, or gradOutput's pads would be negative.
  const bool begin = random.chance(axis == 0 ? 50 : 25);
  const std::int64_t beyond = random.chance(60) ? 0 : random.between(1, 2);
  return resize(test_case, [&](Convolution& next) {
    SpatialAxis& changed = next.axes[axis];
    std::int64_t& pad = begin ? changed.padding_begin : changed.padding_end;
    const std::int64_t more = changed.kernel + beyond - pad;
    pad += more;
    changed.big = std::max<std::int64_t>(changed.big - more, 1);
  });
}

/// The dilated kernel reaches further than gradOutput can be padded.
bool exceed_reach(Case& test_case, corpus::RandomSource& random) {
  const auto axis = to_size(random.between(1, 2));
  return resize(test_case, [&](Convolution& next) {
    SpatialAxis& changed = next.axes[axis];
    changed.kernel = random.between(2, 4);
    changed.stride = 1;
    changed.padding_begin = changed.padding_end = 0;
    changed.dilation = 255 / (changed.kernel - 1) + random.between(1, 3);
    changed.big = (changed.kernel - 1) * changed.dilation + random.between(1, 20);
  });
}

/// Attributes of dw just above their ranges, which only H and W have.
bool exceed_filter_limits(Case& test_case, corpus::RandomSource& random) {
  if (random.chance(30)) return exceed_stride(test_case, random);
  const auto axis = to_size(random.between(1, 2));
  return resize(test_case, [&](Convolution& next) {
    SpatialAxis& changed = next.axes[axis];
    switch (random.between(0, 2)) {
      case 0:
        changed.dilation = random.between(256, 258);
        break;
      case 1:
        changed.padding_end = random.between(256, 258);
        break;
      default:
        changed = {.kernel = axis == 1 ? random.between(512, 520) : random.between(33, 40)};
    }
    for (SpatialAxis& one : next.axes) {
      one.big = std::max(one.big, (one.kernel - 1) * one.dilation + 1);
    }
  });
}

constexpr auto dx = Api::Conv3DBpInputTiling;
constexpr auto dw = Api::Conv3dBpFilterTiling;

constexpr TilingBreaker rows[] = {
    {"TI-00", dx, contradict_setters},
    {"TI-01", dx, spoil_signs},
    {"TI-02", dx, empty_a_tensor},
    {"TI-03", dx, take_other_format},
    {"TI-04", dx, take_all_away},
    {"TI-05", dx, contradict_lengths},
    {"TI-06", dx, exceed_stride_or_plane},
    {"TI-07", dx, exceed_pad},
    {"TI-08", dx, exceed_reach},
    {"TF-00", dw, contradict_setters},
    {"TF-01", dw, spoil_signs},
    {"TF-02", dw, empty_a_tensor},
    {"TF-03", dw, exceed_filter_limits},
    {"TF-04", dw, contradict_lengths},
    {"TF-05", dw, take_other_format},
};

}  // namespace

std::span<const TilingBreaker> tiling_breakers() { return rows; }

std::optional<Case> draw_broken_tiling_case(const TilingBreaker& breaker,
                                            const std::vector<TilingFrame>& frames,
                                            corpus::RandomSource& random, int& discarded) {
  std::vector<TilingFrame> fitting;
  std::ranges::copy_if(frames, std::back_inserter(fitting),
                       [&](const TilingFrame& frame) { return frame.api == breaker.api; });
  if (fitting.empty()) return std::nullopt;
  for (int i = 0; i < tries; ++i) {
    Case test_case =
        draw_tiling_case(random.one_of(std::span<const TilingFrame>(fitting)), max_macs, random);
    if (breaker.breaks(test_case, random)) return test_case;
    ++discarded;
  }
  return std::nullopt;
}

}  // namespace gradproof::cases
