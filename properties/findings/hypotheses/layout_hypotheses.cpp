#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/facts/axis_order.h"
#include "properties/findings/hypotheses/hypothesis.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::InputRole;
using oracle::AxisOrder;
using oracle::Shape;

constexpr std::array<std::string_view, 5> letters{"N", "C", "D", "H", "W"};

/// Elements from one position of each axis to the next, by N, C, D, H, W.
Shape pitches_of(const Shape& logical, const AxisOrder& order) {
  const Shape own = oracle::in_tensor_order(logical, order);
  Shape of_own{};
  std::int64_t pitch = 1;
  for (std::size_t i = own.size(); i-- > 0; pitch *= own.at(i)) of_own.at(i) = pitch;
  return oracle::in_logical_order(of_own, order);
}

std::size_t place_at(const Shape& at, const Shape& pitches) {
  std::int64_t place = 0;
  for (std::size_t i = 0; i < at.size(); ++i) place += at.at(i) * pitches.at(i);
  return to_size(place);
}

/// Where the elements of a dense tensor lie, and where they would with two axes' pitches exchanged.
struct Exchanged {
  std::vector<std::size_t> element_at;  ///< by place in memory
  std::vector<std::size_t> place_of;    ///< by element: the wrong one
};

/// A wrong place may be one beyond the tensor.
Exchanged exchanged(const Shape& logical, const AxisOrder& order, std::size_t one,
                    std::size_t other) {
  const Shape right = pitches_of(logical, order);
  Shape wrong = right;
  std::swap(wrong.at(one), wrong.at(other));
  const auto count = to_size(oracle::element_count(logical));
  Exchanged layout{std::vector<std::size_t>(count), std::vector<std::size_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const Shape at = oracle::coordinate_of(logical, i);
    layout.element_at[place_at(at, right)] = i;
    layout.place_of[i] = place_at(at, wrong);
  }
  return layout;
}

AxisOrder order_of(const Witness& witness, const corpus::TensorCase& tensor) {
  return oracle::own_order(witness.test_case, tensor).value_or(AxisOrder{0, 1, 2, 3, 4});
}

/// Views have pitches of their own.
bool is_dense(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && !tensor->strides;
}

std::optional<World> with_operand_exchanged(const Witness& witness, InputRole role, std::size_t one,
                                            std::size_t other) {
  const auto& tensor = corpus::tensor(witness.test_case, role);
  if (!is_dense(tensor)) return std::nullopt;
  World world = right_world(witness);
  Numbers& numbers = (role == InputRole::GradOutput ? world.grad_output : world.other).changed();
  const Exchanged layout = exchanged(numbers.shape(), order_of(witness, *tensor), one, other);
  const Numbers right = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t place = layout.place_of[i];
    if (place >= right.size()) return std::nullopt;  // no one knows what lies there
    numbers[i] = right[layout.element_at[place]];
  }
  return world;
}

/// World in which elements are written to wrong places. Those that no element has keep what was
/// there; what is written beyond the tensor is lost. nullopt: several contend for most places.
std::optional<World> with_output_exchanged(const Witness& witness, std::size_t one,
                                           std::size_t other) {
  const auto& tensor = corpus::tensor(witness.test_case, witness.role);
  if (!is_dense(tensor)) return std::nullopt;
  World world = right_world(witness);
  const Shape shape = witness.geometry.shape(witness.role);
  const Exchanged layout = exchanged(shape, order_of(witness, *tensor), one, other);
  world.source.assign(layout.place_of.size(), World::unwritten);
  for (std::size_t i = 0; i < layout.place_of.size(); ++i) {
    const std::size_t place = layout.place_of[i];
    if (place >= world.source.size()) continue;
    std::int64_t& from = world.source[layout.element_at[place]];
    from = from == World::unwritten ? static_cast<std::int64_t>(i) : World::contested;
  }
  const auto contested = std::ranges::count(world.source, World::contested);
  if (2 * contested > std::ssize(world.source)) return std::nullopt;
  return world;
}

void add_exchanged_axes(const Witness& example, std::vector<Hypothesis>& into) {
  const auto words = [](std::string_view tensor, std::size_t one, std::size_t other) {
    return fmt::format("with the axes {} and {} of {} exchanged in memory", letters.at(one),
                       letters.at(other), tensor);
  };
  for (std::size_t one = 0; one < letters.size(); ++one) {
    for (std::size_t other = one + 1; other < letters.size(); ++other) {
      for (const InputRole role : {InputRole::GradOutput, example.other_role()}) {
        into.push_back(
            {words(corpus::name_of(role), one, other), [role, one, other](const Witness& witness) {
               return with_operand_exchanged(witness, role, one, other);
             }});
      }
      into.push_back(
          {words(corpus::name_of(example.role), one, other), [one, other](const Witness& witness) {
             return with_output_exchanged(witness, one, other);
           }});
    }
  }
}

