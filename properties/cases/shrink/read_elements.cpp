#include "properties/cases/shrink/read_elements.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/facts/axis_order.h"
#include "oracle/geometry/geometry.h"
#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using oracle::Geometry;
using oracle::Shape;

/// Elements of one operand, along N C D H W: from `first` to before `end`.
struct ReadBox {
  Shape first{}, end{};
};

ReadBox whole(const Shape& shape) { return {{}, shape}; }

void narrow(ReadBox& box, std::size_t axis, std::int64_t first, std::int64_t count = 1) {
  box.first[axis] = first;
  box.end[axis] = first + count;
}

/// Coordinate along N C D H W of one in a tensor's own shape.
Shape lifted_coordinate(const Case& test_case, const corpus::TensorCase& tensor,
                        std::span<const std::int64_t> at) {
  Shape own{};
  if (const auto order = oracle::own_order(test_case, tensor)) {
    std::copy_n(at.begin(), at.size(), own.begin());
    return oracle::in_logical_order(own, *order);
  }
  std::copy_n(at.begin(), 2, own.begin());
  std::copy_backward(at.begin() + 2, at.end(), own.end());
  return own;
}

std::vector<std::int64_t> own_coordinate(const Case& test_case, const corpus::TensorCase& tensor,
                                         const Shape& at) {
  const auto rank = static_cast<std::ptrdiff_t>(tensor.shape.size());
  if (const auto order = oracle::own_order(test_case, tensor)) {
    const Shape own = oracle::in_tensor_order(at, *order);
    return {own.begin(), own.begin() + rank};
  }
  std::vector<std::int64_t> own(at.begin(), at.begin() + 2);
  own.insert(own.end(), at.end() - (rank - 2), at.end());
  return own;
}

/// ReadBoxes of gradOutput, input and weight.
using ReadBoxes = corpus::PerInput<ReadBox>;

InputRole small_map(const Geometry& geometry) {
  return geometry.transposed ? InputRole::Input : InputRole::GradOutput;
}
InputRole big_map(const Geometry& geometry) {
  return geometry.transposed ? InputRole::GradOutput : InputRole::Input;
}

ReadBoxes read_by_grad_weight(const Geometry& geometry, const Shape& at) {
  ReadBoxes boxes{};
  ReadBox small = whole(geometry.small_shape()), big = whole(geometry.big_shape());
  narrow(small, 1, at[0]);
  narrow(big, 1, at[0] / geometry.small_channels * geometry.big_channels + at[1]);
  boxes[small_map(geometry)] = small;
  boxes[big_map(geometry)] = big;
  return boxes;
}

/// Positions of gradOutput that meet one of gradInput at some tap; from the first to the last.
void narrow_window(ReadBox& box, std::size_t axis, const oracle::Axis& along, bool transposed,
                   std::int64_t position) {
  const std::int64_t reach = (along.kernel - 1) * along.dilation;
  std::int64_t first = position * along.stride - along.padding_begin, last = first + reach;
  if (!transposed) {
    last = (position + along.padding_begin) / along.stride;
    first = (std::max<std::int64_t>(0, position + along.padding_begin - reach) + along.stride - 1) /
            along.stride;
  }
  narrow(box, axis, first, last - first + 1);
}

ReadBoxes read_by_grad_input(const Geometry& geometry, const Shape& at) {
  ReadBoxes boxes{};
  const std::int64_t own_channels =
      geometry.transposed ? geometry.small_channels : geometry.big_channels;
  const std::int64_t other_channels =
      geometry.transposed ? geometry.big_channels : geometry.small_channels;
  const std::int64_t group = at[1] / own_channels;
  ReadBox map = whole(geometry.shape(InputRole::GradOutput));
  narrow(map, 0, at[0]);
  narrow(map, 1, group * other_channels, other_channels);
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    narrow_window(map, i + 2, geometry.axes.at(i), geometry.transposed, at[i + 2]);
  }
  ReadBox weight = whole(geometry.weight_shape());
  if (geometry.transposed) {
    narrow(weight, 0, at[1]);
  } else {
    narrow(weight, 0, group * geometry.small_channels, geometry.small_channels);
    narrow(weight, 1, at[1] % own_channels);
  }
  boxes[InputRole::GradOutput] = map;
  boxes[InputRole::Weight] = weight;
  return boxes;
}

