#pragma once

#include <cstdint>
#include <string_view>

#include "kernel/api/graph_rules/rule.h"

// What both operators' rules look for. Each finds nothing in what a call leaves undefined.
namespace gradproof::kernel::api::graph_checks {

struct Range {
  std::int64_t lowest, highest;

  constexpr bool holds(std::int64_t value) const { return value >= lowest && value <= highest; }
};

/// Limits of one operator on one product.
struct Limits {
  Range filter_plane;  ///< H and W of the filter
  Range stride_depth, stride_plane, pad_depth, pad_plane, dilation_depth, dilation_plane;
};

/// Source: Conv3DBackpropInputV2, constraints; Conv3DBackpropFilterV2, constraints. In profile
/// `released` Ascend950 is bounded by its 32-bit counters only, and so is D of the others' dw.
Limits limits_of(const Call& call);

/// Ascend910B, Ascend910_93 and Ascend950 have the operators.
Finding unsupported_product(const Call& call);

/// Every one of `tensors()` has five axes.
Finding not_five_axes(const Argument<Tensor>& tensor);

/// `size` has five values and is the shape of the result.
Finding size_differs(const Call& call);

/// data_format is one of the two, and the tensor has that format.
Finding unknown_data_format(const Call& call);
Finding other_format(const Call& call, const Argument<Tensor>& tensor);

Finding filter_plane_outside(const Call& call);
Finding strides_outside(const Call& call);
Finding pads_outside(const Call& call);
Finding dilations_outside(const Call& call);
Finding groups_outside(const Call& call);

/// Channels of feature map and filter against the groups in force.
Finding channels_differ(const Call& call);
/// `count` channels, named so, are a multiple of the groups in force.
Finding not_in_groups(const Call& call, const Argument<Tensor>& tensor, char axis);

/// The dilated filter fits, and outBackprop has as many positions as it can take.
Finding sizes_differ(const Call& call);

Finding batches_differ(const Call& call);
Finding output_channels_differ(const Call& call);

/// Groups 1 that stand for the ratio of channels.
Finding ratio_taken_as_groups(const Call& call);

}  // namespace gradproof::kernel::api::graph_checks
