#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"

/// Parts that breakers of graph operators' rules share, and breaches of what is passed at all:
/// pointers, product, result size, ranks, dtypes, formats; and tensors that contradict each other.
/// A breach is false where the rule cannot be broken in this case.
namespace gradproof::cases::operator_breaks {

bool on_950(const corpus::Case& test_case);
bool is_dx(const corpus::Case& test_case);

/// Feature map of a call, whatever the operator calls it.
std::optional<corpus::TensorCase>& feature_map(corpus::Case& test_case);
std::optional<corpus::TensorCase>& filter(corpus::Case& test_case);
/// out_backprop, feature map and filter.
std::array<std::optional<corpus::TensorCase>*, 3> tensors(corpus::Case& test_case);

/// The length of a tensor's logical axis.
std::int64_t& length(corpus::TensorCase& tensor, std::size_t axis);

/// Changes the sizes of a call.
template <typename Change>
bool resize(corpus::Case& test_case, Change&& change) {
  const auto old = convolution_of(test_case);
  if (!old) return false;
  Convolution next = *old;
  if (!change(next)) return false;
  set_operator_convolution(test_case, next);
  return true;
}

bool drop_required(corpus::Case& test_case, corpus::RandomSource& random);
bool move_to_other_product(corpus::Case& test_case, corpus::RandomSource& random);
bool spoil_result_size(corpus::Case& test_case, corpus::RandomSource& random);
bool change_rank(corpus::Case& test_case, corpus::RandomSource& random);
/// Gives one of the tensors that must share a dtype another.
bool mix_dtypes(corpus::Case& test_case, corpus::RandomSource& random);
bool take_unknown_dtype(corpus::Case& test_case, corpus::RandomSource& random);
bool contradict_data_format(corpus::Case& test_case, corpus::RandomSource& random);
bool take_unlisted_layout(corpus::Case& test_case, corpus::RandomSource& random);
/// Breaks what the table of the filter operator's parameters says without a number.
bool spoil_parameters(corpus::Case& test_case, corpus::RandomSource& random);

/// Draws channels that do not divide into the groups, or not into as many as the filter has.
bool contradict_channels(corpus::Case& test_case, corpus::RandomSource& random);
bool contradict_batches(corpus::Case& test_case, corpus::RandomSource& random);
bool contradict_lengths(corpus::Case& test_case, corpus::RandomSource& random);
/// Breaks what no rule refuses: the result is left open.
bool contradict_uncompared(corpus::Case& test_case, corpus::RandomSource& random);

}  // namespace gradproof::cases::operator_breaks
