#include "oracle/arithmetic/algorithm_scope.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/facts/case_facts.h"

namespace gradproof::oracle {
namespace {

using corpus::Algorithm;
using corpus::Case;
using corpus::OutputRole;

std::int64_t half_of(std::int64_t length) { return (length + 1) / 2; }

bool has_one_tap(const Axis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.padding_begin == 0;
}

bool has_three_taps(const Axis& axis) {
  return axis.kernel == 3 && axis.stride == 1 && axis.dilation == 1;
}

/// The form along each axis; nullopt where it fits none or another axis has more than one tap.
std::optional<TileForm> fitted(Algorithm algorithm, const Geometry& geometry) {
  TileForm form{.algorithm = algorithm, .axes = {}, .begins_anywhere = false, .why = {}};
  bool any = false;
  for (std::size_t i = 0; i < form.axes.size(); ++i) {
    const bool has_tiles = i > 0 && has_three_taps(geometry.axes.at(i));
    if (!has_tiles && !has_one_tap(geometry.axes.at(i))) return std::nullopt;
    form.axes.at(i) = has_tiles ? &axis_form(algorithm) : &plain_axis();
    any = any || has_tiles;
  }
  return any ? std::optional(form) : std::nullopt;
}

bool is_of_floats(const Case& test_case, OutputRole role, const Arithmetic& way) {
  const auto is_stored_so = [](const auto& tensor) {
    return tensor && tensor->dtype == corpus::DataType::Float;
  };
  const auto other =
      role == OutputRole::GradInput ? corpus::InputRole::Weight : corpus::InputRole::Input;
  return way.operands == NumberFormat::Float && way.operand_slack == 0 &&
         way.overflow == Overflow::ToInfinity &&
         is_stored_so(tensor(test_case, corpus::InputRole::GradOutput)) &&
         is_stored_so(tensor(test_case, other)) && is_stored_so(tensor(test_case, role));
}

bool has_channels_first(const Case& test_case) {
  const auto is_first = [](const std::optional<corpus::TensorCase>& tensor) {
    return !tensor || tensor->format == corpus::Format::Nchw ||
           tensor->format == corpus::Format::Ncdhw || tensor->format == corpus::Format::Nd;
  };
  return is_first(test_case.grad_output) && is_first(test_case.input) &&
         is_first(test_case.grad_weight);
}

bool has_paddings_of_class_c(const Axis& axis) {
  const std::int64_t end = axis.small - 1 + axis.kernel - axis.big - axis.padding_begin;
  return axis.padding_begin == end && end >= 0 && end <= 8;
}

/// gradWeight of Ascend950's released library, by its sizes.
/// Source: ops-nn, tiling of Winograd in conv3d_backprop_filter_v2, as of 2026-08-20.
bool is_taken_on_ascend950(const Case& test_case, const Geometry& geometry) {
  const auto product = corpus::product_of(test_case);
  if (!product || class_of(*product) != ProductClass::A5) return false;
  if (!has_channels_first(test_case) || geometry.groups != 1) return false;
  const auto& [depth, height, width] = geometry.axes;
  if (depth.big != 1 || depth.small != 1 || !has_three_taps(height) || !has_three_taps(width)) {
    return false;
  }
  if (!has_paddings_of_class_c(height) || !has_paddings_of_class_c(width)) return false;
  if (height.big <= 2 || width.big <= 2) return false;
  const std::int64_t tiles = half_of(height.small) * half_of(width.small);
  const std::int64_t inner = half_of(height.big - 2) * half_of(width.big - 2);
  constexpr std::int64_t most_tiles = 512'000, least_blocks = 16, edge = 64;
  return geometry.batch * tiles <= most_tiles && 2 * inner >= tiles &&
         (geometry.small_channels / edge) * (geometry.big_channels / edge) >= least_blocks;
}

std::optional<TileForm> told(const std::vector<corpus::GradientAlgorithm>& algorithms,
                             const Geometry& geometry, OutputRole role, const char* why) {
  for (const corpus::GradientAlgorithm& known : algorithms) {
    if (known.gradient != role || !corpus::is_winograd(known.algorithm)) continue;
    const auto channels = std::min(geometry.big_channels, geometry.small_channels);
    auto form = fitted(known.algorithm, geometry);
    if (!form || channels < known.least_channels) continue;
    form->begins_anywhere = known.tiles_anywhere;
    form->why = why;
    return form;
  }
  return std::nullopt;
}

bool is_released(Profile profile) {
  return profile == Profile::Released || profile == Profile::Tolerant;
}

/// Least and largest share, over the results along one axis, of the sum in tiles in that of the
/// products, where operands are 1.
std::pair<double, double> shares_of(const AxisForm& form) {
  const auto row_sum = [](const Magnitudes& matrix, std::size_t row) {
    double sum = 0;
    for (std::size_t i = 0; i < matrix.columns; ++i) sum += matrix.at(row, i);
    return sum;
  };
  double least = HUGE_VAL, most = 0;
  for (std::size_t result = 0; result < form.results.rows; ++result) {
    double sum = 0;
    for (std::size_t i = 0; i < form.results.columns; ++i) {
      sum += form.results.at(result, i) * row_sum(form.smaller, i) * row_sum(form.larger, i);
    }
    least = std::min(least, sum / static_cast<double>(form.smaller.columns));
    most = std::max(most, sum / static_cast<double>(form.smaller.columns));
  }
  return {least, most};
}

}  // namespace

std::uint64_t roundings(const TileForm& form) {
  std::uint64_t sum = 0;
  for (const AxisForm* axis : form.axes) {
    sum += axis->larger.roundings() + axis->smaller.roundings() + axis->results.roundings();
  }
  return sum;
}

TileOutlook outlook(const TileForm& form, const Geometry& geometry, OutputRole role,
                    const ErrorBound& bound) {
  std::int64_t terms = geometry.transposed ? geometry.big_channels : geometry.small_channels;
  if (role == OutputRole::GradWeight) {
    terms = geometry.batch;
    for (std::size_t i = 0; i < form.axes.size(); ++i) {
      const std::int64_t size = form.axes[i]->smaller_count();
      terms *= (geometry.axes[i].small + size - 1) / size;
    }
  }
  TileOutlook result{.terms = static_cast<std::uint64_t>(terms)};
  const std::uint64_t count = result.terms + roundings(form);
  result.gamma = bound.is_defined(count) ? bound.gamma_estimate(count) : HUGE_VAL;
  result.largest_magnitude = static_cast<double>(result.terms);
  for (const AxisForm* axis : form.axes) {
    const auto [least, most] = shares_of(*axis);
    result.least_share *= least;
    result.most_share *= most;
    result.largest_magnitude *= most * static_cast<double>(axis->smaller_count());
  }
  return result;
}

std::optional<TileForm> tiles_admitted(const JudgeSettings& settings, const Case& test_case,
                                       const Geometry& geometry, OutputRole role,
                                       const Arithmetic& way) {
  if (!settings.admits_tiles) return std::nullopt;
  if (role == OutputRole::GradBias || !is_of_floats(test_case, role, way)) return std::nullopt;
  if (auto form = told(settings.algorithms, geometry, role, "declared")) return form;
  if (auto form = told(settings.found_algorithms, geometry, role, "found by a probe")) return form;
  if (role != OutputRole::GradWeight || !is_released(settings.profile)) return std::nullopt;
  if (!is_taken_on_ascend950(test_case, geometry)) return std::nullopt;
  auto form = fitted(Algorithm::Winograd3x2, geometry);
  if (form) form->why = "the released library of Ascend950 computes such calls so";
  return form;
}

bool may_be_in_tiles(const JudgeSettings& settings, const Case& test_case, OutputRole role) {
  const auto geometry = geometry_of(test_case);
  if (!geometry || !tensor(test_case, role)) return false;
  const auto ways = arithmetics(test_case, role, settings);
  return std::ranges::any_of(ways, [&](const Arithmetic& way) {
    return tiles_admitted(settings, test_case, *geometry, role, way).has_value();
  });
}

std::string words(const TileForm& form) {
  const AxisForm* of_tiles = &plain_axis();
  int axes = 0;
  for (const AxisForm* axis : form.axes) {
    if (axis == &plain_axis()) continue;
    of_tiles = axis;
    ++axes;
  }
  const auto m = of_tiles->result_count(), r = of_tiles->smaller_count();
  if (axes == 1) return fmt::format("Winograd F({},{})", m, r);
  return fmt::format("Winograd F({0}x{0},{1}x{1})", m, r);
}

}  // namespace gradproof::oracle
