#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/rules/status_rules.h"

namespace gradproof::oracle::rules {

// What the rules of the graph operators and of the tiling classes share.

inline const OperatorFacts& graph(const Facts& facts) { return *facts.graph; }

/// A documented demand that the released library does not make: both verdicts conform.
constexpr Consequence refused_unless_released(const Facts&) {
  return {codes::inner, codes::success, {codes::success, codes::inner}};
}

/// A permission of the documents, or what they do not speak of, which the released library refuses.
constexpr Consequence legal_unless_released(const Facts&) {
  return {codes::success, codes::inner, {codes::success, codes::inner}};
}

/// A permission that some libraries do not grant.
constexpr Consequence legal_or_refused(const Facts&) {
  return {codes::success, codes::success, {codes::success, codes::inner}};
}

/// The C interface answers a null argument with 161001; the operators themselves know no status.
constexpr Consequence null_refused(const Facts&) {
  return {codes::nullptr_refused, codes::nullptr_refused, {codes::nullptr_refused, codes::inner}};
}

/// True if the value is at most the limit. A value that overflows is too large.
constexpr bool is_at_most(CheckedInteger value, std::int64_t limit) {
  return value.value() && *value.value() <= limit;
}

/// The parameter's name as the operator's document has it: "filter", "x", "y", ...
std::string_view parameter_name(const Facts& facts, Role3D role);

/// Name of the first required argument that is null; empty if none is. A tiling class has none:
/// what it is not told keeps its default.
std::string_view first_null(const Facts& facts);

/// The soc as the case names it, also where no product has that name.
std::string words_for_product(const Facts& facts);

/// A row about the calls of `calls` on the products that have the operators.
constexpr StatusRule operator_rule(Calls calls, std::string_view id, Clause demand,
                                   std::string_view source, Standing (*standing)(const Facts&),
                                   Consequence (*consequence)(const Facts&),
                                   std::string (*words)(const Facts&)) {
  return {.id = id,
          .demand = demand,
          .source = source,
          .products = on_a23_a5,
          .paths = any_path,
          .standing = standing,
          .consequence = consequence,
          .words = words,
          .calls = calls};
}

/// The row about null pointers, on every chip.
constexpr StatusRule null_rule(Calls calls, std::string_view id, Clause demand) {
  return {.id = id,
          .demand = demand,
          .source = "C interface of the graph operators",
          .products = on_every_chip,
          .paths = any_path,
          .standing = [](const Facts& facts) { return met_if(first_null(facts).empty()); },
          .consequence = null_refused,
          .words = [](const Facts& facts) { return std::string(first_null(facts)) + " is null"; },
          .calls = calls};
}

/// The row about the products that lack the operators.
constexpr StatusRule product_rule(Calls calls, std::string_view id, std::string_view source) {
  return {.id = id,
          .demand = {"the product has the graph operators", "产品须支持图模式算子"},
          .source = source,
          .products = {ProductClass::A1, ProductClass::Unsupported},
          .paths = any_path,
          .standing = [](const Facts&) { return Standing::Broken; },
          .consequence = codes::always_inner,
          .words = words_for_product,
          .calls = calls};
}

enum class AxisAttribute : std::uint8_t { Filter, Strides, Pads, Dilations };

/// The range of D and of H and W; `lowest` is that of all three.
struct AxisLimits {
  std::int64_t lowest, depth, plane;
};

/// Limits of the same attribute on Ascend910B and 910_93, and on Ascend950.
struct LimitsByProduct {
  AxisLimits on_a23, on_a5;

  const AxisLimits& of(const Facts& facts) const {
    return facts.product_class == ProductClass::A5 ? on_a5 : on_a23;
  }
};

/// A documented range, and the wider one of the released library. Values between the two may be
/// refused or not.
struct AttributeRange {
  AxisAttribute attribute;
  LimitsByProduct documented, released;
  bool has_neutral_axes = false;  ///< five values, of which N and C must be 1
};

Standing is_in_range(const Facts& facts, const AttributeRange& range);
Consequence out_of_range(const Facts& facts, const AttributeRange& range);
std::string words_for_range(const Facts& facts, const AttributeRange& range);

/// A row about an attribute's range.
template <const AttributeRange& range>
constexpr StatusRule ranged(std::string_view id, Clause demand, std::string_view source,
                            Calls calls) {
  return {.id = id,
          .demand = demand,
          .source = source,
          .products = on_a23_a5,
          .paths = any_path,
          .standing = [](const Facts& facts) { return is_in_range(facts, range); },
          .consequence = [](const Facts& facts) { return out_of_range(facts, range); },
          .words = [](const Facts& facts) { return words_for_range(facts, range); },
          .calls = calls};
}

/// Channels divide into groups and the filter has those of one group. `compares_outputs`: and as
/// many kernels as out_backprop has channels.
Standing channels_fit(const Facts& facts, bool compares_outputs);
std::string words_for_channels(const Facts& facts);

/// groups is 1, yet the feature map has several times the filter's channels (G-20).
Standing groups_from_channels(const Facts& facts);
std::string words_for_ratio(const Facts& facts);

Standing groups_in_range(const Facts& facts);
std::string words_for_groups(const Facts& facts);

/// The kernel fits and out_backprop has the lengths that follow (G-16).
Standing lengths_fit(const Facts& facts);
Consequence lengths_do_not_fit(const Facts& facts);
std::string words_for_lengths(const Facts& facts);

}  // namespace gradproof::oracle::rules
