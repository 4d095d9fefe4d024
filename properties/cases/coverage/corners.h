#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

/// A place in the space of legal calls where implementations go wrong, and which a campaign must
/// therefore have been to.
struct Corner {
  std::string_view name;
  bool (*contains)(const corpus::Case&, const Convolution&);
};

/// Corners of calls, then those of what tiling classes are asked.
std::span<const Corner> corners();

/// Places in corners() of a case that breaks no rule.
std::vector<std::uint16_t> corners_of(const corpus::Case& test_case);

}  // namespace gradproof::cases
