#include "properties/cases/generators/layout.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/thresholds/threshold.h"

namespace gradproof::cases {
namespace {

/// Axes from the slowest to the fastest in memory.
std::vector<std::size_t> draw_memory_order(std::size_t rank, corpus::RandomSource& random) {
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random.chance(40)) return order;
  if (random.chance(40) && rank > 2) {  // channels last, the one that frameworks really make
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return order;
  }
  for (std::size_t i = rank; i-- > 1;) {
    std::swap(order[i], order[to_size(random.between(0, static_cast<std::int64_t>(i)))]);
  }
  return order;
}

/// A pitch of at least `least`, at a power of two.
std::int64_t threshold_from(std::int64_t least, corpus::RandomSource& random) {
  constexpr int highest = 12;  // a row of 4096 elements, a few pages
  std::int64_t value = draw_threshold(static_cast<int>(random.between(0, highest)), random);
  while (value < least) value *= 2;
  return value;
}

/// Elements of storage that gaps may lead to.
constexpr std::int64_t most_storage = 1 << 13;

/// Axes of stride 0: all, the spatial ones, the first, or each by chance.
std::vector<bool> draw_expanded_axes(std::size_t rank, corpus::RandomSource& random) {
  std::vector<bool> expanded(rank, false);
  const std::int64_t kind = random.between(0, 3);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    expanded[axis] = kind == 0 || (kind == 1 && axis >= 2) || (kind == 2 && axis == 0) ||
                     (kind == 3 && random.chance(50));
  }
  return expanded;
}

}  // namespace

void make_shared(corpus::TensorCase& tensor, corpus::RandomSource& random) {
  const std::size_t rank = tensor.shape.size();
  std::vector<std::int64_t> strides(rank, 1);
  const bool overlaps = random.chance(25);
  const auto expanded = draw_expanded_axes(rank, random);
  std::int64_t next = 1, last = 0;
  for (std::size_t axis = rank; axis-- > 0;) {
    const std::int64_t length = std::max<std::int64_t>(tensor.shape[axis], 1);
    strides[axis] = overlaps ? std::max<std::int64_t>(1, next - random.between(0, next)) : next;
    if (!overlaps && expanded[axis]) strides[axis] = 0;
    last += strides[axis] * (length - 1);
    if (strides[axis] != 0) next = strides[axis] * length;
  }
  tensor.strides = std::move(strides);
  tensor.offset = random.chance(30) ? random.between(1, 40) : 0;
  tensor.storage_shape = {tensor.offset + last + 1};
}

void make_strided(corpus::TensorCase& tensor, corpus::RandomSource& random) {
  const std::size_t rank = tensor.shape.size();
  const auto order = draw_memory_order(rank, random);
  std::vector<std::int64_t> strides(rank, 1);
  std::int64_t next = random.chance(25) ? random.between(2, 3) : 1;
  const std::int64_t elements =
      std::max<std::int64_t>(corpus::element_count(tensor.shape).value_or(0), 1);
  const bool has_wide_axis = random.chance(shares::threshold_of_view);
  const auto last_axis = static_cast<std::int64_t>(rank) - 1;
  const auto wide_axis = has_wide_axis ? to_size(random.between(0, last_axis)) : rank;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t axis = order[i];
    strides[axis] = next;
    next *= std::max<std::int64_t>(tensor.shape[axis], 1);
    if (random.chance(20)) next += random.between(1, 5);
    if (axis == wide_axis) {
      const std::int64_t pitch = threshold_from(next, random);
      const std::int64_t rows = elements / std::max<std::int64_t>(tensor.shape[axis], 1);
      if (rows == 0 || pitch <= most_storage / rows) next = pitch;
    }
  }
  std::int64_t offset = random.chance(50) ? random.between(1, 40) : 0;
  if (random.chance(shares::threshold_of_view)) {
    offset = draw_threshold(draw_exponent(highest_exponent, random), random);
  }
  const std::int64_t behind = random.chance(30) ? random.between(1, 9) : 0;
  tensor.strides = std::move(strides);
  tensor.offset = offset;
  tensor.storage_shape = {offset + next + behind};
}

void make_offset(corpus::TensorCase& tensor, corpus::RandomSource& random) {
  tensor.offset = random.between(1, 40);
  tensor.storage_shape = {tensor.offset + corpus::element_count(tensor.shape).value_or(0) +
                          random.between(0, 9)};
}

}  // namespace gradproof::cases
