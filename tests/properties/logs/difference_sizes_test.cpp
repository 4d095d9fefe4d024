// What the size of differences points to, and what it does not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

struct Pointed {
  const char *text, *words;
};

TEST(DifferenceSizes, PointToWhatTheyCanBe) {
  const Pointed all[] = {
      // Whole numbers have no rounding, up to where the format ends.
      {"Mismatch at 12: 4711 != 4812", "whole numbers below 16777216"},
      {"[3][SRC][0,0,1,7] fp:  12 fp0:  12 dt:  15 diff:  3 rdiff: 0.25", "whole numbers below"},
      {"half\nMismatch at 2: 1024 vs 1030", "whole numbers below 2048, which FLOAT16"},
      // A factor.
      {"Difference at 0: 1.01, expected 4.04\nDifference at 4: 2.2, expected 8.7\nDifference at 9: "
       "0.55, expected 2.2",
       "3 elements differ by about the same factor, 0.25 to 0.253"},
      // Places.
      {"[1][DST][0,2,5] fp: 1.5 fp0: 1.5 dt: 2.5 diff: 1 rdiff: 0.6\n[2][DST][1,0,5] fp: 3.5 fp0: "
       "3.5 dt: 2.5 diff: 1 rdiff: 0.3\n[3][DST][1,3,5] fp: -1.5 fp0: -1.5 dt: 2.5 diff: 4 rdiff: "
       "2",
       "3 places that are printed all have 5 on axis 2 of 3"},
      {"value not match at c:1 h:4 w:7 expect 1.25 but got 1.75", "1.75 for 1.25 is off by 40 %"},
      // Few and large.
      {"Mismatched elements: 30 / 4000 (0.8%)\nGreatest absolute difference: 12.5 at index (0, 1) "
       "(up to 0.001 allowed)",
       "0.75 % of the elements are wrong"},
      // The reference's own error.
      {"RMSE (res-fp64): 0.0024, (ref-fp64): 0.0006 and shape=torch.Size([8, 4, 3, 3]). res.dtype: "
       "torch.float32, multiplier: 2.000000, tol: 0.001000",
       "0.0024 is 4 times the reference's own error"},
      // Results and what they are compared by.
      {"TESTERROR dw value error : absMaxV:2.500000 - DiffMax 31.000000",
       "a difference of 31 where results are 2.5 at most is no rounding"},
      {"cosine similarity 0.9 < 0.99", "a relative difference of about 0.45 in the 2-norm"},
      // Units in the last place, at what the text prints.
      {"AssertionError: Not equal\nMax absolute difference: 0.0078125\n x: array([[3.5, 1.25]], "
       "dtype=float16)\n y: array([[3.5, 1.2578125]], dtype=float16)",
       "is 4 units in the last place of FLOAT16 there"},
      // Two pairs of a check by finite differences with one factor.
      {"computed_gradient evaluates to 0.25,\nestimated_gradient evaluates to 0.75, and\n"
       "computed_gradient evaluates to 0.1,\nestimated_gradient evaluates to 0.3, and",
       "2 elements differ by about the same factor, 0.333 to 0.333"},
      // Rows that are not computed, of a call that is known: 3 of 12 in each plane.
      {"y = F.conv2d(torch.ones(2, 3, 8, 8), torch.ones(5, 3, 3, 4))\n"
       "Mismatched elements: 45 / 180\nMax absolute difference: 3.5\nMax relative difference: 1.0",
       "45 of 180 wrong elements are as many as one place of a spatial axis has in [5,3,3,4]"},
      {"y = F.conv2d(torch.ones(2, 3, 8, 8), torch.ones(5, 3, 3, 4))\n"
       "Mismatched elements: 100 / 300\nMax absolute difference: 3.5\nMax relative difference: 1.0",
       "100 of 300 wrong elements are as many as the last places of all spatial axes have together "
       "in [2,5,6,5]"},
      {"y = F.conv2d(torch.ones(2, 3, 8, 8), torch.ones(5, 3, 3, 4))\n"
       "Max absolute difference: 3.5\nMax relative difference: 1.0",
       "a difference of 3.5 is"},
      {"Max absolute difference: 3.5\nMax relative difference: 1.0", "that is 0 where it should"},
      // A comment behind code says what it printed.
      {"print((a.grad - b.grad).abs().max().item())  # 4.5e-02\nMax relative difference: 0.9",
       "an absolute one of 4.5e-02 at most"},
      // One tiny element.
      {"Max absolute difference: 3e-06\nMax relative difference: 0.004\n",
       "is of an element of 0.00075 at most"},
  };
  for (const auto& [text, words] : all)
    EXPECT_THAT(reading_of(text)->next, Contains(HasSubstr(words))) << text;
}

