#pragma once

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

// How an Ascend would cut a gradient into tiles, by a simple model of our own: enough to say which
// kinds of tiles a case has, not what a device does with it. The larger feature map is dx's result
// (M: positions of one D slice, N: its channels, K: the kernel's plane times the other channels),
// the reduction of dw is cut over the cores where its result has too few tiles.

/// True if the last tile along M, N or K is shorter than the others.
bool has_m_tail(const corpus::Case& test_case, const Convolution& sizes);
bool has_n_tail(const corpus::Case& test_case, const Convolution& sizes);
bool has_k_tail(const corpus::Case& test_case, const Convolution& sizes);

/// True if all channels of a group fit one fractal, or fill several and a part of the last.
bool has_channels_within_c0(const corpus::Case& test_case, const Convolution& sizes);
bool has_channel_tail(const corpus::Case& test_case, const Convolution& sizes);

/// True if positions of the larger map lie between those of the stride: they become zeros.
bool has_stride_holes(const corpus::Case& test_case, const Convolution& sizes);

/// True if dw has fewer tiles than the chip has cores and a reduction to share out among them; or
/// has enough tiles.
bool has_split_k(const corpus::Case& test_case, const Convolution& sizes);
bool has_whole_k(const corpus::Case& test_case, const Convolution& sizes);

}  // namespace gradproof::cases
