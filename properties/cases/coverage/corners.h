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

/// Kinds of tilings that Conv3DBpInputTiling gives (by the oracle's search, which the class is held
/// to), by name: which last block is short, what is buffered twice, whether B lies in L1 whole or
/// comes in steps. A campaign must have been to each.
std::span<const std::string_view> tiling_class_corners();

/// Places in tiling_class_corners() of a case that breaks none of its class's rules; empty for a
/// case of any other call, and for those whose tiling is defined nowhere.
std::vector<std::uint16_t> tiling_class_corners_of(const corpus::Case& test_case);

}  // namespace gradproof::cases