TEST(DifferenceSizes, PointToNothingThatTheTextRefutes) {
  const Pointed all[] = {
      {"Mismatch at 12: 4711.5 != 4812", "whole numbers"},
      {"bfloat16\nMismatch at 12: 4711 != 4812", "whole numbers"},  // beyond 256
      {"Difference at 0: 1.01, expected 4.04\nDifference at 4: 2.2, expected 8.7", "same factor"},
      {"Max absolute difference: 3.5\nMax relative difference: 1.0", "one tiny element"},
      {"y = F.conv2d(torch.ones(2, 3, 8, 8), torch.ones(5, 3, 3, 4))\n"
       "Max absolute difference: 3.5\nMax relative difference: 0.9",
       "one tiny element"},
      {"Difference at 0: 1.01, expected 4.04\nDifference at 4: 8.2, expected 8.7\nDifference at 9: "
       "0.55, expected 2.2",
       "same factor"},
      {"Mismatched elements: 3000 / 4000\nGreatest absolute difference: 12.5 at index (0, 1) (up "
       "to 0.001 allowed)",
       "of the elements are wrong"},
      {"Mismatched elements: 30 / 4000\nGreatest absolute difference: 0.004 at index (0, 1) (up to "
       "0.001 allowed)",
       "of the elements are wrong"},
      {"Max absolute difference: 3e-06\nMax relative difference: 0.004", "BFLOAT16"},
  };
  for (const auto& [text, words] : all)
    EXPECT_THAT(reading_of(text)->next, Not(Contains(HasSubstr(words)))) << text;
  // Alone, a relative difference has the size of a format's rounding.
  EXPECT_THAT(reading_of("Max relative difference: 0.004")->next,
              Contains(HasSubstr("rounding factors to BFLOAT16")));
}

TEST(DifferenceSizes, AreThoseOfTwoArraysThatArePrinted) {
  const auto read = reading_of(
      "Jacobian mismatch for output 0 with respect to input 1,\nnumerical:tensor([[ 0.5, -0.25],\n"
      "        [ 1.50,  0.0000]])\nanalytical:tensor([[ 0.5, -0.25],\n        [ 1.48,  0.0000]])");
  ASSERT_EQ(read->differences.all.size(), 2U);
  EXPECT_EQ(read->differences.all[1].value, "0.02");
  EXPECT_EQ(read->differences.all[1].place, "1.5 and 1.48");
  // Input and weight are not compared, nor is x with y where nothing says that they are.
  EXPECT_EQ(
      reading_of("max diff = 0.5\nx: array([1., 2.])\ny: array([3., 4.])")->differences.all.size(),
      1U);
  EXPECT_EQ(reading_of("max diff = 0.5\nx = torch.tensor([1., 2.])\nw = torch.tensor([3., 4.])")
                ->differences.all.size(),
            1U);
}

TEST(DifferenceSizes, OfAToleranceHaveTheirElement) {
  const auto read = reading_of(
      "Error 3.500000 exceeds tolerance rtol=1.0e-02, atol=1.0e-02 (mismatch 0.5%).\n"
      "Location of maximum error: (2, 0, 1), a=1.50000000, b=1.25000000\nat conv_weight");
  ASSERT_EQ(read->differences.all.size(), 2U);
  EXPECT_EQ(read->differences.all[0].value, "3.500000");
  EXPECT_EQ(read->differences.all[1].value, "1.50000000");
  EXPECT_EQ(read->differences.all[1].reference, "1.25000000");
  EXPECT_EQ(read->differences.all[1].place, "(2, 0, 1)");
  EXPECT_EQ(read->differences.all[1].gradient, "gradWeight");
}

