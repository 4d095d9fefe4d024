#pragma once

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/classes/call_classes.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Small sizes that fall into a row's classes of kernel, groups, channels, stride, dilation and
/// padding. `frame` has the row's rank and direction.
Convolution draw_joint_sizes(const Frame& frame, const Classes& row, corpus::RandomSource& random);

}  // namespace gradproof::cases
