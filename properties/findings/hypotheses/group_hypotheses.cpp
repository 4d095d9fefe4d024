#include <fmt/core.h>

#include <utility>

#include "properties/findings/hypotheses/hypothesis.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::OutputRole;
using oracle::Number;
using oracle::Shape;

/// A tensor whose element at each place is that of another place.
template <typename Place>
Numbers rearranged(const Numbers& numbers, Place&& place) {
  Numbers result(numbers.shape());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    result[i] = numbers.at(place(oracle::coordinate_of(numbers.shape(), i)));
  }
  return result;
}

/// Sources of the output's elements: the place where each comes from.
template <typename Place>
std::vector<std::int64_t> sources(const Shape& shape, Place&& place) {
  std::vector<std::int64_t> source(to_size(oracle::element_count(shape)));
  for (std::size_t i = 0; i < source.size(); ++i) {
    source[i] =
        static_cast<std::int64_t>(oracle::offset_of(shape, place(oracle::coordinate_of(shape, i))));
  }
  return source;
}

// ---- groups

/// Axis along which a tensor's groups lie: 0 of a weight, 1 of a map.
std::size_t grouped_axis(const Witness& witness, bool is_other) {
  return is_other && witness.role == OutputRole::GradInput ? 0 : 1;
}

Shape moved_to_group(Shape at, std::size_t axis, std::int64_t channels, std::int64_t group) {
  at[axis] = at[axis] % channels + group * channels;
  return at;
}

/// Every group reads group 0's part of an operand, or the next group's.
std::optional<World> with_group_read(const Witness& witness, bool is_other, std::int64_t factor,
                                     std::int64_t offset) {
  const std::int64_t groups = witness.geometry.groups;
  if (groups < 2) return right_world(witness);
  World world = right_world(witness);
  Numbers& numbers = (is_other ? world.other : world.grad_output).changed();
  const std::size_t axis = grouped_axis(witness, is_other);
  const std::int64_t channels = numbers.shape()[axis] / groups;
  numbers = rearranged(numbers, [&](const Shape& at) {
    const std::int64_t group = at[axis] / channels;
    return moved_to_group(at, axis, channels, (group * factor + offset) % groups);
  });
  return world;
}

template <bool is_other, std::int64_t factor, std::int64_t offset>
std::optional<World> group_read(const Witness& witness) {
  return with_group_read(witness, is_other, factor, offset);
}

/// All groups' results added up in the first: weight of one group that meets all small channels.
std::optional<World> all_in_first_group(const Witness& witness) {
  const bool applies = witness.role == OutputRole::GradInput && !witness.geometry.transposed;
  if (!applies) return std::nullopt;
  World world = right_world(witness);
  oracle::Geometry& geometry = world.geometry;
  geometry.big_channels *= geometry.groups;
  geometry.small_channels *= geometry.groups;
  geometry.groups = 1;
  Numbers padded(geometry.weight_shape());
  for (std::size_t i = 0; i < witness.other.size(); ++i) {
    padded.at(oracle::coordinate_of(witness.other.shape(), i)) = witness.other[i];
  }
  world.other = std::move(padded);
  return world;
}

// ---- the kernel turned round

template <bool d, bool h, bool w>
Shape flipped(const Shape& shape, Shape at) {
  if (d) at[2] = shape[2] - 1 - at[2];
  if (h) at[3] = shape[3] - 1 - at[3];
  if (w) at[4] = shape[4] - 1 - at[4];
  return at;
}

/// weight, or gradWeight, with its elements at other places.
template <typename Place>
World with_weight_rearranged(const Witness& witness, const Place& place) {
  World world = right_world(witness);
  if (witness.role == OutputRole::GradInput) {
    world.other = rearranged(witness.other, place);
  } else {
    world.source = sources(witness.geometry.weight_shape(), place);
  }
  return world;
}

