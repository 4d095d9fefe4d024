#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/docs/expected_output.h"

namespace gradproof::docs {
namespace {

TEST(ExpectedOutput, LeavesOpenWhatIsMarkedAndNothingElse) {
  using Lines = std::vector<std::string>;
  const auto agrees = [](const Lines& expected, const Lines& output,
                         Numbers numbers = Numbers::Exact) {
    return difference(expected, output, numbers).empty();
  };
  EXPECT_TRUE(agrees({"a", "[...]", "d"}, {"a", "b", "c", "d"}));
  EXPECT_TRUE(agrees({"a", "[...]"}, {"a"}));
  EXPECT_FALSE(agrees({"[...]", "a"}, {"a", "b"}));
  EXPECT_FALSE(agrees({"a", "b"}, {"a", "c", "b"}));
  EXPECT_TRUE(agrees({"took ... s, [...]"}, {"took 0.1 s, sometimes"}));
  EXPECT_FALSE(agrees({"took ... s"}, {"took 0.1 s, sometimes"}));
  EXPECT_FALSE(agrees({"1 of 2"}, {"1 of 3"}));
  EXPECT_TRUE(agrees({"x  1 of 2.5e+03 s"}, {"x 1234 of 7.0 s"}, Numbers::Vary));
  EXPECT_TRUE(agrees({"1 (0x3f800000)"}, {"7 (0x40e00000)"}, Numbers::Vary));
  EXPECT_FALSE(agrees({"1 found"}, {"1 lost"}, Numbers::Vary));
  EXPECT_FALSE(agrees({"inf"}, {"1"}, Numbers::Vary));
}

}  // namespace
}  // namespace gradproof::docs
