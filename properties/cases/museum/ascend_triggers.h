#pragma once

#include "properties/cases/museum/triggers.h"

namespace gradproof::cases::triggers {

/// Triggers of the mistakes that Ascend's vendor mended in 2026 (ascend_mends.cpp). A mistake that
/// needs a call before it has the trigger of the call in which it shows.
Trigger one_by_one_padded_at_the_last_sides, map_as_long_as_the_kernel_in_1d,
    negative_right_backward_padding, groups_of_whole_blocks, bottom_backward_padding_above_255,
    depthwise_windows_in_the_padding, results_without_products, large_kernel,
    samples_that_cores_share, channels_that_cores_share, unpadded_float16, eight_bit_operands,
    split_kernel_cut_on_the_left, split_columns_cut_on_the_left, cut_sums_with_a_channel_tail,
    many_channels_on_910b, grouped_bf16_weight, several_depth_taps_of_16_bits,
    few_channels_of_many_positions, cut_sums_with_gaps_along_depth, halved_rows_and_columns,
    halved_3x3_in_groups;

}  // namespace gradproof::cases::triggers
