#pragma once

#include <span>
#include <string_view>

#include "corpus/case.h"
#include "properties/convolution.h"

namespace gradproof::properties {

/// A place in the space of legal calls where implementations go wrong, and which a campaign must
/// therefore have been to.
struct Corner {
  std::string_view name;
  bool (*contains)(const corpus::Case&, const Convolution&);
};

std::span<const Corner> corners();

}  // namespace gradproof::properties
