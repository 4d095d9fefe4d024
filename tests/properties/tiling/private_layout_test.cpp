#include "properties/targets/tiling/private_layout.h"
#include "corpus/to_size.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

namespace gradproof::targets {
namespace {

using Bytes = std::vector<std::byte>;

/// Elements that are their numbers, from 1 on; those of one byte repeat.
Bytes numbered(std::int64_t count, std::size_t size) {
  Bytes elements(to_size(count) * size);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = i + 1;
    std::memcpy(elements.data() + to_size(i) * size, &number, size);
  }
  return elements;
}

/// The definition: each element by itself at layout.index.
Bytes packed_one_by_one(const PrivateLayout& layout, const Bytes& dense, std::size_t size) {
  Bytes result(to_size(layout.count) * size);
  const auto& [n, c, d, h, w] = layout.lengths;
  std::size_t number = 0;
  for (Place at{}; at[0] < n; ++at[0])
    for (at[1] = 0; at[1] < c; ++at[1])
      for (at[2] = 0; at[2] < d; ++at[2])
        for (at[3] = 0; at[3] < h; ++at[3])
          for (at[4] = 0; at[4] < w; ++at[4], ++number) {
            std::memcpy(result.data() + to_size(layout.index(layout, at)) * size,
                        dense.data() + number * size, size);
          }
  return result;
}

TEST(PrivateLayouts, PackRowsAsTheyPlaceElements) {
  const Place shapes[] = {{1, 1, 1, 1, 1}, {2, 3, 1, 2, 5}, {17, 40, 2, 3, 1}, {1, 16, 1, 1, 33}};
  for (const Place& lengths : shapes) {
    for (const std::size_t size : {1, 2, 4, 8}) {
      for (const auto& layout : {feature_map_layout(lengths, 16), filter_layout(lengths, 8)}) {
        const std::int64_t count = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1},
                                                   std::multiplies<std::int64_t>());
        const Bytes dense = numbered(count, size);
        const Bytes elements = packed(layout, dense.data(), size);
        EXPECT_EQ(elements, packed_one_by_one(layout, dense, size));
        Bytes back(dense.size());
        unpack(layout, elements, size, back.data());
        EXPECT_EQ(back, dense);
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::targets
