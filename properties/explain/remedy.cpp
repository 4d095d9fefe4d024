#include "properties/explain/remedy.h"

#include <algorithm>
#include <optional>

namespace gradproof::properties {
namespace {

using corpus::Case;

constexpr std::size_t most_remedies = 3;

/// The least change first: a flag or a switch before a shape, a shape before a dtype. Other
/// products are listed separately: Explanation::legal_elsewhere.
constexpr void (*kinds[])(ChangeList&) = {
    supply_what_is_null, fit_each_output,   choose_math_type,     use_plain_formats,
    fit_bias_sizes,      fit_array_lengths, agree_output_padding, derive_grad_output,
    narrow_mask,         bound_attributes,  make_kernel_fit,      choose_groups,
    fit_weight,          fit_input,         choose_dtypes,        turn_around};

/// Beyond 31 bits devices differ in what still fits their own arithmetic: no remedy goes there.
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

}  // namespace

bool is_certainly_legal(const Case& problem, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(problem, profile);
  return admitted.statuses == std::vector{corpus::Status::Success} && !admitted.values_ill_defined;
}

std::vector<Change> remedies(const Case& problem, oracle::Profile profile) {
  std::vector<Change> found;
  if (is_certainly_legal(problem, profile)) return found;
  Case bare = problem;
  bare.expect.reset();
  bare.data.reset();
  for (const auto kind : kinds) {
    ChangeList list(bare);
    kind(list);
    for (Change& change : std::move(list).taken()) {
      if (found.size() == most_remedies) return found;
      const bool is_known = std::ranges::find(found, change.call, &Change::call) != found.end();
      if (!is_known && is_remedy(change.call, profile)) found.push_back(std::move(change));
    }
  }
  return found;
}

}  // namespace gradproof::properties
