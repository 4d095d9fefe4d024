#pragma once

// Part of the program library_host, which is one source.

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "properties/runs/gate/host/channel.h"

namespace {

/// Where the elements of a tensor lie, counted in elements: row-major, or as a view with axes in
/// another order, gaps and a begin of its own.
struct ElementPlaces {
  std::array<std::int64_t, 5> strides{};
  std::int64_t offset = 0, room = 1;

  static ElementPlaces of(const Tensor& tensor, bool is_view, std::random_device& chance) {
    const auto drawn = [&](unsigned end) { return is_view ? std::int64_t{chance() % end} : 0; };
    std::array<std::size_t, 5> order{0, 1, 2, 3, 4};
    for (std::uint32_t i = 1; i < tensor.rank && is_view; ++i) {
      std::swap(order.at(i), order.at(chance() % (i + 1)));
    }
    ElementPlaces places;
    places.offset = drawn(8);
    std::int64_t step = 1 + drawn(2);
    for (std::size_t i = tensor.rank; i-- > 0;) {
      places.strides.at(order.at(i)) = step;
      step = step * tensor.shape.at(order.at(i)) + drawn(3);
    }
    places.room = places.offset + step;
    return places;
  }

  /// The storage, with no numbers in its gaps.
  std::vector<char> storage(const Tensor& tensor, const std::vector<char>& dense) const {
    const std::size_t width = dense.size() / std::max<std::size_t>(tensor.elements(), 1);
    std::vector<char> all(static_cast<std::size_t>(room) * width, '\xff');
    std::array<std::int64_t, 5> at{};
    for (std::size_t from = 0; from < dense.size(); from += width) {
      std::int64_t place = offset;
      for (std::size_t axis = 0; axis < tensor.rank; ++axis)
        place += at.at(axis) * strides.at(axis);
      std::memcpy(all.data() + static_cast<std::size_t>(place) * width, dense.data() + from, width);
      for (std::size_t axis = tensor.rank; axis-- > 0 && ++at.at(axis) == tensor.shape.at(axis);) {
        at.at(axis) = 0;
      }
    }
    return all;
  }
};

}  // namespace
