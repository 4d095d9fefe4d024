#include "properties/generators/layout.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace gradproof::properties {
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
    std::swap(order[i],
              order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)))]);
  }
  return order;
}

}  // namespace

void make_strided(corpus::TensorCase& tensor, corpus::RandomSource& random) {
  const std::size_t rank = tensor.shape.size();
  const auto order = draw_memory_order(rank, random);
  std::vector<std::int64_t> strides(rank, 1);
  std::int64_t next = random.chance(25) ? random.between(2, 3) : 1;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t axis = order[i];
    strides[axis] = next;
    next *= std::max<std::int64_t>(tensor.shape[axis], 1);
    if (random.chance(20)) next += random.between(1, 5);
  }
  const std::int64_t offset = random.chance(50) ? random.between(1, 40) : 0;
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

}  // namespace gradproof::properties
