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

}  // namespace gradproof::cases::triggers
