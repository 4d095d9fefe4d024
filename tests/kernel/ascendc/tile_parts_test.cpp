#include "kernel/ascendc/tile_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace gradproof::kernel::ascendc {
namespace {

constexpr float largest = std::numeric_limits<float>::max();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(TileParts, SeeWhatIsNotFiniteAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 1; length <= 50; ++length) {
    std::vector<float> values(length, -largest);
    EXPECT_TRUE(are_finite(values, false)) << length;
    for (std::size_t place = 0; place < length; ++place) {
      for (const float special : {infinity, -infinity, nan, -nan}) {
        values[place] = special;
        EXPECT_FALSE(are_finite(values, false)) << special << " at " << place << " of " << length;
      }
      values[place] = 0;
    }
  }
  EXPECT_TRUE(are_finite({}, false));
}

TEST(TileParts, CountWhatHf32RoundsToInfinityAsNotFinite) {
  for (const std::size_t length : {1, 16, 17}) {
    std::vector<float> values(length, 0x1p127F);
    EXPECT_TRUE(are_finite(values, true));
    values.back() = -std::nextafter(0x1p127F, infinity);
    EXPECT_FALSE(are_finite(values, true));
    EXPECT_TRUE(are_finite(values, false));
  }
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
