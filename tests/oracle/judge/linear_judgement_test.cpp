#include "oracle/judge/linear_judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "corpus/element_hash.h"
#include "corpus/element_values.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/judge_stages.h"
#include "oracle/recipes/recipe_plan.h"
#include "oracle/sums/modular.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Distribution;
using corpus::InputRole;
using corpus::Outcome;
using corpus::OutputRole;
using testing::HasSubstr;

JudgeSettings linear_alone() {
  JudgeSettings settings;
  settings.linear_macs = 0;
  return settings;
}

corpus::Case grid_case(std::int64_t channels, std::int64_t length) {
  corpus::Case test_case =
      *with_recipe(square_case({}, 1, channels, 1, length, 1), Distribution::ExactGrid, 11);
  for (auto& fill : *test_case.data->fills) fill.magnitude = 3;
  return test_case;
}

void add_to(corpus::OutputObservation& output, std::size_t at, float error) {
  float value = 0;
  std::memcpy(&value, output.bits.data() + 4 * at, 4);
  value += error;
  std::memcpy(output.bits.data() + 4 * at, &value, 4);
}

using Vector = std::array<std::int64_t, 3>;

long double product(const Vector& a, const Vector& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += static_cast<long double>(a[i]) * b[i];
  return sum;
}

/// Small integers e with e_0 r_0 + e_1 r_1 + e_2 r_2 == 0 modulo p: a short vector of the lattice
/// of all of them, by reducing each of its basis by the others.
Vector cancelling_errors(const std::array<Residue, 3>& r) {
  const auto quotient = [&](Residue a) {  // -a / r_2, by Fermat
    Residue inverse(1), base = r[2];
    for (std::uint64_t e = Residue::prime - 2; e > 0; e >>= 1U, base = base * base) {
      if ((e & 1U) != 0) inverse = inverse * base;
    }
    return static_cast<std::int64_t>((Residue() - a * inverse).value());
  };
  std::array<Vector, 3> basis{Vector{1, 0, quotient(r[0])}, Vector{0, 1, quotient(r[1])},
                              Vector{0, 0, static_cast<std::int64_t>(Residue::prime)}};
  for (int round = 0; round < 300; ++round) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        if (i == j) continue;
        const auto times = static_cast<std::int64_t>(
            roundl(product(basis[i], basis[j]) / product(basis[j], basis[j])));
        for (std::size_t k = 0; k < 3; ++k) basis[i][k] -= times * basis[j][k];
      }
    }
  }
  return *std::ranges::min_element(basis, {}, [](const Vector& v) { return product(v, v); });
}

/// Errors that cancel under the coefficients of the data's seed, if those were used: a target that
/// knows the case knows that seed.
TEST(LinearJudgement, DrawsItsCoefficientsAfterTheAnswer) {
  corpus::Case test_case = grid_case(1, 3);
  test_case.output_mask = {true, false, false};
  const std::uint64_t stream =
      corpus::chained(corpus::chained(test_case.data->seed, std::int64_t{0}), 2);
  const std::array<Residue, 3> r{Residue(corpus::chained(stream, 0)),
                                 Residue(corpus::chained(stream, 1)),
                                 Residue(corpus::chained(stream, 2))};
  const Vector errors = cancelling_errors(r);
  for (const std::int64_t error : errors) ASSERT_LT(std::abs(error), 1 << 23);
  auto seen = observed(test_case, {}, {});
  const int unit = test_case.data->fills->at(0).exponent + test_case.data->fills->at(2).exponent;
  for (std::size_t i = 0; i < 3; ++i) {
    add_to(seen.outputs[0], i, std::ldexp(static_cast<float>(errors[i]), unit));
  }
  const auto verdict = judge({test_case, Profile::Documented}, seen, linear_alone());
  EXPECT_EQ(verdict.outcome, Outcome::Disagree) << verdict.reason;
}

/// HF32 keeps 11 bits here and the grid has two: then it is exact too. With 16 bits it is rounded,
/// and nothing can be said in linear time.
TEST(LinearJudgement, LeavesOperandsThatAConversionChanges) {
  for (const std::int64_t magnitude : {3, 65535}) {
    corpus::Case test_case = grid_case(1, 3);
    test_case.cube_math_type = 3;
    test_case.output_mask = {true, false, false};
    test_case.data->fills->at(0).magnitude = magnitude;
    const auto verdict =
        judge({test_case, Profile::Documented}, observed(test_case, {}, {}), linear_alone());
    EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
    EXPECT_EQ(verdict.reason.find("by a linear identity") != std::string::npos, magnitude == 3);
    EXPECT_EQ(verdict.outputs[0].compared_elements, verdict.outputs[0].elements);
    corpus::Case unrounded = test_case;
    unrounded.cube_math_type = 0;
    const auto wrong =
        judge({test_case, Profile::Documented}, observed(unrounded, {}, {}), linear_alone());
    EXPECT_EQ(wrong.outcome, magnitude == 3 ? Outcome::Agree : Outcome::Disagree) << wrong.reason;
  }
}

/// Tensors that a person gave have no recipe: their grid is found by looking through them.
TEST(LinearJudgement, FindsTheGridOfGivenTensors) {
  corpus::Case test_case = grid_case(3, 4);
  std::array<std::vector<std::byte>, 3> bytes;
  GivenOperands given;
  for (const InputRole role : corpus::input_roles) {
    const auto at = to_size(role);
    bytes.at(at) = corpus::element_values(test_case, role);
    given.at(at) = bytes.at(at);
  }
  auto seen = observed(test_case, {}, {});
  test_case.data.reset();
  corpus::Verdict verdict;
  judge_tensors(test_case, given, seen, linear_alone(), verdict);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr("by a linear identity"));
  add_to(seen.outputs[1], 2, 0x1p20F);
  corpus::Verdict wrong;
  judge_tensors(test_case, given, seen, linear_alone(), wrong);
  EXPECT_EQ(wrong.outcome, Outcome::Disagree) << wrong.reason;
  EXPECT_EQ(wrong.culprit, OutputRole::GradWeight);
}

/// Below the size, sums are taken as they always were.
TEST(LinearJudgement, IsForLargeCallsOnly) {
  const corpus::Case test_case = grid_case(3, 4);
  const auto verdict = judge({test_case, Profile::Documented}, observed(test_case, {}, {}), {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree);
  EXPECT_EQ(verdict.reason.find("by a linear identity"), std::string::npos);
}

/// Listed elements and the drawing of entries alone say the same as the whole tensor does.
TEST(LinearJudgement, ReadsEntriesAsTheWholeTensorHasThem) {
  Random random(3);
  int drawn = 0;
  for (int i = 0; i < 400; ++i) {
    const corpus::Case legal = random_case(random, random_mode(random));
    const auto test_case = with_recipe(legal, default_recipes[random.in(0, 1)], random.bits());
    for (const InputRole role : corpus::input_roles) {
      const auto whole = corpus::element_values(*test_case, role);
      const auto& shape = tensor(*test_case, role)->shape;
      if (whole.empty()) continue;
      const std::int64_t first = random.in(0, shape[0] - 1);
      const std::int64_t count = random.in(1, shape[0] - first);
      const std::size_t entry = whole.size() / to_size(shape[0]);
      std::vector<std::byte> some(entry * to_size(count));
      if (!draw_entries(some, *test_case, role, {first, count})) continue;
      ++drawn;
      ASSERT_TRUE(std::equal(some.begin(), some.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>(entry * to_size(first))));
    }
  }
  EXPECT_GT(drawn, 300);
}

}  // namespace
}  // namespace gradproof::oracle