ReadBoxes read_by_grad_bias(const Geometry& geometry, std::int64_t channel) {
  ReadBoxes boxes{};
  boxes[InputRole::GradOutput] = whole(geometry.shape(InputRole::GradOutput));
  narrow(boxes[InputRole::GradOutput], 1, channel);
  return boxes;
}

void widen(ReadBox& box, const Shape& shape, std::int64_t more) {
  if (box.end == Shape{}) return;  // not read at all
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    box.first[axis] = std::clamp<std::int64_t>(box.first[axis] - more, 0, shape[axis]);
    box.end[axis] = std::clamp<std::int64_t>(box.end[axis] + more, 0, shape[axis]);
  }
}

std::vector<corpus::ListedElement> listed_in(const Case& test_case, InputRole role,
                                             const Shape& shape, const ReadBox& box) {
  std::vector<corpus::ListedElement> listed;
  if (box.end == Shape{} || !corpus::tensor(test_case, role)) return listed;
  const corpus::TensorCase& tensor = *corpus::tensor(test_case, role);
  const auto bytes = oracle::logical_elements(test_case, role);
  const std::size_t size = corpus::size_bytes(tensor.dtype);
  Shape at = box.first;
  const auto visit = [&](const auto& self, std::size_t axis) -> void {
    for (at[axis] = box.first[axis]; at[axis] < box.end[axis]; ++at[axis]) {
      if (axis + 1 < at.size()) {
        self(self, axis + 1);
        continue;
      }
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + oracle::offset_of(shape, at) * size, size);
      if (bits != 0) listed.push_back({own_coordinate(test_case, tensor, at), bits});
    }
  };
  visit(visit, 0);
  return listed;
}

}  // namespace

bool is_large(const Case& test_case) {
  constexpr std::uint64_t most_elements = std::uint64_t{1} << 16U;
  std::uint64_t elements = 0;
  const auto add = [&](const auto& tensor) {
    if (tensor) {
      elements += static_cast<std::uint64_t>(corpus::element_count(tensor->shape).value_or(0));
    }
  };
  for (const InputRole role : corpus::input_roles) add(corpus::tensor(test_case, role));
  for (const OutputRole role : corpus::output_roles) add(corpus::tensor(test_case, role));
  return elements > most_elements;
}

std::optional<Case> with_what_an_element_reads(const Case& test_case, OutputRole role,
                                               std::span<const std::int64_t> at,
                                               std::int64_t more) {
  const auto geometry = oracle::geometry_of(test_case);
  const auto& output = corpus::tensor(test_case, role);
  if (!geometry || !test_case.data || is_listed(test_case) || !output ||
      at.size() != output->shape.size()) {
    return std::nullopt;
  }
  ReadBoxes boxes;
  if (role == OutputRole::GradBias) {
    boxes = read_by_grad_bias(*geometry, at.front());
  } else {
    const Shape place = lifted_coordinate(test_case, *output, at);
    boxes = role == OutputRole::GradWeight ? read_by_grad_weight(*geometry, place)
                                           : read_by_grad_input(*geometry, place);
  }
  Case listed = test_case;
  corpus::DataRecipe data;
  data.seed = test_case.data->seed;
  data.distribution = corpus::Distribution::Listed;
  for (const InputRole input : corpus::input_roles) {
    if (corpus::is_forward(test_case.api) && input == InputRole::Input) {  // the bias
      data.listed[input] = corpus::as_listed(test_case).listed[input];
      continue;
    }
    const Shape shape = geometry->shape(input);
    widen(boxes[input], shape, more);
    data.listed[input] = listed_in(test_case, input, shape, boxes[input]);
  }
  listed.data = std::move(data);
  return listed;
}

}  // namespace gradproof::cases
