#include "properties/cases/generators/violations/forward_breaks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "corpus/data_type.h"

namespace gradproof::cases::forward {

using corpus::Api;
using corpus::Product;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

namespace {

/// A changed shape has no place in a view.
void make_whole(TensorCase& tensor) {
  tensor.strides.reset();
  tensor.storage_shape.reset();
  tensor.offset = 0;
}

void make_whole(Case& test_case) {
  for (auto* tensor :
       {&test_case.grad_output, &test_case.weight, &test_case.input, &test_case.grad_input}) {
    if (*tensor) make_whole(**tensor);
  }
}

bool is_tbc(const Case& test_case) { return test_case.api == Api::ConvTbc; }

std::int64_t value_at(const std::optional<Lengths>& values, std::size_t i, std::int64_t otherwise) {
  return values && i < values->size() ? (*values)[i] : otherwise;
}

/// Both paddings of axis i.
std::int64_t paddings_at(const Case& test_case, std::size_t i, std::size_t axes) {
  if (is_tbc(test_case) || test_case.padding->size() == axes) return 2 * (*test_case.padding)[i];
  return (*test_case.padding)[2 * i] + (*test_case.padding)[2 * i + 1];
}

}  // namespace

bool fit_output(Case& test_case) {
  make_whole(test_case);
  const std::size_t first = is_tbc(test_case) ? 0 : 2;
  const std::size_t axes = is_tbc(test_case) ? 1 : test_case.grad_output->shape.size() - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t from = test_case.grad_output->shape[first + i];
    const std::int64_t stride = value_at(test_case.stride, i, 1);
    const std::int64_t extent =
        value_at(test_case.dilation, i, 1) * (test_case.weight->shape[first + i] - 1) + 1;
    const std::int64_t both = paddings_at(test_case, i, axes);
    std::int64_t& to = test_case.grad_input->shape[first + i];
    to = test_case.transposed
             ? (from - 1) * stride - both + extent + value_at(test_case.output_padding, i, 0)
             : (from + both - extent) / stride + 1;
    const bool fits = test_case.transposed || from + both >= extent;
    if (!fits || to < 1) return false;
  }
  return true;
}

/// The map grows with the kernel.
bool put_long_kernel(Case& test_case, std::int64_t length) {
  const std::size_t axis = is_tbc(test_case) ? 0 : test_case.weight->shape.size() - 1;
  test_case.weight->shape[axis] = length;
  if (!test_case.transposed) {
    const std::int64_t dilation = test_case.dilation ? test_case.dilation->back() : 1;
    test_case.grad_output->shape[axis] += dilation * length;
  }
  return fit_output(test_case);
}

bool move_elsewhere(Case& test_case, RandomSource& random) {
  const bool has_more = test_case.api == Api::Convolution;
  const Product product = has_more ? random.one_of({Product::Ascend910, Product::Ascend310})
                                   : random.one_of({Product::Ascend910, Product::Ascend310P,
                                                    Product::Ascend310B, Product::Ascend310});
  test_case.soc = corpus::name_of(product);
  return true;
}

bool drop_a_map(Case& test_case, RandomSource& random) {
  const std::array maps{&test_case.grad_output, &test_case.weight, &test_case.grad_input};
  random.one_of(std::span<std::optional<TensorCase>* const>(maps))->reset();
  return true;
}

bool drop_an_array(Case& test_case, RandomSource& random) {
  const std::array arrays{&test_case.stride, &test_case.padding, &test_case.dilation};
  random.one_of(std::span<std::optional<Lengths>* const>(arrays))->reset();
  return true;
}

bool change_a_length(Case& test_case, RandomSource& random) {
  auto& values = random.chance(50) ? test_case.stride : test_case.dilation;
  if (random.chance(50)) {
    values->pop_back();
  } else {
    values->push_back(1);
  }
  return true;
}

/// Gives padding a length that is not legal: one and two of a line are, two and four of a plane,
/// three of a volume.
bool change_padding_length(Case& test_case, RandomSource& random) {
  const std::size_t axes = test_case.grad_output->shape.size() - 2;
  const auto length = to_size(random.between(1, 7));
  const bool has_ends = length == 2 * axes && (axes == 2 || (axes == 1 && !test_case.transposed));
  if (length == axes || has_ends) return false;
  test_case.padding = Lengths(length, 0);
  return true;
}

/// Changes a length, or exchanges both.
bool change_kernel_size(Case& test_case, RandomSource& random) {
  Lengths& sizes = *test_case.kernel_size;
  if (sizes.front() != sizes.back() && random.chance(50)) {
    std::swap(sizes.front(), sizes.back());
  } else {
    (random.chance(50) ? sizes.front() : sizes.back()) += random.chance(50) ? 1 : 300;
  }
  return true;
}

bool exceed_output_padding(Case& test_case, RandomSource& random) {
  const std::size_t last = test_case.output_padding->size() - 1;
  std::int64_t& value = test_case.output_padding->back();
  const std::int64_t old = value;
  const std::int64_t least = std::max((*test_case.stride)[last], (*test_case.dilation)[last]);
  value = random.chance(30) ? -1 : least + random.between(0, 2);
  make_whole(test_case);
  test_case.grad_input->shape.back() += value - old;
  return test_case.grad_input->shape.back() > 0;
}

