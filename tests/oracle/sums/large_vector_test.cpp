#include "oracle/sums/large_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace gradproof::oracle {
namespace {

constexpr std::size_t large = LargeBlocks::least_bytes / sizeof(std::uint64_t);

TEST(LargeVectors, ShareNoMemoryWhileTheyLive) {
  LargeVector<std::uint64_t> first(large, 1), second(large + 5, 2), small(large - 1, 3);
  const auto all_are = [](const auto& vector, std::uint64_t value) {
    return std::ranges::all_of(vector, [&](std::uint64_t element) { return element == value; });
  };
  EXPECT_TRUE(all_are(first, 1) && all_are(second, 2) && all_are(small, 3));
  first.resize(3 * large, 4);
  EXPECT_TRUE(all_are(second, 2));
  EXPECT_EQ(first[large - 1], 1U);
  EXPECT_EQ(first[large], 4U);
}

TEST(LargeVectors, TakeTheBlockOfAnEarlierOneThatIsNotMuchLarger) {
  const auto place_in = [](const LargeVector<std::uint64_t>& vector) {
    return reinterpret_cast<std::uintptr_t>(vector.data());
  };
  const auto place_of = [&](std::size_t count) {
    return place_in(LargeVector<std::uint64_t>(count));
  };
  const std::uintptr_t place = place_of(2 * large);
  EXPECT_EQ(place_of(2 * large), place);
  EXPECT_EQ(place_of(2 * large - 9), place);
  const LargeVector<std::uint64_t> holds_it(2 * large);
  EXPECT_EQ(place_in(holds_it), place);
  EXPECT_NE(place_of(2 * large), place);
}

TEST(LargeVectors, EndInAnotherThreadAndAfterItsSpareBlocks) {
  LargeVector<std::uint64_t> taken(large, 7);
  std::thread([&] {
    static thread_local LargeVector<std::uint64_t> ends_last;
    ends_last.assign(large, 8);
    LargeVector<std::uint64_t>().swap(taken);
  }).join();
  EXPECT_TRUE(taken.empty());
  for (int i = 0; i < 20; ++i) taken.assign(large * static_cast<std::size_t>(1 + i % 9), 9);
  EXPECT_EQ(taken.back(), 9U);
}

}  // namespace
}  // namespace gradproof::oracle
