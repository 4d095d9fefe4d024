#pragma once

namespace gradproof::cases {

/// Percentage of each kind of case that is drawn. What a share costs and finds is measured in
/// docs/generation.md.
namespace shares {

/// One in so many cases is a row of the covering array of classes, where the selection admits legal
/// calls of aclnnConvolutionBackward.
inline constexpr unsigned joint_period = 60;

/// Percentage of all cases that have a rule broken, where the selection admits both.
inline constexpr unsigned invalid = 25;
/// Percentage of empty cases among those that call aclnnConvolutionBackward or break one of its
/// rules on a product with empty tensors: empty.
inline constexpr unsigned empty = 7;
/// Percentage of the legal cases that are asked for their status alone, since a tensor has about
/// 2^31 elements or bytes.
inline constexpr unsigned beyond_memory = 1;

/// Percentage of the legal cases of FLOAT, 2D and not transposed on Ascend950 that are layers for
/// Winograd's dw, where those are asked for.
inline constexpr unsigned winograd_layer = 9;
/// Percentage of the legal cases of FLOAT that are layers for kernels in tiles where all such are
/// asked for, and of these the layers of Ascend950 where it has some.
inline constexpr unsigned tile_layer = 40, ascend950s_of_tile_layers = 10;

/// Percentages of the non-empty problems that follow a network's layer, lie at a threshold of some
/// size, at the end of an attribute's range, or on a path of Ascend's library, most of which
/// Ascend950 has. All others draw each attribute for itself.
inline constexpr unsigned beaten_path = 38, beaten_path_on_ascend950 = 33;
inline constexpr unsigned threshold = 8;
inline constexpr unsigned extreme = 2;
inline constexpr unsigned device_path = 15, device_path_on_ascend950 = 38;

/// Percentage of the beaten paths with one attribute changed afterwards.
inline constexpr unsigned path_neighbour = 22;
/// Percentage of the thresholds with two sizes at once.
inline constexpr unsigned joint_threshold = 20;

/// Percentage of the cases of aclnnConvolutionBackward with views.
inline constexpr unsigned views = 25;
/// Percentage of inputs' views with elements that share a place, such as an expanded scalar.
inline constexpr unsigned shared_places = 12;
/// Percentage of the views with an offset or a pitch at a power of two.
inline constexpr unsigned threshold_of_view = 15;

}  // namespace shares

}  // namespace gradproof::cases
