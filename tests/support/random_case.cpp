#include "tests/support/random_case.h"

#include <array>
#include <string_view>
#include <vector>

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

constexpr std::array wide_types{DataType::Float, DataType::Float16, DataType::BFloat16};

bool is_class_a(std::string_view soc) { return soc == "Ascend310P" || soc == "Ascend910"; }

Format format_of_rank(std::size_t rank) {
  return rank == 3 ? Format::Ncl : rank == 4 ? Format::Nchw : Format::Ncdhw;
}

TensorCase tensor_of(Lengths shape, DataType dtype) {
  TensorCase tensor;
  tensor.format = format_of_rank(shape.size());
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  return tensor;
}

/// One spatial axis with everything that the call says about it.
struct Drawn {
  std::int64_t big, small, kernel, stride, dilation, before, after, unread;
};

Drawn random_axis(Random& random, bool both_sides_alike, bool without_unread) {
  Drawn axis{};
  axis.small = random.in(1, 4);
  axis.kernel = random.in(1, 3);
  axis.stride = random.in(1, 3);
  axis.dilation = random.in(1, 3);
  const std::int64_t covered =
      (axis.small - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  axis.unread = without_unread ? 0 : random.in(0, axis.stride - 1);
  const std::int64_t room = covered + axis.unread - 1;
  axis.before = random.in(0, both_sides_alike ? room / 2 : room);
  axis.after = both_sides_alike ? axis.before : random.in(0, room - axis.before);
  axis.big = covered + axis.unread - axis.before - axis.after;
  return axis;
}

void append(Case& test_case, const Drawn& axis) {
  test_case.stride->push_back(axis.stride);
  test_case.dilation->push_back(axis.dilation);
  test_case.output_padding->push_back(test_case.transposed ? axis.unread : 0);
}

void set_outputs(Case& test_case, const Mode& mode) {
  test_case.grad_input = test_case.input;
  test_case.grad_weight = test_case.weight;
  if (is_8_bit_float(mode.weight)) test_case.grad_weight->dtype = DataType::Float;
  test_case.grad_bias = tensor_of({test_case.grad_output->shape[1]}, mode.grad_output);
  test_case.grad_bias->format = Format::Nd;
  test_case.bias_sizes = test_case.grad_bias->shape;
}

std::vector<bool> random_mask(Random& random, const Mode& mode) {
  if (mode.input == DataType::Float8E4M3FN) return {true, false, false};
  if (mode.input == DataType::HiFloat8) return {true, random.one_in(2), false};
  const std::int64_t mask = random.one_in(3) ? random.in(1, 7) : 7;
  return {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
}

}  // namespace

Mode random_mode(Random& random) {
  constexpr std::array socs{"Ascend310P", "Ascend910", "Ascend910B", "Ascend910_93", "Ascend950"};
  Mode mode;
  mode.soc = socs.at(to_size(random.in(0, 4)));
  mode.cube_math_type = static_cast<int>(random.in(0, 3));
  if (is_class_a(mode.soc)) {
    const DataType type = random.one_in(2) ? DataType::Float : DataType::Float16;
    mode.grad_output = mode.input = mode.weight = type;
    if (type == DataType::Float) mode.cube_math_type = static_cast<int>(random.in(1, 2));
    return mode;
  }
  if (mode.soc == std::string_view("Ascend950") && random.one_in(3)) {
    const DataType type = random.one_in(2) ? DataType::HiFloat8 : DataType::Float8E4M3FN;
    mode.grad_output = mode.input = mode.weight = type;
    return mode;
  }
  const auto any = [&] { return wide_types.at(to_size(random.in(0, 2))); };
  mode.grad_output = mode.input = mode.weight = any();
  if (random.one_in(4)) mode.input = any();
  if (random.one_in(4)) mode.weight = any();
  const bool is_brain = mode.grad_output == DataType::BFloat16 &&
                        mode.input == DataType::BFloat16 && mode.weight == DataType::BFloat16;
  if (is_brain && mode.cube_math_type == 2) mode.cube_math_type = 0;
  return mode;
}

Case random_case(Random& random, const Mode& mode) {
  const bool is_8_bit = is_8_bit_float(mode.input);
  Case test_case;
  test_case.id = "random";
  test_case.soc = mode.soc;
  test_case.cube_math_type = static_cast<std::int8_t>(mode.cube_math_type);
  test_case.transposed = is_8_bit || random.one_in(2);
  const std::int64_t rank = random.in(1, is_class_a(mode.soc) ? 2 : 3);
  const bool one_per_side = rank == 2 && random.one_in(2);
  test_case.groups = is_8_bit || random.one_in(2) ? 1 : static_cast<std::int32_t>(random.in(1, 3));
  const std::int64_t batch = random.in(1, 3);
  const std::int64_t big_channels = random.in(1, 4);
  const std::int64_t small_channels = random.in(1, 4);
  test_case.stride.emplace();
  test_case.padding.emplace();
  test_case.dilation.emplace();
  test_case.output_padding.emplace();
  Lengths big{batch, test_case.groups * big_channels};
  Lengths small{batch, test_case.groups * small_channels};
  Lengths weight{test_case.groups * small_channels, big_channels};
  for (std::int64_t i = 0; i < rank; ++i) {
    const Drawn axis = random_axis(random, !one_per_side, is_8_bit);
    append(test_case, axis);
    test_case.padding->push_back(axis.before);
    if (one_per_side) test_case.padding->push_back(axis.after);
    big.push_back(axis.big);
    small.push_back(axis.small);
    weight.push_back(axis.kernel);
  }
  test_case.grad_output = tensor_of(test_case.transposed ? big : small, mode.grad_output);
  test_case.input = tensor_of(test_case.transposed ? small : big, mode.input);
  test_case.weight = tensor_of(weight, mode.weight);
  set_outputs(test_case, mode);
  // Differing types of the three inputs carry over to their gradients.
  test_case.output_mask = random_mask(random, mode);
  return test_case;
}

Case square_case(const Mode& mode, std::int64_t batch, std::int64_t channels, std::int64_t kernels,
                 std::int64_t length, std::int64_t taps) {
  Case test_case;
  test_case.id = "square";
  test_case.soc = mode.soc;
  test_case.cube_math_type = static_cast<std::int8_t>(mode.cube_math_type);
  test_case.grad_output = tensor_of({batch, kernels, length, length}, mode.grad_output);
  test_case.input = tensor_of({batch, channels, length, length}, mode.input);
  test_case.weight = tensor_of({kernels, channels, taps, taps}, mode.weight);
  test_case.stride = test_case.dilation = Lengths{1, 1};
  test_case.padding = Lengths{taps / 2, taps / 2};
  test_case.output_padding = Lengths{0, 0};
  test_case.output_mask = {true, true, true};
  set_outputs(test_case, mode);
  return test_case;
}

corpus::DataRecipe random_bits(Random& random, const Case& test_case) {
  corpus::DataRecipe recipe;
  recipe.distribution = corpus::Distribution::Listed;
  const std::uint64_t shared = random.bits();
  for (const corpus::InputRole role : corpus::input_roles) {
    const TensorCase& described = *tensor(test_case, role);
    const auto count = static_cast<std::uint64_t>(*corpus::element_count(described.shape));
    const std::uint64_t codes = std::uint64_t{1} << (8 * size_bytes(described.dtype));
    const std::uint64_t near_mask = ((codes >> 4) - 1) | codes >> 1;  // a few binades, both signs
    auto& listed = recipe.listed[role];
    for (std::uint64_t i = 0; i < count; ++i) {
      Lengths at(described.shape.size());
      std::uint64_t rest = i;
      for (std::size_t axis = at.size(); axis-- > 0;) {
        const auto length = static_cast<std::uint64_t>(described.shape[axis]);
        at[axis] = static_cast<std::int64_t>(rest % length);
        rest /= length;
      }
      // Near the code that all share, so that exponents are alike and results stay finite.
      const std::uint64_t bits =
          random.one_in(8) ? random.bits() : shared ^ (random.bits() & near_mask);
      if (random.one_in(4)) continue;
      listed.push_back({at, bits % codes});
    }
  }
  return recipe;
}

}  // namespace gradproof::oracle
