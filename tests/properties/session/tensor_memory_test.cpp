#include "properties/targets/session/tensor_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "properties/targets/session/device_memory.h"

namespace gradproof::targets {
namespace {

using corpus::DataType;

TEST(GapBytes, AreTheSamePatternForEveryLength) {
  constexpr std::size_t kept = std::size_t{1} << 16;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3},
                                  std::size_t{511}, kept - 1, kept, kept + 1, 5 * kept + 7}) {
    const std::vector<std::byte> bytes = gap_bytes(count);
    ASSERT_EQ(bytes.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(bytes[i], i % 2 == 0 ? std::byte{0xDA} : std::byte{0xFF}) << i << " of " << count;
    }
  }
}

TEST(SentinelElements, AreOneNanOfTheTypeEverywhere) {
  struct Row {
    DataType type;
    std::uint32_t bits;
  };
  for (const Row& row : {Row{DataType::Float, 0x7FD5A3C7}, Row{DataType::Float16, 0x7ED5},
                         Row{DataType::BFloat16, 0x7FD5}, Row{DataType::HiFloat8, 0x80},
                         Row{DataType::Float8E4M3FN, 0xFF}, Row{DataType::Int32, 0xA5A5A5A5}}) {
    corpus::TensorCase tensor;
    tensor.dtype = row.type;
    tensor.shape = {3, 7, 11};
    const std::vector<std::byte> elements = sentinel_elements(tensor);
    const std::size_t width = corpus::size_bytes(row.type);
    ASSERT_EQ(elements.size(), 3 * 7 * 11 * width);
    for (std::size_t i = 0; i < elements.size(); i += width) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &elements[i], width);
      ASSERT_EQ(bits, row.bits) << corpus::name_of(row.type) << ", byte " << i;
    }
  }
  corpus::TensorCase empty;
  empty.shape = {2, 0, 3};
  EXPECT_TRUE(sentinel_elements(empty).empty());
}

}  // namespace
}  // namespace gradproof::targets
