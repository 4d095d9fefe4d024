#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/relation.h"

namespace gradproof::cases {

/// The index spaces of a convolution: every axis of every tensor runs over one of them.
enum class Space : std::uint8_t {
  Sample,
  SmallChannel,       ///< of all groups; the first axis of the weight too
  BigChannel,         ///< of all groups
  BigChannelOfGroup,  ///< second axis of the weight
  SmallPosition,
  BigPosition,
  Tap,
};

/// An index of a space, in one of the spatial axes where the space has them.
struct Index {
  Space space = Space::Sample;
  std::size_t axis = 0;  ///< 0 is the slowest spatial axis
  std::int64_t at = 0;
};

/// Where an index of a convolution is in another one; nullopt: nowhere.
using IndexMap = std::function<std::optional<std::int64_t>(const Index&)>;

/// Another convolution, and where the indices of the first are in it.
struct Part {
  Convolution sizes;
  IndexMap map;
};

/// Calls of the parts with the data that the maps give them; each output element is the sum of
/// those that it is mapped to.
Relation relation_to_parts(const corpus::Case& test_case, const Convolution& sizes,
                           std::vector<Part> parts);

}  // namespace gradproof::cases