bool take_odd_groups(Case& test_case, RandomSource& random) {
  test_case.groups = random.chance(50) ? 0 : -1;
  return true;
}

bool widen_the_weight(Case& test_case, RandomSource& random) {
  make_whole(*test_case.weight);
  test_case.weight->shape[1] += random.between(1, 3);
  return true;
}

/// Adds channels to the weight or to the input.
bool add_input_channels(Case& test_case, RandomSource& random) {
  if (random.chance(50)) return widen_the_weight(test_case, random);
  make_whole(*test_case.grad_output);
  test_case.grad_output->shape[is_tbc(test_case) ? 2 : 1] += random.between(1, 3);
  return true;
}

bool deepen_the_weight(Case& test_case, RandomSource&) {
  make_whole(*test_case.weight);
  test_case.weight->shape[0] += test_case.groups;
  return true;
}

bool divide_unevenly(Case& test_case, RandomSource&) {
  if (test_case.groups == 1) {
    test_case.groups = static_cast<std::int32_t>(test_case.weight->shape[0]) + 1;
    return true;
  }
  make_whole(*test_case.weight);
  ++test_case.weight->shape[0];
  return true;
}

bool exceed_the_map(Case& test_case, RandomSource& random) {
  const auto& input = test_case.grad_output->shape;
  if (std::ranges::find(input, 0) != input.end()) return false;  // then it is not asked
  const std::size_t axis = is_tbc(test_case) ? 0 : test_case.weight->shape.size() - 1;
  const std::int64_t both =
      is_tbc(test_case) ? 2 * test_case.padding->front()
                        : paddings_at(test_case, axis - 2, test_case.weight->shape.size() - 2);
  make_whole(test_case);
  test_case.weight->shape[axis] = test_case.grad_output->shape[axis] + both + random.between(1, 2);
  if (test_case.kernel_size) test_case.kernel_size->back() = test_case.weight->shape[axis];
  // The formula gives 0 positions where the kernel is not far too large.
  if (random.chance(50)) test_case.grad_input->shape[axis] = 0;
  return true;
}

/// Leaves no samples and makes the kernel one position too large: the division towards zero gives
/// one position, that towards minus infinity none.
bool round_an_empty_map_down(Case& test_case) {
  const std::size_t axis = test_case.weight->shape.size() - 1;
  test_case.grad_output->shape[0] = test_case.grad_input->shape[0] = 0;
  test_case.stride->back() = 2;
  test_case.dilation->back() = 1;
  test_case.weight->shape[axis] =
      test_case.grad_output->shape[axis] +
      paddings_at(test_case, axis - 2, test_case.weight->shape.size() - 2) + 1;
  if (test_case.kernel_size) test_case.kernel_size->back() = test_case.weight->shape[axis];
  test_case.grad_input->shape[axis] = 0;
  return true;
}

bool contradict_the_output(Case& test_case, RandomSource& random) {
  auto& shape = test_case.grad_input->shape;
  make_whole(test_case);
  if (!is_tbc(test_case) && !test_case.transposed && random.chance(20)) {
    return round_an_empty_map_down(test_case);
  }
  shape[to_size(random.between(0, static_cast<std::int64_t>(shape.size()) - 1))] +=
      random.between(1, 2);
  return true;
}

bool empty_the_kernel(Case& test_case, RandomSource&) {
  make_whole(test_case);
  test_case.weight->shape[is_tbc(test_case) ? 0 : test_case.weight->shape.size() - 1] = 0;
  if (test_case.kernel_size) test_case.kernel_size->back() = 0;
  return true;
}

bool put_padding(Case& test_case, RandomSource&) {
  std::ranges::fill(*test_case.padding, 256);
  if (!test_case.transposed) return fit_output(test_case);
  for (std::size_t axis = 2; axis < test_case.grad_output->shape.size(); ++axis) {
    test_case.grad_output->shape[axis] += 512;  // of which the padding takes as much
  }
  return fit_output(test_case);
}

bool take_many_groups(Case& test_case, RandomSource&) {
  constexpr std::int64_t many = 65536;
  make_whole(test_case);
  test_case.groups = test_case.api == Api::Convolution ? many : 1;
  test_case.grad_output->shape[1] = test_case.grad_input->shape[1] = many;
  test_case.weight->shape[0] = many;
  test_case.weight->shape[1] = 1;
  if (test_case.input) test_case.input->shape = Lengths{many};
  return true;
}

bool take_many_samples(Case& test_case, RandomSource&) {
  make_whole(test_case);
  test_case.grad_output->shape[0] = test_case.grad_input->shape[0] = 1'000'001;
  return true;
}

bool take_odd_mode(Case& test_case, RandomSource& random) {
  test_case.cube_math_type = random.one_of<std::int8_t>({-1, 4, 5, 6, 127, -128});
  return true;
}

bool empty_the_channels(Case& test_case, RandomSource&) {
  make_whole(test_case);
  test_case.grad_output->shape[1] = 0;
  test_case.weight->shape[test_case.transposed ? 0 : 1] = 0;
  return true;
}

}  // namespace gradproof::cases::forward
