#include <fmt/core.h>

#include <utility>

#include "properties/findings/hypotheses/hypothesis.h"
#include "properties/findings/hypotheses/words.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using oracle::Shape;

/// An axis of a tensor, whose positions are lost or not. Strides part those of the larger map.
struct Line {
  std::int64_t length = 1, groups = 1;
  std::int64_t stride = 1, padding_begin = 0;
};
struct LostPart {
  std::string_view words;  ///< {0}: "column", "channel", ...
  bool (*is_lost)(std::int64_t position, const Line& line);
};

bool is_last(std::int64_t position, const Line& line) { return position + 1 == line.length; }
bool is_first(std::int64_t position, const Line&) { return position == 0; }
bool is_not_first(std::int64_t position, const Line&) { return position > 0; }
bool is_last_two(std::int64_t position, const Line& line) { return position + 2 >= line.length; }
bool is_odd(std::int64_t position, const Line&) { return position % 2 == 1; }
bool is_upper_half(std::int64_t position, const Line& line) {
  return position >= (line.length + 1) / 2;
}
template <std::int64_t tile>
bool is_tail(std::int64_t position, const Line& line) {
  return position >= line.length / tile * tile;
}
template <std::int64_t tile>
bool is_beyond_first(std::int64_t position, const Line&) {
  return position >= tile;
}
bool is_last_of_group(std::int64_t position, const Line& line) {
  const std::int64_t channels = line.length / line.groups;
  return line.groups > 1 && position % channels == channels - 1;
}
bool is_first_of_group(std::int64_t position, const Line& line) {
  return line.groups > 1 && position % (line.length / line.groups) == 0;
}
bool is_of_last_group(std::int64_t position, const Line& line) {
  return line.groups > 1 && position / (line.length / line.groups) == line.groups - 1;
}
bool is_of_other_groups(std::int64_t position, const Line& line) {
  return line.groups > 1 && position >= line.length / line.groups;
}

/// True if no window begins here.
bool is_between_strides(std::int64_t position, const Line& line) {
  return (position + line.padding_begin) % line.stride != 0;
}

constexpr LostPart parts[] = {
    {"the last {0}", is_last},
    {"the first {0}", is_first},
    {"every {0} but the first", is_not_first},
    {"the last {0} of each group", is_last_of_group},
    {"the first {0} of each group", is_first_of_group},
    {"every {0} of the last group", is_of_last_group},
    {"every {0} of all groups but the first", is_of_other_groups},
    {"the last two {0}s", is_last_two},
    {"every second {0}", is_odd},
    {"the tail beyond the last multiple of 8 {0}s", is_tail<8>},
    {"the tail beyond the last multiple of 16 {0}s", is_tail<16>},
    {"the tail beyond the last multiple of 32 {0}s", is_tail<32>},
    {"every {0} beyond the first 16", is_beyond_first<16>},
    {"every {0} beyond the first 32", is_beyond_first<32>},
    {"the upper half of the {0}s", is_upper_half},
    {"every {0} between the strides", is_between_strides},
};

enum class Kind : std::uint8_t { Weight, SmallMap, BigMap };

Kind kind_of(const Witness& witness, InputRole role) {
  if (role == InputRole::Weight) return Kind::Weight;
  return (role == InputRole::GradOutput) == witness.geometry.transposed ? Kind::BigMap
                                                                        : Kind::SmallMap;
}

Kind kind_of(const Witness& witness, OutputRole role) {
  if (role == OutputRole::GradWeight) return Kind::Weight;
  return role == OutputRole::GradInput && !witness.geometry.transposed ? Kind::BigMap
                                                                       : Kind::SmallMap;
}

Line line_of(const Witness& witness, Kind kind, const Shape& shape, std::size_t axis) {
  Line line{.length = shape[axis]};
  if (axis == (kind == Kind::Weight ? 0U : 1U)) line.groups = witness.geometry.groups;
  if (kind == Kind::BigMap && axis >= 2) {
    line.stride = witness.geometry.axes[axis - 2].stride;
    line.padding_begin = witness.geometry.axes[axis - 2].padding_begin;
  }
  return line;
}

/// Loses some elements of a tensor; false where nothing is lost, so that nothing is said of it.
template <typename Lose>
bool lose_part(const Shape& shape, std::size_t axis, const Line& line, const LostPart& part,
               Lose&& lose) {
  bool any = false;
  const std::int64_t count = oracle::element_count(shape), length = shape[axis];
  std::int64_t inner = 1;  // elements of one position
  for (std::size_t later = axis + 1; later < shape.size(); ++later) inner *= shape[later];
  for (std::int64_t position = 0; position < length; ++position) {
    if (!part.is_lost(position, line)) continue;
    for (std::int64_t begin = position * inner; begin < count; begin += length * inner) {
      for (std::int64_t i = begin; i < begin + inner; ++i) lose(to_size(i));
      any = any || inner > 0;
    }
  }
  return any;
}

Numbers& operand(World& world, InputRole role) {
  return (role == InputRole::GradOutput ? world.grad_output : world.other).changed();
}

