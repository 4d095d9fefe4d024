#include "oracle/rules/status_rules.h"

#include <algorithm>
#include <vector>

#include "oracle/rules/all.h"

namespace gradproof::oracle {
namespace {

std::vector<StatusRule> joined_groups() {
  using Group = std::span<const StatusRule> (*)();
  constexpr Group groups[] = {rules::product_rules,
                              rules::null_rules,
                              rules::dtype_rules,
                              rules::float8_rules,
                              rules::format_rules,
                              rules::length_rules,
                              rules::bound_rules,
                              rules::range_rules,
                              rules::channel_rules,
                              rules::shape_rules,
                              rules::bias_rules,
                              rules::math_mode_rules,
                              rules::empty_rules,
                              rules::empty_on_a1_rules,
                              rules::memory_rules,
                              rules::graph_input_rules,
                              rules::graph_device_rules,
                              rules::graph_filter_rules,
                              rules::graph_capacity_rules,
                              rules::input_tiling_rules,
                              rules::filter_tiling_rules,
                              rules::conv_tbc_rules,
                              rules::forward_presence_rules,
                              rules::forward_dtype_rules,
                              rules::forward_format_rules,
                              rules::forward_relation_rules,
                              rules::forward_range_rules,
                              rules::forward_mode_rules};
  std::vector<StatusRule> joined;
  for (const Group group : groups) {
    const auto rows = group();
    joined.insert(joined.end(), rows.begin(), rows.end());
  }
  return joined;
}

}  // namespace

std::span<const StatusRule> all_status_rules() {
  static const std::vector<StatusRule> rows = joined_groups();
  return rows;
}

const StatusRule* status_rule_named(std::string_view id) {
  const auto rows = all_status_rules();
  const auto row = std::ranges::find(rows, id, &StatusRule::id);
  return row == rows.end() ? nullptr : &*row;
}

Standing standing_of(const StatusRule& rule, const Facts& facts) {
  if (!rule.never_decides.empty()) return Standing::Undefined;
  if (!rule.calls.contains(facts.test_case.api)) return Standing::Undefined;
  if (!rule.products.contains(facts.product_class)) return Standing::Undefined;
  if (!rule.paths.contains(facts.path)) return Standing::Undefined;
  return rule.standing(facts);
}

}  // namespace gradproof::oracle
