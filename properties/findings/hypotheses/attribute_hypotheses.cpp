#include <fmt/core.h>

#include <array>
#include <span>
#include <utility>

#include "properties/findings/hypotheses/hypothesis.h"
#include "properties/findings/hypotheses/words.h"

namespace gradproof::findings::diagnosis {
namespace {

using oracle::Axis;

struct Attribute {
  std::string_view name;
  std::int64_t Axis::*value;
  std::int64_t least;
};
constexpr std::array attributes{Attribute{"stride", &Axis::stride, 1},
                                Attribute{"dilation", &Axis::dilation, 1},
                                Attribute{"padding", &Axis::padding_begin, 0}};

/// Value that may stand in an attribute's place, from the same axis.
using Value = std::optional<std::int64_t> (*)(const Witness&, std::size_t axis,
                                              std::int64_t Axis::*own);
const Axis& axis_of(const Witness& witness, std::size_t axis) {
  return witness.geometry.axes[axis];
}

template <int difference>
std::optional<std::int64_t> off_by(const Witness& witness, std::size_t axis,
                                   std::int64_t Axis::*own) {
  return axis_of(witness, axis).*own + difference;
}

template <std::int64_t Axis::*other>
std::optional<std::int64_t> other_attribute(const Witness& witness, std::size_t axis,
                                            std::int64_t Axis::*own) {
  if (own == other) return std::nullopt;
  return axis_of(witness, axis).*other;
}

template <int constant>
std::optional<std::int64_t> always(const Witness&, std::size_t, std::int64_t Axis::*) {
  return constant;
}

std::optional<std::int64_t> end_of_padding(const Witness& witness, std::size_t axis,
                                           std::int64_t Axis::*own) {
  if (own != &Axis::padding_begin) return std::nullopt;
  return witness.padding_end.at(axis);
}

/// The padding of the convolution with the flipped kernel: where the kernel was not rotated back.
std::optional<std::int64_t> complementary_padding(const Witness& witness, std::size_t axis,
                                                  std::int64_t Axis::*own) {
  if (own != &Axis::padding_begin) return std::nullopt;
  const Axis& read = axis_of(witness, axis);
  return read.dilation * (read.kernel - 1) - read.padding_begin;
}

struct Substitute {
  std::string_view words;  ///< {0} the attribute, {1} the axis
  Value value;
};
/// Simplest first: where several explain all runs equally well, only the first few are named.
constexpr Substitute substitutes[] = {
    {"with {0}_{1} one too large", off_by<1>},
    {"with {0}_{1} one too small", off_by<-1>},
    {"with stride_{1} taken for {0}_{1}", other_attribute<&Axis::stride>},
    {"with dilation_{1} taken for {0}_{1}", other_attribute<&Axis::dilation>},
    {"with padding_{1} taken for {0}_{1}", other_attribute<&Axis::padding_begin>},
    {"with the kernel's length taken for {0}_{1}", other_attribute<&Axis::kernel>},
    {"with the end of padding_{1} taken for the beginning", end_of_padding},
    {"with dilation * (kernel - 1) - padding taken for {0}_{1}", complementary_padding},
    {"with {0}_{1} ignored (taken as 0)", always<0>},
    {"with {0}_{1} ignored (taken as 1)", always<1>},
};

/// The world with one attribute of one axis otherwise; nullopt where it cannot have that value.
std::optional<World> with(const Witness& witness, std::size_t axis, const Attribute& attribute,
                          std::optional<std::int64_t> value) {
  if (!value || *value < attribute.least) return std::nullopt;
  World world = right_world(witness);
  world.geometry.axes[axis].*attribute.value = *value;
  return world;
}

/// An attribute that is ignored has its neutral value: 0 for padding, 1 for stride and dilation.
bool is_wrong_neutral(const Attribute& attribute, Value value) {
  return value == (attribute.least == 0 ? always<1> : always<0>);
}

/// Axes that a call lacks have nothing that could be otherwise.
bool takes_part(const Witness& witness, std::size_t axis) { return axis + witness.axes >= 3; }

/// w comes first because every call has it.
constexpr std::array<std::size_t, 3> axes{2, 1, 0};

/// Adds the hypothesis that these axes' strides are read as dilations and their dilations as
/// strides.
void add_exchanged(std::string words, std::span<const std::size_t> of_axes,
                   std::vector<Hypothesis>& into) {
  const auto world = [of_axes](const Witness& witness) -> std::optional<World> {
    World exchanged = right_world(witness);
    for (const std::size_t axis : of_axes) {
      Axis& read = exchanged.geometry.axes[axis];
      if (takes_part(witness, axis)) std::swap(read.stride, read.dilation);
    }
    return exchanged;
  };
  into.push_back({std::move(words), world});
}

void add_of_axis(const Witness& example, std::size_t axis, std::vector<Hypothesis>& into) {
  const auto name = axis_name(example, axis);
  for (const Attribute& attribute : attributes) {
    for (const Substitute& row : substitutes) {
      if (is_wrong_neutral(attribute, row.value)) continue;
      const auto world = [axis, attribute, value = row.value](const Witness& witness) {
        return with(witness, axis, attribute, value(witness, axis, attribute.value));
      };
      into.push_back({fmt::format(fmt::runtime(row.words), attribute.name, name), world});
    }
  }
  add_exchanged(fmt::format("with stride_{0} and dilation_{0} exchanged", name),
                std::span(axes).subspan(axes.front() - axis, 1), into);
}

/// Adds the hypothesis that an attribute of one axis is read in place of another's.
void add_of_axes(const Witness& example, std::size_t axis, std::size_t other,
                 std::vector<Hypothesis>& into) {
  for (const Attribute& attribute : attributes) {
    const auto read = [axis, other, attribute](const Witness& witness) {
      return with(witness, axis, attribute, axis_of(witness, other).*attribute.value);
    };
    into.push_back({fmt::format("with {0}_{1} taken for {0}_{2}", attribute.name,
                                axis_name(example, other), axis_name(example, axis)),
                    read});
    if (axis > other) continue;
    const auto swapped = [axis, other, attribute](const Witness& witness) -> std::optional<World> {
      World world = right_world(witness);
      std::swap(world.geometry.axes[axis].*attribute.value,
                world.geometry.axes[other].*attribute.value);
      return world;
    };
    into.push_back({fmt::format("with {0}_{1} and {0}_{2} swapped", attribute.name,
                                axis_name(example, axis), axis_name(example, other)),
                    swapped});
  }
}

void add_of_other_axes(const Witness& example, std::size_t axis, std::vector<Hypothesis>& into) {
  for (const std::size_t other : axes) {
    if (axis != other) add_of_axes(example, axis, other, into);
  }
}

/// Adds the hypothesis that the same slip is made on every axis.
void add_of_all_axes(std::vector<Hypothesis>& into) {
  for (const Attribute& attribute : attributes) {
    for (const Substitute& row : substitutes) {
      if (is_wrong_neutral(attribute, row.value)) continue;
      const auto world = [attribute, value = row.value](const Witness& witness) {
        std::optional<World> result = right_world(witness);
        for (std::size_t axis = 0; axis < 3 && result; ++axis) {
          if (!takes_part(witness, axis)) continue;
          const auto changed = value(witness, axis, attribute.value);
          if (!changed || *changed < attribute.least) return std::optional<World>();
          result->geometry.axes[axis].*attribute.value = *changed;
        }
        return result;
      };
      into.push_back(
          {fmt::format(fmt::runtime(row.words), attribute.name, "*") + " on every axis", world});
    }
  }
  add_exchanged("with stride and dilation exchanged on every axis", axes, into);
}

}  // namespace

std::vector<Hypothesis> attribute_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!example.has_other()) return hypotheses;
  for (const std::size_t axis : axes) {
    if (takes_part(example, axis)) add_of_axis(example, axis, hypotheses);
  }
  for (const std::size_t axis : axes) {
    if (takes_part(example, axis)) add_of_other_axes(example, axis, hypotheses);
  }
  if (!example.is_line_throughout) add_of_all_axes(hypotheses);
  return hypotheses;
}

std::vector<Hypothesis> lifted_axis_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!example.has_other()) return hypotheses;
  for (const std::size_t axis : axes) {
    if (takes_part(example, axis)) continue;
    add_of_axis(example, axis, hypotheses);
    add_of_other_axes(example, axis, hypotheses);
  }
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
