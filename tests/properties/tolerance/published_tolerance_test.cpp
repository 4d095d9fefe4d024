#include "properties/advice/tolerance/published_tolerance.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case_json.h"
#include "properties/cases/check/check.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::advice {
namespace {

using corpus::OutputRole;
using oracle::Number;
using oracle::NumberFormat;

const PublishedTolerance* tolerance_named(std::string_view name) {
  const auto row = std::ranges::find(published_tolerances(), name, &PublishedTolerance::name);
  return row == published_tolerances().end() ? nullptr : &*row;
}

// Every tolerance, held to verdicts worked out by hand.

Number float_number(double value) {
  const auto rounded = static_cast<float>(value);
  return oracle::decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(rounded));
}

/// A FLOAT output of `count` elements that should all be `exact`.
MeasuredOutput output_of(std::size_t count, double exact, OutputRole role = OutputRole::GradInput) {
  MeasuredOutput output;
  output.role = role;
  output.products = 4;
  output.largest_grad_output = 2;
  output.largest_other = 3;
  output.computed.assign(count, float_number(exact));
  output.exact.assign(count, exact);
  output.expected.assign(count, float_number(exact));
  return output;
}

/// The same with its first elements off by `error`.
MeasuredOutput off(MeasuredOutput output, double error, std::size_t elements = 1) {
  for (std::size_t i = 0; i < elements; ++i) {
    output.computed[i] = float_number(output.exact[i] + error);
  }
  return output;
}

/// One element that is 1 among zeros, the second one off.
MeasuredOutput one_among_zeros(double error, OutputRole role = OutputRole::GradInput) {
  MeasuredOutput output = output_of(4, 0, role);
  output.exact[0] = 1;
  output.computed[0] = output.expected[0] = float_number(1);
  output.computed[1] = float_number(error);
  return output;
}

MeasuredOutput cast_to_half(MeasuredOutput output) {
  output.arithmetic.roundings = {NumberFormat::Float16};
  return output;
}

struct HandComputed {
  const char* tolerance;
  const char* why;
  MeasuredOutput output;
  bool is_right;
};

