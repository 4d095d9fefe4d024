#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

/// The convolution that a case describes; nullopt where its tensors and arrays do not have the
/// ranks and lengths of any convolution. Sizes that contradict each other are no obstacle: the
/// larger feature map and the weight are believed.
std::optional<Convolution> convolution_of(const corpus::Case& test_case);

/// The case with another convolution of the same or lower rank put in place of its own. What the
/// old case had wrong (an output one too long, a gradient of another shape) stays wrong by as much.
/// `old` is convolution_of(problem); `kept_axes` names, for each axis of `next`, the axis of `old`
/// that it was. The same case where its operator has no such convolution.
corpus::Case with_convolution(const corpus::Case& test_case, const Convolution& old,
                              const Convolution& next, const std::vector<std::size_t>& kept_axes);

}  // namespace gradproof::cases
