#include "properties/advice/logs/sizes.h"

#include <fmt/format.h>

#include <algorithm>

namespace gradproof::properties {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 31U;

/// What is computed with below is far from overflow.
bool are_small(const Sizes& sizes) {
  const auto is_small = [](std::int64_t value) { return value >= 0 && value < largest; };
  const auto all_small = [&](const Integers& values) {
    return std::ranges::all_of(values, is_small);
  };
  return is_small(sizes.batch) && is_small(sizes.groups) && is_small(sizes.in_channels) &&
         is_small(sizes.out_channels) && all_small(sizes.input) && all_small(sizes.kernel) &&
         all_small(sizes.output) && all_small(sizes.stride) && all_small(sizes.padding) &&
         all_small(sizes.dilation);
}

Integers shape(std::int64_t first, std::int64_t second, const Integers& lengths) {
  Integers all{first, second};
  all.insert(all.end(), lengths.begin(), lengths.end());
  return all;
}

/// The stated output asks for this padding at the ends of the axes.
Integers padding_at_the_ends(const Sizes& sizes) {
  Integers ends = sizes.padding;
  if (sizes.output.empty()) return ends;
  for (std::size_t axis = 0; axis < ends.size(); ++axis) {
    const std::int64_t extent = sizes.dilation[axis] * (sizes.kernel[axis] - 1) + 1;
    const std::int64_t room = sizes.input[axis] + 2 * sizes.padding[axis] - extent;
    const bool follows =
        sizes.stride[axis] > 0 && room >= 0 && room / sizes.stride[axis] + 1 == sizes.output[axis];
    if (follows) continue;
    ends[axis] = (sizes.output[axis] - 1) * sizes.stride[axis] + extent - sizes.input[axis] -
                 sizes.padding[axis];
  }
  return ends;
}

void add_padding(const Sizes& sizes, FoundCall& call) {
  call.words.padding = with_commas(sizes.padding);
  const Integers ends = padding_at_the_ends(sizes);
  if (ends == sizes.padding) return;
  const bool can_be_said = ends.size() == 2 && ends[0] >= 0 && ends[1] >= 0;
  if (!can_be_said) {
    call.lacking.push_back(fmt::format(
        "a padding that leads to the stated lengths: {} at the begins of the axes would need {} "
        "at their ends",
        with_commas(sizes.padding), with_commas(ends)));
    return;
  }
  call.words.padding = with_commas({sizes.padding[0], ends[0], sizes.padding[1], ends[1]});
  call.notes.push_back(
      fmt::format("padding at the ends, {}, follows from the stated lengths", with_commas(ends)));
}

/// Of a transposed convolution: what the stated lengths leave.
void add_output_padding(const Sizes& sizes, FoundCall& call) {
  call.words.padding = with_commas(sizes.padding);
  if (sizes.output.empty()) return;
  Integers left;
  for (std::size_t axis = 0; axis < sizes.output.size(); ++axis) {
    left.push_back(sizes.output[axis] - (sizes.input[axis] - 1) * sizes.stride[axis] +
                   2 * sizes.padding[axis] - sizes.dilation[axis] * (sizes.kernel[axis] - 1) - 1);
  }
  if (std::ranges::any_of(left, [](auto value) { return value != 0; })) {
    call.words.output_padding = with_commas(left);
    call.notes.push_back(
        fmt::format("output padding {} follows from the stated lengths", with_commas(left)));
  }
}

}  // namespace

void add_sizes(const Sizes& sizes, FoundCall& call) {
  if (!are_small(sizes)) {
    call.lacking.emplace_back("sizes below 2^31");
    return;
  }
  if (sizes.groups == 0 ||
      (sizes.transposed ? sizes.out_channels : sizes.in_channels) % sizes.groups != 0) {
    call.lacking.push_back(fmt::format("a weight: {} channels are no multiple of {} groups",
                                       sizes.transposed ? sizes.out_channels : sizes.in_channels,
                                       sizes.groups));
    return;
  }
  CallWords& words = call.words;
  words.input = with_commas(shape(sizes.batch, sizes.in_channels, sizes.input));
  words.weight =
      sizes.transposed
          ? with_commas(shape(sizes.in_channels, sizes.out_channels / sizes.groups, sizes.kernel))
          : with_commas(shape(sizes.out_channels, sizes.in_channels / sizes.groups, sizes.kernel));
  if (!sizes.output.empty()) {
    words.grad_output = with_commas(shape(sizes.batch, sizes.out_channels, sizes.output));
  }
  words.stride = with_commas(sizes.stride);
  words.dilation = with_commas(sizes.dilation);
  words.groups = std::to_string(sizes.groups);
  if (sizes.transposed) words.transposed = "yes";
  sizes.transposed ? add_output_padding(sizes, call) : add_padding(sizes, call);
}

}  // namespace gradproof::properties
