#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "properties/findings/hypotheses/hypothesis.h"
#include "properties/findings/hypotheses/words.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::InputRole;

/// The position along an axis that is read in place of each.
struct ReadPlace {
  std::string_view words;  ///< {0}: "column", "channel", ...
  std::int64_t (*of)(std::int64_t position, std::int64_t length);
};

std::int64_t first(std::int64_t, std::int64_t) { return 0; }
std::int64_t last(std::int64_t, std::int64_t length) { return length - 1; }
std::int64_t reversed(std::int64_t position, std::int64_t length) { return length - 1 - position; }
std::int64_t next(std::int64_t position, std::int64_t length) { return (position + 1) % length; }
std::int64_t previous(std::int64_t position, std::int64_t length) {
  return (position + length - 1) % length;
}

constexpr ReadPlace places[] = {
    {"the last {0} of {1} taken for every one", last},
    {"the first {0} of {1} taken for every one", first},
    {"the next {0} of {1} taken for each, the first for the last", next},
    {"the {0} of {1} before each taken for it, the last for the first", previous},
    {"the {0}s of {1} in the opposite order", reversed},
};

/// Groups whose positions along the axis are numbered by themselves: 1 where it has none.
std::int64_t groups_along(const Witness& witness, InputRole role, std::size_t axis) {
  const std::size_t grouped = role == InputRole::Weight ? 0 : 1;
  return axis == grouped ? witness.geometry.groups : 1;
}

World with_places(const Witness& witness, InputRole role, std::size_t axis,
                  const ReadPlace& place) {
  World world = right_world(witness);
  Numbers& numbers = (role == InputRole::GradOutput ? world.grad_output : world.other).changed();
  const Numbers right = numbers;
  const std::int64_t length = right.shape()[axis] / groups_along(witness, role, axis);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    oracle::Shape at = oracle::coordinate_of(right.shape(), i);
    const std::int64_t begin = at[axis] / length * length;
    at[axis] = begin + place.of(at[axis] - begin, length);
    numbers[i] = right.at(at);
  }
  return world;
}

}  // namespace

std::vector<Hypothesis> place_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!example.has_other()) return hypotheses;
  for (const InputRole role : {InputRole::GradOutput, example.other_role()}) {
    for (std::size_t axis = 0; axis < 5; ++axis) {
      const auto name = position_name(example, role == InputRole::Weight, axis);
      const bool has_groups = groups_along(example, role, axis) > 1;
      for (const ReadPlace& place : places) {
        // A flipped kernel is a thought of its own.
        if (role == InputRole::Weight && axis > 1 && place.of == reversed) continue;
        const auto what = fmt::format(
            fmt::runtime(place.words), name,
            fmt::format("{}{}", has_groups ? "each group of " : "", corpus::name_of(role)));
        hypotheses.push_back({"with " + what, [role, axis, place](const Witness& witness) {
                                return std::optional(with_places(witness, role, axis, place));
                              }});
      }
    }
  }
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
