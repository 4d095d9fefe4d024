#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {

struct Fields;

/// Lengths in the order of `first` (two letters, "NC" or "OI") and then the spatial axes D, H, W,
/// by a layout such as "NHWC", "HWIO", "b01f", "NSC" (S: all spatial axes). nullopt: it does not
/// fit.
std::optional<Integers> reordered(const Integers& lengths, std::string_view layout,
                                  std::string_view first);

/// The values of the spatial axes alone, where there is one for every axis of the tensor.
Integers spatial_alone(const Integers& values, std::string_view layout, std::size_t axes);

/// JAX's and XLA's labels, "b01f_01io->b01f" and "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]".
struct DimLabels {
  std::string input, weight, output;
};
std::optional<DimLabels> dim_labels(std::string_view text);

/// A tensor of a batch, channels by their role, and lengths.
std::optional<Integers> from_sizes(const Fields& fields, std::string_view channels,
                                   const Integers& lengths);

/// Channels of all groups, where a layer says those of one.
std::optional<std::int64_t> channels_of_groups(const Fields& fields, std::string_view role,
                                               std::int64_t groups);

/// Channels of the input, where a layer says how many weights it has.
std::optional<std::int64_t> counted_channels(const Fields& fields, std::optional<std::int64_t> out,
                                             const std::optional<Integers>& kernel,
                                             std::int64_t groups);

/// Layouts that a text names, where the channels of the input or the lengths of the weight stand in
/// another order than here: "NHWC", "OHWI", "channels_last".
struct NamedLayouts {
  std::string_view input, weight;  ///< as the text has them; empty: none
};
NamedLayouts layouts_named_in(std::string_view text);

/// Layout of the weight with which alone the lengths fit, the input's channels being last: "OSI"
/// or "SIO"; empty: they fit as they are, or with both or none.
std::string_view weight_of_channels_last(const Fields& fields);

/// Adds the batch of one that PyTorch takes a tensor without a batch as; true if one was lacking.
bool add_batch(const Fields& fields, std::optional<Integers>& lengths);

}  // namespace gradproof::advice
