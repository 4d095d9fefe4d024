#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "corpus/case.h"

namespace gradproof::cases {

/// True if each run takes long for the sizes of the call alone: its tensors have more than 2^16
/// elements together.
bool is_large(const corpus::Case& test_case);

/// The case with its data listed, and of them only those that one element of a gradient is a sum
/// of: gradWeight's reads one channel of each map, gradInput's one sample's window and the filters
/// of its channel, gradBias's one channel of gradOutput. `at` is the element's coordinate in the
/// output's shape; `more` positions and channels on each side are listed as well. nullopt where
/// tensors do not fit each other, or the data are listed already.
std::optional<corpus::Case> with_what_an_element_reads(const corpus::Case& test_case,
                                                       corpus::OutputRole role,
                                                       std::span<const std::int64_t> at,
                                                       std::int64_t more = 0);

}  // namespace gradproof::cases