template <bool d, bool h, bool w>
std::optional<World> with_flipped_kernel(const Witness& witness) {
  const Shape shape = witness.geometry.weight_shape();
  return with_weight_rearranged(witness,
                                [&](const Shape& at) { return flipped<d, h, w>(shape, at); });
}

/// weight's first two axes exchanged; only where they are as long.
std::optional<World> with_transposed_weight(const Witness& witness) {
  const Shape shape = witness.geometry.weight_shape();
  if (shape[0] != shape[1]) return std::nullopt;
  return with_weight_rearranged(witness, [](Shape at) {
    std::swap(at[0], at[1]);
    return at;
  });
}

/// The kernel's two last axes exchanged.
std::optional<World> with_rows_for_columns(const Witness& witness) {
  const Shape shape = witness.geometry.weight_shape();
  if (shape[3] != shape[4]) return std::nullopt;
  return with_weight_rearranged(witness, [](Shape at) {
    std::swap(at[3], at[4]);
    return at;
  });
}

// ---- the whole result

template <typename Change>
std::optional<World> with_each(const Witness& witness, Change&& change) {
  World world = right_world(witness);
  for (Number& number : world.grad_output.changed().elements()) change(number);
  return world;
}

std::optional<World> doubled(const Witness& witness) {
  return with_each(witness, [](Number& number) { ++number.exponent; });
}
std::optional<World> halved(const Witness& witness) {
  return with_each(witness, [](Number& number) { --number.exponent; });
}
std::optional<World> negated(const Witness& witness) {
  return with_each(witness, [](Number& number) { number.negative = !number.negative; });
}
std::optional<World> zeroed(const Witness& witness) {
  return with_each(witness, [](Number& number) { number = Number{}; });
}
std::optional<World> without_signs(const Witness& witness) {
  return with_each(witness, [](Number& number) { number.negative = false; });
}

template <std::int64_t mark>
std::optional<World> nowhere(const Witness& witness) {
  World world = right_world(witness);
  const auto elements = oracle::element_count(witness.geometry.shape(witness.role));
  world.source.assign(to_size(elements), mark);
  return world;
}

struct Row {
  const char* words;
  std::optional<World> (*world)(const Witness&);
};
/// Said of the result as a whole; products or not.
constexpr Row of_result[] = {
    {"doubled", doubled},
    {"halved", halved},
    {"negated", negated},
    {"with gradOutput's signs ignored", without_signs},
    {"of gradOutput all zero", zeroed},
    {"with nothing written", nowhere<World::unwritten>},
};
constexpr Row of_groups[] = {
    {"with groups ignored: every group's channels of {other} taken from group 0",
     group_read<true, 0, 0>},
    {"with groups ignored: every group's channels of gradOutput taken from group 0",
     group_read<false, 0, 0>},
    {"with groups ignored: the results of all groups added up in group 0", all_in_first_group},
    {"with the group offset of {other} one group too large", group_read<true, 1, 1>},
    {"with the group offset of gradOutput one group too large", group_read<false, 1, 1>},
};
constexpr Row of_kernel[] = {
    {"with the kernel flipped", with_flipped_kernel<true, true, true>},
    {"with the kernel flipped along w", with_flipped_kernel<false, false, true>},
    {"with the kernel flipped along h", with_flipped_kernel<false, true, false>},
    {"with the kernel flipped along d", with_flipped_kernel<true, false, false>},
    {"with weight's channel axes exchanged", with_transposed_weight},
    {"with the kernel's h and w exchanged", with_rows_for_columns},
};

std::string with_name(std::string words, const Witness& example) {
  const auto at = words.find("{other}");
  if (at != std::string::npos) words.replace(at, 7, corpus::name_of(example.other_role()));
  return words;
}

}  // namespace

std::vector<Hypothesis> group_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  const auto add = [&](const auto& rows) {
    for (const Row& row : rows) hypotheses.push_back({with_name(row.words, example), row.world});
  };
  if (example.has_other() && example.geometry.groups > 1) add(of_groups);
  if (example.has_other()) add(of_kernel);
  add(of_result);
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
