#include "oracle/rules/operator_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using Array = std::vector<std::int64_t>;

std::string_view name_of(AxisAttribute attribute) {
  constexpr std::string_view names[] = {"the filter", "strides", "pads", "dilations"};
  return names[to_size(attribute)];
}

const Array* array_of(const OperatorFacts& facts, AxisAttribute attribute) {
  switch (attribute) {
    case AxisAttribute::Filter:
      break;
    case AxisAttribute::Strides:
      return facts.strides;
    case AxisAttribute::Pads:
      return facts.pads;
    case AxisAttribute::Dilations:
      return facts.dilations;
  }
  return nullptr;
}

std::optional<Shape> shape_of(const OperatorFacts& facts, AxisAttribute attribute) {
  switch (attribute) {
    case AxisAttribute::Filter:
      return facts.filter_shape;
    case AxisAttribute::Strides:
      return facts.strides_by_axis;
    case AxisAttribute::Dilations:
      return facts.dilations ? facts.dilations_by_axis : std::nullopt;
    case AxisAttribute::Pads:
      break;
  }
  return std::nullopt;
}

/// One value of D, H or W.
struct AxisEntry {
  std::string_view axis;
  std::int64_t value;
  bool is_depth;
};

std::vector<AxisEntry> entries_of(const OperatorFacts& facts, AxisAttribute attribute) {
  constexpr std::string_view sides[] = {"front", "back", "top", "bottom", "left", "right"};
  constexpr std::string_view names[] = {"D", "H", "W"};
  std::vector<AxisEntry> entries;
  if (attribute == AxisAttribute::Pads && facts.sides) {
    for (std::size_t i = 0; i < 6; ++i) {
      entries.push_back({sides[i], facts.sides->at(i), i < 2});
    }
    return entries;
  }
  const auto shape = shape_of(facts, attribute);
  for (std::size_t i = 0; shape && i < 3; ++i) {
    entries.push_back({names[i], shape->at(i + axis_d), i == 0});
  }
  return entries;
}

bool is_outside(const AxisEntry& entry, const AxisLimits& limits) {
  return entry.value < limits.lowest ||
         entry.value > (entry.is_depth ? limits.depth : limits.plane);
}

/// The first value that is out of these limits.
std::optional<AxisEntry> first_outside(const Facts& facts, const AttributeRange& range,
                                       const AxisLimits& limits) {
  for (const AxisEntry& entry : entries_of(graph(facts), range.attribute)) {
    if (is_outside(entry, limits)) return entry;
  }
  return std::nullopt;
}

std::size_t wanted_length(AxisAttribute attribute) {
  return attribute == AxisAttribute::Pads ? 6 : 5;
}

/// True if the array is there with another length.
bool has_wrong_length(const Facts& facts, const AttributeRange& range) {
  const Array* array = array_of(graph(facts), range.attribute);
  return array != nullptr && array->size() != wanted_length(range.attribute);
}

bool has_batch_or_channel_step(const Facts& facts, const AttributeRange& range) {
  if (!range.has_neutral_axes) return false;
  const auto shape = shape_of(graph(facts), range.attribute);
  return shape && ((*shape)[axis_n] != 1 || (*shape)[axis_c] != 1);
}

bool is_known(const Facts& facts, const AttributeRange& range) {
  return !entries_of(graph(facts), range.attribute).empty();
}

}  // namespace

std::string_view parameter_name(const Facts& facts, Role3D role) {
  const bool dx = graph(facts).computes_feature_map;
  switch (role) {
    case Role3D::OutBackprop:
      return "out_backprop";
    case Role3D::FeatureMap:
      return dx ? "y" : "x";
    case Role3D::Filter:
      break;
  }
  return dx ? "filter" : "y";
}

std::string_view first_null(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  const bool dx = it.computes_feature_map;
  const std::pair<std::string_view, const void*> arguments[] = {
      {dx ? "input_size" : "filter_size", it.result_size},
      {dx ? "filter" : "x", it.given()},
      {"out_backprop", it.out_backprop},
      {"strides", it.strides},
      {"pads", it.pads},
      {"y", it.result()}};
  const auto* missing =
      std::ranges::find(arguments, nullptr, [](const auto& argument) { return argument.second; });
  return missing == std::end(arguments) ? std::string_view{} : missing->first;
}

std::string words_for_product(const Facts& facts) {
  return fmt::format("soc is {}; the operator runs on {} and {}", facts.test_case.soc,
                     names_of_products(ProductClass::A23), names_of_products(ProductClass::A5));
}

Standing is_in_range(const Facts& facts, const AttributeRange& range) {
  if (has_wrong_length(facts, range)) return Standing::Broken;
  if (!is_known(facts, range)) return Standing::Undefined;
  const bool holds = !has_batch_or_channel_step(facts, range) &&
                     !first_outside(facts, range, range.documented.of(facts));
  return met_if(holds);
}

Consequence out_of_range(const Facts& facts, const AttributeRange& range) {
  const bool is_wrong_everywhere = has_wrong_length(facts, range) ||
                                   has_batch_or_channel_step(facts, range) ||
                                   first_outside(facts, range, range.released.of(facts));
  return is_wrong_everywhere ? always_inner(facts) : refused_unless_released(facts);
}

