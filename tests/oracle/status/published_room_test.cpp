#include "oracle/status/published_room.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/status_calls.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;

/// A limit, a call at it and one just beyond.
struct Limit {
  std::string name;
  Case at, beyond;
};

TEST(PublishedRoom, EndsAtEachPublishedLimit) {
  const std::vector<Limit> limits{
      {"HW-02, HW-05: half of L1 for the smallest tile",
       case_of({.small = {4, 4}, .kernel = {2, 2}, .dilation = {60, 60}}),
       case_of({.small = {4, 4}, .kernel = {2, 2}, .dilation = {120, 120}})},
      {"HW-03: a row", case_of({.small = {1, 4096}, .kernel = {1, 1}}),
       case_of({.small = {1, 4097}, .kernel = {1, 1}})},
      {"HW-03: a row of the expanded gradOutput",
       case_of({.small = {1, 1024}, .kernel = {1, 1}, .stride = {1, 4}}),
       case_of({.small = {1, 1025}, .kernel = {1, 1}, .stride = {1, 4}})},
      {"HW-04: a backward padding at the beginning",
       case_of({.small = {2, 2}, .kernel = {2, 1}, .dilation = {255, 1}}),
       case_of({.small = {2, 2}, .kernel = {2, 1}, .padding = {0, 0}, .dilation = {256, 1}})},
      {"a stride along D above the kernel",
       case_of({.rank = 5, .small = {2, 2, 2}, .kernel = {3, 1, 1}, .stride = {3, 1, 1}}),
       case_of({.rank = 5, .small = {2, 2, 2}, .kernel = {3, 1, 1}, .stride = {4, 1, 1}})},
      {"a kernel", case_of({.small = {1, 1}, .kernel = {1, 255}, .padding = {0, 127}}),
       case_of({.small = {1, 1}, .kernel = {1, 256}, .padding = {0, 127}})},
      {"a device's memory", case_of({.batch = 1 << 19, .small = {8, 8}, .kernel = {1, 1}}),
       case_of({.batch = 1 << 20, .small = {8, 8}, .kernel = {1, 1}})},
  };
  for (const Limit& limit : limits) {
    EXPECT_FALSE(may_lack_room(limit.at)) << limit.name;
    EXPECT_TRUE(may_lack_room(limit.beyond)) << limit.name;
  }
}

TEST(PublishedRoom, HasNoTilingForWeightGradientsOfEightBits) {
  Case call = case_of({.soc = "Ascend950", .transposed = true, .small = {4, 4}});
  set_dtype(call, corpus::DataType::HiFloat8);
  set_mask(call, true, false, false);
  EXPECT_FALSE(may_lack_room(call));
  set_mask(call, true, true, false);
  EXPECT_TRUE(may_lack_room(call));
}

TEST(PublishedRoom, IsUnknownOfAnUnknownChip) {
  Case call = case_of({.small = {4, 4}});
  EXPECT_FALSE(may_lack_room(call));
  call.soc = "Ascend1";
  EXPECT_TRUE(may_lack_room(call));
}

}  // namespace
}  // namespace gradproof::oracle
