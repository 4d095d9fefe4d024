#include "properties/cases/laws/index_map.h"

#include <utility>

namespace gradproof::cases {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

enum class Kind : std::uint8_t { SmallMap, BigMap, Weight, Bias };

Kind kind_of(InputRole role, bool transposed) {
  if (role == InputRole::Weight) return Kind::Weight;
  const bool is_big = (role == InputRole::GradOutput) == transposed;
  return is_big ? Kind::BigMap : Kind::SmallMap;
}

Kind kind_of(OutputRole role, bool transposed) {
  if (role == OutputRole::GradBias) return Kind::Bias;
  if (role == OutputRole::GradWeight) return Kind::Weight;
  return kind_of(InputRole::Input, transposed);
}

Space space_of(Kind kind, std::size_t axis, bool transposed) {
  switch (kind) {
    case Kind::SmallMap:
      if (axis == 0) return Space::Sample;
      return axis == 1 ? Space::SmallChannel : Space::SmallPosition;
    case Kind::BigMap:
      if (axis == 0) return Space::Sample;
      return axis == 1 ? Space::BigChannel : Space::BigPosition;
    case Kind::Weight:
      if (axis == 0) return Space::SmallChannel;
      return axis == 1 ? Space::BigChannelOfGroup : Space::Tap;
    case Kind::Bias:
      break;
  }
  return transposed ? Space::BigChannel : Space::SmallChannel;
}

std::optional<Coordinate> mapped(const IndexMap& map, Kind kind, bool transposed,
                                 const Coordinate& at) {
  Coordinate there;
  there.reserve(at.size());
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    const Space space = space_of(kind, axis, transposed);
    const auto index = map({space, axis < 2 ? 0 : axis - 2, at[axis]});
    if (!index) return std::nullopt;
    there.push_back(*index);
  }
  return there;
}

}  // namespace

Relation relation_to_parts(const corpus::Case& test_case, const Convolution& sizes,
                           std::vector<Part> parts) {
  const bool transposed = sizes.transposed;
  Relation relation;
  relation.test_case = test_case;
  const corpus::Case listed = with_listed_data(test_case);
  for (const Part& part : parts) {
    relation.runs.push_back(
        derived_call(listed, part.sizes, [&](InputRole role, const Coordinate& at) {
          return mapped(part.map, kind_of(role, transposed), transposed, at);
        }));
  }
  relation.places = [parts = std::move(parts), transposed](OutputRole role, const Coordinate& at) {
    std::vector<Place> places;
    for (std::size_t run = 0; run < parts.size(); ++run) {
      auto there = mapped(parts[run].map, kind_of(role, transposed), transposed, at);
      if (there) places.push_back({run, std::move(*there)});
    }
    return places;
  };
  return relation;
}

}  // namespace gradproof::cases