void add_of_operand(const Witness& example, InputRole role, std::vector<Hypothesis>& into) {
  const bool is_weight = role == InputRole::Weight;
  for (std::size_t axis = 0; axis < 5; ++axis) {
    const std::string name(position_name(example, is_weight, axis));
    for (const LostPart& part : parts) {
      const auto world = [role, axis, part](const Witness& witness) {
        World lacking = right_world(witness);
        Numbers& numbers = operand(lacking, role);
        const Line line = line_of(witness, kind_of(witness, role), numbers.shape(), axis);
        lose_part(numbers.shape(), axis, line, part,
                  [&](std::size_t i) { numbers[i] = oracle::Number{}; });
        return std::optional(std::move(lacking));
      };
      into.push_back({fmt::format("without {} of {}", fmt::format(fmt::runtime(part.words), name),
                                  corpus::name_of(role)),
                      world});
    }
  }
}

void add_of_output(const Witness& example, std::vector<Hypothesis>& into) {
  const bool is_weight = example.role == OutputRole::GradWeight;
  const bool is_bias = example.role == OutputRole::GradBias;
  for (std::size_t axis = 0; axis < 5; ++axis) {
    if (is_bias && axis != 1) continue;
    const std::string name(position_name(example, is_weight, axis));
    for (const auto& [mark, how] :
         {std::pair{World::zero, "left zero"}, {World::unwritten, "never written"}}) {
      for (const LostPart& part : parts) {
        const auto world = [axis, part,
                            mark = mark](const Witness& witness) -> std::optional<World> {
          World lacking = right_world(witness);
          const Shape shape = witness.geometry.shape(witness.role);
          lacking.source.resize(to_size(oracle::element_count(shape)));
          for (std::size_t i = 0; i < lacking.source.size(); ++i) {
            lacking.source[i] = static_cast<std::int64_t>(i);
          }
          const Line line = line_of(witness, kind_of(witness, witness.role), shape, axis);
          lose_part(shape, axis, line, part, [&](std::size_t i) { lacking.source[i] = mark; });
          return lacking;
        };
        into.push_back({fmt::format("with {} of {} {}", fmt::format(fmt::runtime(part.words), name),
                                    corpus::name_of(example.role), how),
                        world});
      }
    }
  }
}

/// Values of output_padding along D, H, W.
std::int64_t output_padding(const Witness& witness, std::size_t axis) {
  const auto& values = witness.test_case.output_padding;
  if (!witness.test_case.transposed || !values) return 0;
  const std::size_t axes = witness.test_case.weight->shape.size() - 2;
  const std::size_t first = 3 - axes;
  return axis >= first && axis - first < values->size() ? (*values)[axis - first] : 0;
}

/// Adds the hypothesis that positions are lost which only the output padding adds.
void add_output_padding(const Witness& example, std::vector<Hypothesis>& into) {
  if (!example.geometry.transposed) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto world = [axis](const Witness& witness) -> std::optional<World> {
      World lacking = right_world(witness);
      const std::int64_t padding = output_padding(witness, axis);
      Numbers& numbers = lacking.grad_output.changed();
      const Shape shape = numbers.shape();
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool is_lost = oracle::coordinate_of(shape, i)[axis + 2] >= shape[axis + 2] - padding;
        if (is_lost) numbers[i] = oracle::Number{};
      }
      return lacking;
    };
    into.push_back(
        {fmt::format("with output_padding_{} ignored", axis_name(example, axis)), world});
  }
}

/// True if element i lies at the beginning, or at the end, of some axis.
bool is_at_an_end(const Shape& shape, std::size_t i, bool last) {
  const Shape at = oracle::coordinate_of(shape, i);
  for (std::size_t axis = 2; axis < 5; ++axis) {
    if (at[axis] == (last ? shape[axis] - 1 : 0)) return true;
  }
  return false;
}

/// The larger map without its first or last position along each axis.
World without_ends(const Witness& witness, bool last) {
  World lacking = right_world(witness);
  if (witness.geometry.transposed || witness.role == OutputRole::GradWeight) {
    Numbers& numbers =
        (witness.geometry.transposed ? lacking.grad_output : lacking.other).changed();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (is_at_an_end(numbers.shape(), i, last)) numbers[i] = oracle::Number{};
    }
    return lacking;
  }
  const Shape shape = witness.geometry.shape(witness.role);
  lacking.source.resize(to_size(oracle::element_count(shape)));
  for (std::size_t i = 0; i < lacking.source.size(); ++i) {
    lacking.source[i] = is_at_an_end(shape, i, last) ? World::zero : static_cast<std::int64_t>(i);
  }
  return lacking;
}

void add_ends(const Witness& example, std::vector<Hypothesis>& into) {
  if (!example.has_other()) return;
  const std::string_view map = example.geometry.transposed ? "gradOutput" : "input";
  for (const bool last : {true, false}) {
    const auto world = [last](const Witness& witness) -> std::optional<World> {
      return without_ends(witness, last);
    };
    into.push_back({fmt::format("with the {} position of {} along every axis taken for padding",
                                last ? "last" : "first", map),
                    world});
  }
}

}  // namespace

std::vector<Hypothesis> loss_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  add_output_padding(example, hypotheses);
  add_ends(example, hypotheses);
  add_of_operand(example, InputRole::GradOutput, hypotheses);
  if (example.has_other()) add_of_operand(example, example.other_role(), hypotheses);
  add_of_output(example, hypotheses);
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