std::vector<HandComputed> by_hand() {
  constexpr auto weight = OutputRole::GradWeight;
  MeasuredOutput long_sum = output_of(4, 1);
  long_sum.products = 1'000'000;
  MeasuredOutput wide = output_of(1, 5, weight);
  wide.products = 256;
  return {
      {"benchdnn", "equal", output_of(3, 7), true},
      {"benchdnn", "one ULP is enough", off(output_of(3, 1), 0x1p-23), false},
      {"benchdnn", "zeros of either sign", off(output_of(3, 0), -0.0), true},
      {"benchdnn-winograd", "1.9e-5 of the norm 5", off(output_of(1, 5), 9.5e-5), true},
      {"benchdnn-winograd", "2.1e-5 of the norm 5", off(output_of(1, 5), 10.5e-5), false},
      {"benchdnn-winograd", "four times as much at 256 products: 32^0.4 = 4", off(wide, 38e-5),
       true},
      {"benchdnn-winograd", "and no more", off(wide, 42e-5), false},
      {"miopen", "2.9e-6 / sqrt(4) / 1 = 1.45e-6", one_among_zeros(2.9e-6), true},
      {"miopen", "3.1e-6 / sqrt(4) / 1 = 1.55e-6", one_among_zeros(3.1e-6), false},
      {"miopen", "twice for gradWeight", one_among_zeros(5.9e-6, weight), true},
      {"miopen", "twice for gradWeight", one_among_zeros(6.1e-6, weight), false},
      {"miopen", "a wrong element among 10^12 / 2 would pass; among four it does not",
       one_among_zeros(1), false},
      {"miopen-implicit-gemm", "ten times", one_among_zeros(2.9e-5), true},
      {"miopen-implicit-gemm", "ten times", one_among_zeros(3.1e-5), false},
      {"miopen-implicit-gemm", "0.01 for gradWeight", one_among_zeros(1.9e-2, weight), true},
      {"miopen-implicit-gemm", "0.01 for gradWeight", one_among_zeros(2.1e-2, weight), false},
      {"cann-single-standard", "mean 4.8e-4 / 4 < 2^-13 = 1.22e-4", off(output_of(4, 1), 4.8e-4),
       true},
      {"cann-single-standard", "mean 4.95e-4 / 4", off(output_of(4, 1), 4.95e-4), false},
      {"cann-single-standard", "largest 1.2e-3 < 1.22e-3", off(output_of(100, 1), 1.2e-3), true},
      {"cann-single-standard", "largest 1.3e-3", off(output_of(100, 1), 1.3e-3), false},
      {"cann-single-standard", "a correct zero with one rounding of 1e-6 has MARE 10",
       off(output_of(4, 0), 1e-6), false},
      {"cann-mixed-tolerance", "1 % may be beyond, by up to 0.01", off(output_of(100, 1), 9e-3),
       true},
      {"cann-mixed-tolerance", "by more than 0.01", off(output_of(100, 1), 1.1e-2), false},
      {"cann-mixed-tolerance", "2 %", off(output_of(100, 1), 2e-3, 2), false},
      {"msprobe-one-per-mille", "one of 2000", off(output_of(2000, 1), 0.5), true},
      {"msprobe-one-per-mille", "one of 1000", off(output_of(1000, 1), 0.5), false},
      {"pytorch-assert-close", "1e-5 + 1.3e-6 * 100", off(output_of(2, 100), 1.3e-4), true},
      {"pytorch-assert-close", "1e-5 + 1.3e-6 * 100", off(output_of(2, 100), 1.5e-4), false},
      {"pytorch-gradcheck", "1e-5 + 1e-3 * 100", off(output_of(2, 100), 0.09), true},
      {"pytorch-gradcheck", "1e-5 + 1e-3 * 100", off(output_of(2, 100), 0.11), false},
      {"hipdnn", "8 * 2^-23 * 4 * 2 * 3 = 2.29e-5", off(output_of(2, 1), 2.2e-5), true},
      {"hipdnn", "8 * 2^-23 * 4 * 2 * 3 = 2.29e-5", off(output_of(2, 1), 2.4e-5), false},
      {"hipdnn", "and 2^-10 * 4 * 2 * 3 = 2.34e-2 for a cast to FLOAT16",
       off(cast_to_half(output_of(2, 1)), 2.3e-2), true},
      {"hipdnn", "and no more", off(cast_to_half(output_of(2, 1)), 2.5e-2), false},
      {"hipdnn", "6 sqrt(2e6) 2^-23 * 1e6 * 2 * 3 = 6069", off(long_sum, 6000), true},
      {"hipdnn", "6 sqrt(2e6) 2^-23 * 1e6 * 2 * 3 = 6069", off(long_sum, 6200), false},
      {"allclose-1e-3", "1e-3 + 1e-3 * 1", off(output_of(2, 1), 1.9e-3), true},
      {"allclose-1e-3", "1e-3 + 1e-3 * 1", off(output_of(2, 1), 2.1e-3), false},
  };
}

TEST(PublishedTolerance, JudgesAsWorkedOutByHand) {
  std::set<std::string_view> accepting, rejecting;
  for (const HandComputed& row : by_hand()) {
    const PublishedTolerance* tolerance = tolerance_named(row.tolerance);
    ASSERT_NE(tolerance, nullptr) << row.tolerance;
    const Opinion opinion = opinion_of(*tolerance, row.output);
    EXPECT_EQ(opinion, row.is_right ? Opinion::Accepts : Opinion::Rejects)
        << row.tolerance << ": " << row.why;
    (row.is_right ? accepting : rejecting).insert(row.tolerance);
  }
  for (const PublishedTolerance& tolerance : published_tolerances()) {
    EXPECT_TRUE(accepting.contains(tolerance.name)) << tolerance.name;
    EXPECT_TRUE(rejecting.contains(tolerance.name)) << tolerance.name;
  }
}

TEST(PublishedTolerance, NeverTakesNanOrInfinityForANumber) {
  for (const PublishedTolerance& tolerance : published_tolerances()) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), -HUGE_VAL}) {
      MeasuredOutput output = output_of(5000, 1);
      output.computed[17] = float_number(bad);
      // One of 5000 is few enough for this one.
      if (tolerance.accepts == tolerance_named("msprobe-one-per-mille")->accepts) {
        output = output_of(500, 1);
        output.computed[17] = float_number(bad);
      }
      EXPECT_EQ(opinion_of(tolerance, output), Opinion::Rejects) << tolerance.name << ' ' << bad;
    }
  }
}