TEST(DifferenceSizes, AreReadFromRowsOfATableAndNotFromItsHead) {
  const auto sheet = reading_of(
      "Name,Dtype,Shape,Cosine,Max Abs Err,<10 Err Count,Status,Message\n"
      "conv.backward.output.0,f32,\"(2, 3)\",0.9999,0.001,0,pass,\n"
      "conv.backward.output.1,f32,\"(4, 3)\",0.75,8.5,7,error,\"Cosine is lower than threshold "
      "0.95\"\n");
  ASSERT_EQ(sheet->differences.all.size(), 1U);
  EXPECT_EQ(sheet->differences.all[0].value, "0.75");
  EXPECT_EQ(sheet->differences.all[0].limit, "0.95");
  EXPECT_EQ(sheet->differences.all[0].line, 3U);
  EXPECT_EQ(sheet->differences.all[0].gradient, "gradWeight");
  EXPECT_EQ(sheet->differences.agreeing, 1U);
  const auto columns = reading_of(
      "tensor        max_abs_err   verdict\ngrad_input    1.0e-06       pass\ngrad_weight   "
      "2.5e-01       FAIL\n");
  ASSERT_EQ(columns->differences.all.size(), 1U);
  EXPECT_EQ(columns->differences.all[0].value, "2.5e-01");
  EXPECT_EQ(columns->differences.all[0].gradient, "gradWeight");
  EXPECT_EQ(reading_of("Name,Cosine,Max Rel Err,<100 Err Count")->differences.all.size(), 0U);
}

/// Numbers in the brackets behind "tolerance" are its own, of a table's other rows is not spoken,
/// and another layer's gradient is no convolution's.
TEST(DifferenceSizes, AreNoLimitsAndOfNoOtherRow) {
  for (const char* line : {"Difference exceeds tolerance (rel=1e-05, abs=1e-05)",
                           "tolerance: [abs=0.5, rel=0.25] | failed"}) {
    const auto read = reading_of(line);
    for (const Difference& one : read->differences.all) EXPECT_EQ(one.value, "") << line;
  }
  const auto stats = reading_of(
      "Absolute Difference | Stats: mean=0.5, std-dev=0.25, min=0 at (0, 0), max=4.5 at (7, 1)");
  EXPECT_EQ(stats->differences.all[0].value, "4.5");
  const auto rows = reading_of(
      "| name | max abs err | max relative error |\n| --- | --- | --- |\n"
      "| conv1.weight.grad | 0.5 | 2.5 |\n| bn1.weight.grad | 0.001 | 0.0004 |\n");
  ASSERT_EQ(rows->differences.all.size(), 4U);
  EXPECT_EQ(rows->differences.all[0].gradient, "gradWeight");
  EXPECT_EQ(rows->differences.all[3].gradient, "");
  EXPECT_THAT(rows->next,
              testing::Not(testing::Contains(testing::HasSubstr("an absolute one of 0.5"))));
}

TEST(DifferenceSizes, OfOneCallFromRunToRunHaveTheirOwnAdvice) {
  for (const char* line :
       {"the same backward twice is not bitwise equal", "dW differs between runs"}) {
    const auto read = reading_of(line);
    ASSERT_EQ(read->differences.all.size(), 1U) << line;
    EXPECT_EQ(read->differences.all[0].measure, "bits differ from run to run") << line;
    EXPECT_THAT(read->next, testing::Contains(testing::HasSubstr("deterministic_algorithms")))
        << line;
  }
}

/// A column may say of each row that it passed.
TEST(DifferenceSizes, OfARowThatPassedAreNone) {
  for (const char* head : {"passed", "ok"}) {
    const auto read =
        reading_of("name,shape,max_abs," + std::string(head) +
                   "\nconv.grad_weight,4x3,0.5,False\nconv.grad_input,2x3,0.25,True\n");
    ASSERT_EQ(read->differences.all.size(), 1U) << head;
    EXPECT_EQ(read->differences.all[0].value, "0.5");
  }
}

TEST(DifferenceSizes, HaveNoKindWithoutANumber) {
  EXPECT_THAT(reading_of("the error exceeds tolerance 0.01")->differences.all, testing::IsEmpty());
}

}  // namespace
}  // namespace gradproof::advice