/// A stride of which few bits are kept, as a field of a copy's descriptor has; inside of blocks of
/// so many positions, which are found by the whole stride. 0: there are no blocks.
struct ShortStride {
  InputRole role;
  std::size_t axis;
  int bits;
  std::int64_t block;
};

std::optional<World> with_short_stride(const Witness& witness, const ShortStride& given) {
  const auto& tensor = corpus::tensor(witness.test_case, given.role);
  if (!is_dense(tensor)) return std::nullopt;
  World world = right_world(witness);
  Numbers& numbers =
      (given.role == InputRole::GradOutput ? world.grad_output : world.other).changed();
  const Numbers right = numbers;
  const Shape shape = numbers.shape();
  const Shape pitches = pitches_of(shape, order_of(witness, *tensor));
  const std::int64_t pitch = pitches.at(given.axis);
  const std::int64_t kept = pitch & ((std::int64_t{1} << given.bits) - 1);
  std::vector<std::size_t> element_at(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    element_at[place_at(oracle::coordinate_of(shape, i), pitches)] = i;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Shape at = oracle::coordinate_of(shape, i);
    const std::int64_t position = at.at(given.axis);
    const std::int64_t inside = given.block == 0 ? position : position % given.block;
    const std::size_t place = place_at(at, pitches) - to_size(inside * (pitch - kept));
    numbers[i] = right[element_at[place]];
  }
  return world;
}

void add_short_strides(const Witness& example, std::vector<Hypothesis>& into) {
  constexpr int fewest = 5, most = 20;
  constexpr std::array<std::string_view, 5> names{"batch items", "channels", "planes", "rows",
                                                  "columns"};
  for (const InputRole role : {InputRole::GradOutput, example.other_role()}) {
    const auto& tensor = corpus::tensor(example.test_case, role);
    if (role == InputRole::Weight || !is_dense(tensor)) continue;
    const Shape shape = example.geometry.shape(role);
    const Shape pitches = pitches_of(shape, order_of(example, *tensor));
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      for (int bits = fewest; bits <= most && pitches.at(axis) >> bits > 0; ++bits) {
        for (const std::int64_t block : {0, 8, 16}) {
          const bool has_blocks = block > 0 && shape.at(axis) > block;
          if (shape.at(axis) < 2 || (block > 0 && !has_blocks)) continue;
          const ShortStride stride{role, axis, bits, block};
          into.push_back(
              {fmt::format("with the strides between {} of {} taken modulo 2^{}{}", names.at(axis),
                           corpus::name_of(role), bits,
                           block > 0 ? fmt::format(" in blocks of {}", block) : ""),
               [stride](const Witness& witness) { return with_short_stride(witness, stride); }});
        }
      }
    }
  }
}

using Array = std::optional<std::vector<std::int64_t>> corpus::OperatorAttributes::*;

/// An operator's array of five values, of which D, H and W are read from `first` on.
std::optional<World> with_array_read(const Witness& witness, Array array,
                                     std::int64_t oracle::Axis::*member, std::size_t first) {
  const auto& attributes = witness.test_case.attributes;
  World world = right_world(witness);
  if (!attributes || !((*attributes).*array) || ((*attributes).*array)->size() != 5) return world;
  for (std::size_t i = 0; i < world.geometry.axes.size(); ++i) {
    const std::int64_t value = (*((*attributes).*array))[first + i];
    if (value < 1) return std::nullopt;
    world.geometry.axes.at(i).*member = value;
  }
  return world;
}

void add_arrays(const Witness& example, std::vector<Hypothesis>& into) {
  if (!corpus::has_attributes(example.test_case.api)) return;
  struct Row {
    std::string_view name;
    Array array;
    std::int64_t oracle::Axis::*member;
  };
  constexpr Row rows[] = {
      {"strides", &corpus::OperatorAttributes::strides, &oracle::Axis::stride},
      {"dilations", &corpus::OperatorAttributes::dilations, &oracle::Axis::dilation}};
  constexpr std::pair<std::string_view, std::size_t> orders[] = {{"NCDHW", 2}, {"NDHWC", 1}};
  for (const Row& row : rows) {
    for (const auto& [order, first] : orders) {
      into.push_back(
          {fmt::format("with {} read in the order {}, whatever data_format says", row.name, order),
           [row, first = first](const Witness& witness) {
             return with_array_read(witness, row.array, row.member, first);
           }});
    }
  }
}

}  // namespace

std::vector<Hypothesis> layout_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!example.has_other()) return hypotheses;
  add_arrays(example, hypotheses);
  add_exchanged_axes(example, hypotheses);
  add_short_strides(example, hypotheses);
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
