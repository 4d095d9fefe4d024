#include "properties/advice/explain/change.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gradproof::advice {
namespace {

using corpus::Case;

constexpr std::size_t most_remedies = 3;

/// The least change first: a flag or a switch before a shape, a shape before a dtype. Other
/// products are listed separately: Explanation::legal_elsewhere.
constexpr void (*kinds[])(ChangeList&) = {
    supply_what_is_null,  add_batch,          put_channels_second, fit_each_output,
    choose_math_type,     use_plain_formats,  fit_bias_sizes,      fit_array_lengths,
    agree_output_padding, derive_grad_output, narrow_mask,         bound_attributes,
    make_kernel_fit,      choose_groups,      fit_weight,          fit_input,
    choose_dtypes,        turn_around};

/// True if all values are within 31 bits: beyond, devices differ in what fits their arithmetic.
bool is_within_31_bits(const std::optional<std::vector<std::int64_t>>& values) {
  constexpr std::int64_t largest = 2147483646;
  return !values || std::ranges::all_of(*values, [](auto value) { return value <= largest; });
}

bool is_remedy(const Case& changed, oracle::Profile profile) {
  return is_within_31_bits(changed.stride) && is_within_31_bits(changed.padding) &&
         is_within_31_bits(changed.dilation) && is_within_31_bits(changed.output_padding) &&
         is_certainly_legal(changed, oracle::Profile::Documented) &&
         is_certainly_legal(changed, profile);
}

std::vector<ChangedCall> single_changes(const Case& call) {
  ChangeList list(call);
  for (const auto kind : kinds) kind(list);
  return std::move(list).taken();
}

/// A product that has no convolution is not mended by any parameter.
bool is_of_the_product(const oracle::BrokenRule& rule) { return rule.id == "PROD-01"; }

/// The changes that leave the fewest rules broken, fewer than before; the least change first.
std::vector<ChangedCall> most_promising(const Case& test_case, std::size_t broken) {
  constexpr std::size_t most_tried = 3;
  std::vector<std::pair<std::size_t, ChangedCall>> promising;
  for (ChangedCall& change : single_changes(test_case)) {
    const std::size_t left = oracle::broken_rules(change.call).size();
    if (left < broken) promising.emplace_back(left, std::move(change));
  }
  std::ranges::stable_sort(promising, {}, &std::pair<std::size_t, ChangedCall>::first);
  if (promising.size() > most_tried) promising.resize(most_tried);
  std::vector<ChangedCall> changes;
  changes.reserve(promising.size());
  for (auto& [left, change] : promising) changes.push_back(std::move(change));
  return changes;
}

/// The first change mends some of the broken rules, the second one the rest.
std::optional<ChangedCall> pair_of_changes(const Case& test_case, oracle::Profile profile) {
  const auto broken = oracle::broken_rules(test_case);
  if (std::ranges::any_of(broken, is_of_the_product)) return std::nullopt;
  for (const ChangedCall& first : most_promising(test_case, broken.size())) {
    for (const ChangedCall& second : single_changes(first.call)) {
      if (second.field == first.field || !is_remedy(second.call, profile)) continue;
      return ChangedCall{first.field + ", " + second.field, first.words + "; and " + second.words,
                         second.call, true};
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_certainly_legal(const Case& test_case, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(test_case, profile);
  return admitted.statuses == std::vector{corpus::Status::Success} && !admitted.values_ill_defined;
}

bool may_succeed(const Case& test_case, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(test_case, profile);
  return std::ranges::find(admitted.statuses, corpus::Status::Success) != admitted.statuses.end() &&
         !admitted.values_ill_defined;
}

std::vector<ChangedCall> remedies(const Case& test_case, oracle::Profile profile) {
  if (is_certainly_legal(test_case, profile)) return {};
  Case bare = test_case;
  bare.expect.reset();
  bare.data.reset();
  std::vector<ChangedCall> found;
  for (ChangedCall& change : single_changes(bare)) {
    if (found.size() == most_remedies) break;
    const bool is_known = std::ranges::find(found, change.call, &ChangedCall::call) != found.end();
    if (!is_known && is_remedy(change.call, profile)) found.push_back(std::move(change));
  }
  if (found.empty()) {
    if (auto pair = pair_of_changes(bare, profile)) found.push_back(*std::move(pair));
  }
  return found;
}

}  // namespace gradproof::advice
