#pragma once

#include <span>

#include "oracle/rules/status_rules.h"

namespace gradproof::oracle::rules {

// One function a file of this folder: the rows of one group, in the specification's order.
std::span<const StatusRule> product_rules();
std::span<const StatusRule> null_rules();
std::span<const StatusRule> dtype_rules();
std::span<const StatusRule> float8_rules();
std::span<const StatusRule> format_rules();
std::span<const StatusRule> length_rules();
std::span<const StatusRule> bound_rules();
std::span<const StatusRule> range_rules();
std::span<const StatusRule> channel_rules();
std::span<const StatusRule> shape_rules();
std::span<const StatusRule> bias_rules();
std::span<const StatusRule> math_mode_rules();
std::span<const StatusRule> empty_rules();
std::span<const StatusRule> empty_on_a1_rules();
std::span<const StatusRule> memory_rules();
std::span<const StatusRule> graph_input_rules();     ///< Conv3DBackpropInputV2
std::span<const StatusRule> graph_device_rules();    ///< the same
std::span<const StatusRule> graph_filter_rules();    ///< Conv3DBackpropFilterV2
std::span<const StatusRule> graph_capacity_rules();  ///< both
std::span<const StatusRule> input_tiling_rules();    ///< Conv3DBpInputTiling
std::span<const StatusRule> filter_tiling_rules();   ///< Conv3dBpFilterTiling
std::span<const StatusRule> conv_tbc_rules();        ///< aclnnConvTbcBackward
// aclnnConvolution, aclnnConvTbc and aclnnConvDepthwise2d.
std::span<const StatusRule> forward_presence_rules();
std::span<const StatusRule> forward_dtype_rules();
std::span<const StatusRule> forward_format_rules();
std::span<const StatusRule> forward_relation_rules();
std::span<const StatusRule> forward_range_rules();
std::span<const StatusRule> forward_mode_rules();

}  // namespace gradproof::oracle::rules