TEST(PublishedTolerance, NeverTakesNanForZero) {
  MeasuredOutput output = output_of(3, 0);
  for (auto& number : output.computed) number = float_number(std::nan(""));
  for (const PublishedTolerance& tolerance : published_tolerances()) {
    EXPECT_EQ(opinion_of(tolerance, output), Opinion::Rejects) << tolerance.name;
  }
}

TEST(PublishedTolerance, ComparesInfinitiesOnlyWhereItsReferenceCanHaveThem) {
  MeasuredOutput output = output_of(2, 1);
  output.exact[0] = 1e39;
  output.expected[0] = float_number(HUGE_VAL);
  output.computed[0] = float_number(HUGE_VAL);
  for (const PublishedTolerance& tolerance : published_tolerances()) {
    EXPECT_EQ(opinion_of(tolerance, output), Opinion::Accepts) << tolerance.name;
  }
  output.computed[0] = float_number(3e38);
  EXPECT_EQ(opinion_of(*tolerance_named("pytorch-assert-close"), output), Opinion::Rejects);
  EXPECT_EQ(opinion_of(*tolerance_named("hipdnn"), output), Opinion::Accepts);
}

TEST(PublishedTolerance, AbstainsFromFormatsWithoutAPublishedThreshold) {
  MeasuredOutput half = output_of(2, 1);
  half.arithmetic.output = NumberFormat::Float16;
  half.arithmetic.roundings = {NumberFormat::Float16};
  EXPECT_EQ(opinion_of(*tolerance_named("pytorch-gradcheck"), half), Opinion::Abstains);
  EXPECT_EQ(opinion_of(*tolerance_named("pytorch-assert-close"), half), Opinion::Accepts);
  MeasuredOutput narrow = output_of(2, 1);
  narrow.arithmetic.operands = NumberFormat::Hf32Wide;
  EXPECT_EQ(opinion_of(*tolerance_named("miopen"), narrow), Opinion::Abstains);
  EXPECT_EQ(opinion_of(*tolerance_named("hipdnn"), narrow), Opinion::Accepts);
}

TEST(PublishedTolerance, HasANameOfItsOwnAndASource) {
  std::set<std::string_view> names;
  for (const PublishedTolerance& tolerance : published_tolerances()) {
    EXPECT_TRUE(names.insert(tolerance.name).second) << tolerance.name;
    EXPECT_FALSE(tolerance.source.empty() || tolerance.compares.empty()) << tolerance.name;
  }
  EXPECT_GE(names.size(), 8U);
}

TEST(PublishedTolerance, RejectsCorrectResultsOfStoredCases) {
  targets::furnish_simulated_machine();
  const auto library = targets::LoadedLibrary::load(targets::simulated_libraries());
  if (!library) GTEST_SKIP() << "the simulated backend was not built";
  const auto target = (*library)->new_target();
  std::ifstream stream(GRADPROOF_SOURCES
                       "/tests/properties/tolerance/rejected_though_correct.jsonl");
  std::size_t rejected = 0;
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::ordered_json::parse(line);
    const std::string name = json["tolerance"];
    const auto read = corpus::parse_case(json["case"].dump());
    ASSERT_TRUE(read) << name;
    const corpus::Observation seen = target->run_case(*read);
    EXPECT_EQ(cases::judged({*read, oracle::Profile::Documented}, seen, {}).outcome,
              corpus::Outcome::Agree)
        << name;
    const auto outputs = measured_outputs(*read, seen);
    EXPECT_TRUE(std::ranges::any_of(outputs,
                                    [&](const MeasuredOutput& output) {
                                      return opinion_of(*tolerance_named(name), output) ==
                                             Opinion::Rejects;
                                    }))
        << name << ": " << json["why"];
    ++rejected;
  }
  EXPECT_GE(rejected, 4U);
}

}  // namespace
}  // namespace gradproof::advice
