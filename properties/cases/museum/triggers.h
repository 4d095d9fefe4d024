#pragma once

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases::triggers {

/// Each says whether the published bug of its row in museum.cpp would show in a legal, non-empty
/// call.
using Trigger = bool(const corpus::Case&, const Convolution&);

Trigger depthwise_24, depthwise_in_vectors_of_8, kernel_width_1_padding_2, grouped_channels,
    grouped_3d_stride_4, grouped_1x1_even, short_last_piece, below_a_block_1x1_s2, fully_strided_dw;

Trigger kernel_5_s3, narrow_map_of_many_channels, stride_above_dilation, kernel_1_s2,
    kernel_3n_plus_1_s3, sizes_hide_the_stride, stride_2, unread_elements, kernel_3_s2_unread,
    many_summed_channels, any_grad_input, any_long_grad_input;

Trigger transposed_1x1_s2, transposed_map_of_1_dilated, transposed_with_equal_shapes,
    transposed_strided, transposed_padded, transposed_1x1_output_padding;

Trigger bias_without_weight;

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
