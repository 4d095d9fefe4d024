#pragma once

namespace gradproof::properties {

/// How often each kind of case is drawn, in percent. What a share costs and finds is measured in
/// docs/generation.md.
namespace shares {

/// One in so many cases is a row of the covering array of classes, where the selection admits legal
/// calls of aclnnConvolutionBackward.
inline constexpr unsigned joint_period = 60;

/// Of all cases, where the selection admits both: with a rule broken.
inline constexpr unsigned invalid = 25;
/// Of the cases that call aclnnConvolutionBackward or break one of its rules on a product with
/// empty tensors: empty.
inline constexpr unsigned empty = 7;
/// Of the legal ones: asked for their status alone, since a tensor has about 2^31 elements or
/// bytes.
inline constexpr unsigned beyond_memory = 1;

/// Of the legal ones of FLOAT, 2D and not transposed, on Ascend950, where they are asked for.
inline constexpr unsigned winograd_layer = 6;

/// Of the problems that are not empty: along the path of a real network's layer, at a threshold of
/// some size, at the end of an attribute's range. All others draw each attribute for itself.
inline constexpr unsigned beaten_path = 38;
inline constexpr unsigned threshold = 8;
inline constexpr unsigned extreme = 2;

/// Of the problems that are not empty, where there is a dictionary, ahead of these: with a size
/// from it.
inline constexpr unsigned dictionary = 10;

/// Of the beaten paths: one attribute changed afterwards.
inline constexpr unsigned path_neighbour = 22;
/// Of the thresholds: two sizes at once.
inline constexpr unsigned joint_threshold = 20;

/// Of the cases of aclnnConvolutionBackward: with views.
inline constexpr unsigned views = 25;
/// Of the views of inputs: with elements that share a place, such as a scalar that was expanded.
inline constexpr unsigned shared_places = 12;
/// Of the views: an offset or a pitch at a power of two.
inline constexpr unsigned threshold_of_view = 15;

}  // namespace shares

}  // namespace gradproof::properties
