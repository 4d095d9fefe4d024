#include "properties/explain/nearest_legal_call.h"

#include <algorithm>
#include <vector>

namespace gradproof::properties {
namespace {

using corpus::Case;

/// The least change first: a flag or a switch before a shape, a shape before a dtype, and another
/// product last.
constexpr void (*kinds[])(ChangeList&) = {
    supply_what_is_null, fit_each_output,   choose_math_type,     use_plain_formats,
    fit_bias_sizes,      fit_array_lengths, agree_output_padding, derive_grad_output,
    narrow_mask,         bound_attributes,  make_kernel_fit,      choose_groups,
    fit_weight,          fit_input,         choose_dtypes,        turn_around,
    choose_product};

/// Beyond 31 bits devices differ in what still fits their own arithmetic; nobody is sent there.
bool is_within_31_bits(const std::optional<std::vector<std::int64_t>>& values) {
  constexpr std::int64_t largest = 2147483646;
  return !values || std::ranges::all_of(*values, [](auto value) { return value <= largest; });
}

bool has_ordinary_attributes(const Case& problem) {
  return is_within_31_bits(problem.stride) && is_within_31_bits(problem.padding) &&
         is_within_31_bits(problem.dilation) && is_within_31_bits(problem.output_padding);
}

bool is_legal_everywhere(const Case& problem, oracle::Profile profile) {
  return has_ordinary_attributes(problem) && admits_success(problem, oracle::Profile::Documented) &&
         admits_success(problem, profile);
}

}  // namespace

bool admits_success(const Case& problem, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(problem, profile);
  return !admitted.not_judged && !admitted.values_ill_defined &&
         std::ranges::find(admitted.statuses, corpus::Status::Success) != admitted.statuses.end();
}

std::optional<Change> nearest_legal_call(const Case& problem, oracle::Profile profile) {
  if (admits_success(problem, profile)) return std::nullopt;
  Case bare = problem;
  bare.expect.reset();
  bare.data.reset();
  for (const auto kind : kinds) {
    ChangeList list(bare);
    kind(list);
    for (Change& change : std::move(list).taken()) {
      if (is_legal_everywhere(change.call, profile)) return std::move(change);
    }
  }
  return std::nullopt;
}

}  // namespace gradproof::properties