std::string words_for_range(const Facts& facts, const AttributeRange& range) {
  const Array* array = array_of(graph(facts), range.attribute);
  if (has_wrong_length(facts, range)) {
    return fmt::format("{} has {} values; it must have {}", name_of(range.attribute), array->size(),
                       wanted_length(range.attribute));
  }
  if (has_batch_or_channel_step(facts, range)) {
    return fmt::format("{} is {}; its values for N and C must be 1", name_of(range.attribute),
                       list_of(*array));
  }
  const AxisLimits& limits = range.documented.of(facts);
  const AxisEntry entry = first_outside(facts, range, limits).value_or(AxisEntry{});
  const std::int64_t highest = entry.is_depth ? limits.depth : limits.plane;
  const std::string bounds =
      highest == std::numeric_limits<std::int64_t>::max()
          ? fmt::format("it must be at least {}", limits.lowest)
          : fmt::format("the range on {} is [{}, {}]", facts.test_case.soc, limits.lowest, highest);
  return fmt::format("{}'s {} is {}; {}", name_of(range.attribute), entry.axis, entry.value,
                     bounds);
}

Standing channels_fit(const Facts& facts, bool compares_outputs) {
  const OperatorFacts& it = graph(facts);
  const bool defined =
      it.feature_map_shape && it.filter_shape && it.out_backprop_shape && it.groups >= 1;
  if (!defined) return Standing::Undefined;
  const std::int64_t channels = (*it.feature_map_shape)[axis_c];
  const std::int64_t kernels = (*it.filter_shape)[axis_n];
  const std::int64_t outputs = compares_outputs ? (*it.out_backprop_shape)[axis_c] : kernels;
  const auto grouped = (CheckedInteger((*it.filter_shape)[axis_c]) * it.groups).value();
  return met_if(channels % it.groups == 0 && outputs % it.groups == 0 && grouped == channels &&
                outputs == kernels);
}

std::string words_for_channels(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  return fmt::format(
      "{} has {} channels, out_backprop {}, {} {} kernels of {} channels; these do not fit {} "
      "groups",
      parameter_name(facts, Role3D::FeatureMap), (*it.feature_map_shape)[axis_c],
      (*it.out_backprop_shape)[axis_c], parameter_name(facts, Role3D::Filter),
      (*it.filter_shape)[axis_n], (*it.filter_shape)[axis_c], it.groups);
}

Standing groups_from_channels(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  if (!it.feature_map_shape || !it.filter_shape) return Standing::Undefined;
  return permitted_if(it.ratio.has_value());
}

std::string words_for_ratio(const Facts& facts) {
  return fmt::format("groups is 1, but {} has {} channels and {} {}: {} groups are taken",
                     parameter_name(facts, Role3D::FeatureMap),
                     (*graph(facts).feature_map_shape)[axis_c],
                     parameter_name(facts, Role3D::Filter), (*graph(facts).filter_shape)[axis_c],
                     graph(facts).groups);
}

Standing groups_in_range(const Facts& facts) {
  const std::int64_t groups = facts.test_case.groups;
  return met_if(groups >= 1 && groups <= 65535);
}

std::string words_for_groups(const Facts& facts) {
  return fmt::format("groups is {}; its range is [1, 65535]", facts.test_case.groups);
}

namespace {

/// Overflow is no relation that holds.
Relation lengths_relation(const SpatialAxis& axis) {
  const Relation fits = kernel_fits(axis);
  return fits == Relation::Holds ? small_length_is_right(axis) : fits;
}

}  // namespace

Standing lengths_fit(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  if (!it.axes_are_known) return Standing::Undefined;
  const auto axes = it.axes.all();
  if (std::ranges::any_of(axes, [](const auto& axis) { return axis.stride < 1; })) {
    return Standing::Undefined;
  }
  return met_if(on_all(it.axes, lengths_relation) == Relation::Holds);
}

/// Consequence of lengths that do not fit. Where the relation overflows no text says what happens.
Consequence lengths_do_not_fit(const Facts& facts) {
  if (on_all(graph(facts).axes, lengths_relation) == Relation::Fails) return always_inner(facts);
  return {inner, {success, inner}, {success_without_values, inner}};
}

std::string words_for_lengths(const Facts& facts) {
  constexpr std::string_view names[] = {"D", "H", "W"};
  const auto axes = graph(facts).axes.all();
  const auto wrong = std::ranges::find_if(
      axes, [](const SpatialAxis& axis) { return lengths_relation(axis) != Relation::Holds; });
  const SpatialAxis& axis = *wrong;
  const auto wanted = axis.small_length().value();
  return fmt::format(
      "out_backprop's {} is {}; {}'s {} with pads {} and {}, kernel {}, dilation {}, stride {} "
      "leads to {}",
      names[wrong - axes.begin()], axis.small, parameter_name(facts, Role3D::FeatureMap), axis.big,
      axis.padding_begin, axis.padding_end, axis.kernel, axis.dilation, axis.stride,
      wanted ? std::to_string(*wanted) : "a number beyond 64 bits");
}

}  // namespace gradproof::oracle::rules
