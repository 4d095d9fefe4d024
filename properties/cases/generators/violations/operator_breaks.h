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

/// Ways to break a call; false where the rule cannot be broken in this case.
using Break = bool(corpus::Case& test_case, corpus::RandomSource& random);

Break drop_required, move_to_other_product, spoil_result_size, change_rank, take_unknown_dtype,
    contradict_data_format, take_unlisted_layout;
/// One of the tensors that must share a dtype has another.
Break mix_dtypes;
/// Breaks what the table of the filter operator's parameters says without a number.
Break spoil_parameters;

/// Channels that do not divide into the groups, or not into as many as the filter has.
Break contradict_channels;
Break contradict_batches, contradict_lengths;
/// Makes a call that no rule refuses and whose result is left open.
Break contradict_uncompared;

// operator_ranges.cpp: ranges of filter, strides, dilations, pads and groups, just beyond a limit;
// and sizes that the released tiling has no room for.
Break enlarge_kernel, exceed_stride, exceed_dilation, exceed_pad, exceed_tile_of_dx,
    exceed_row_of_dx, exceed_pads_of_dx, exceed_tile_of_dw, take_odd_groups;

}  // namespace gradproof::cases::operator_breaks
