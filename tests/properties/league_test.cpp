#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/judge.h"
#include "properties/check.h"
#include "properties/faults/child_process.h"
#include "properties/generators/random_case.h"
#include "properties/league/league_table.h"
#include "properties/league/other_orders.h"
#include "properties/report/report.h"
#include "properties/target/run_case.h"

namespace gradproof::properties {
namespace {

namespace fs = std::filesystem;
using corpus::OutputRole;
using oracle::Number;
using oracle::NumberFormat;
using testing::HasSubstr;

// Every rival, held to verdicts worked out by hand.

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

struct HandComputed {
  const char* rival;
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
      {"hipdnn", "6 sqrt(2e6) 2^-23 * 1e6 * 2 * 3 = 6069", off(long_sum, 6000), true},
      {"hipdnn", "6 sqrt(2e6) 2^-23 * 1e6 * 2 * 3 = 6069", off(long_sum, 6200), false},
      {"allclose-1e-3", "1e-3 + 1e-3 * 1", off(output_of(2, 1), 1.9e-3), true},
      {"allclose-1e-3", "1e-3 + 1e-3 * 1", off(output_of(2, 1), 2.1e-3), false},
  };
}

TEST(Rival, JudgesAsWorkedOutByHand) {
  std::set<std::string_view> accepting, rejecting;
  for (const HandComputed& row : by_hand()) {
    const Rival* rival = rival_named(row.rival);
    ASSERT_NE(rival, nullptr) << row.rival;
    const Opinion opinion = opinion_of(*rival, row.output);
    EXPECT_EQ(opinion, row.is_right ? Opinion::Accepts : Opinion::Rejects)
        << row.rival << ": " << row.why;
    (row.is_right ? accepting : rejecting).insert(row.rival);
  }
  for (const Rival& rival : all_rivals()) {
    EXPECT_TRUE(accepting.contains(rival.name)) << rival.name;
    EXPECT_TRUE(rejecting.contains(rival.name)) << rival.name;
  }
}

TEST(Rival, NeverTakesNanOrInfinityForANumber) {
  for (const Rival& rival : all_rivals()) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), -HUGE_VAL}) {
      MeasuredOutput output = output_of(5000, 1);
      output.computed[17] = float_number(bad);
      // One of 5000 is few enough for this one.
      if (rival.accepts == rival_named("msprobe-one-per-mille")->accepts) {
        output = output_of(500, 1);
        output.computed[17] = float_number(bad);
      }
      EXPECT_EQ(opinion_of(rival, output), Opinion::Rejects) << rival.name << ' ' << bad;
    }
  }
}

TEST(Rival, AbstainsFromFormatsWithoutAPublishedThreshold) {
  MeasuredOutput half = output_of(2, 1);
  half.arithmetic.output = NumberFormat::Float16;
  half.arithmetic.roundings = {NumberFormat::Float16};
  EXPECT_EQ(opinion_of(*rival_named("pytorch-gradcheck"), half), Opinion::Abstains);
  EXPECT_EQ(opinion_of(*rival_named("pytorch-assert-close"), half), Opinion::Accepts);
  MeasuredOutput narrow = output_of(2, 1);
  narrow.arithmetic.operands = NumberFormat::Hf32Wide;
  EXPECT_EQ(opinion_of(*rival_named("miopen"), narrow), Opinion::Abstains);
  EXPECT_EQ(opinion_of(*rival_named("hipdnn"), narrow), Opinion::Accepts);
}

TEST(Rival, HasANameOfItsOwnAndASource) {
  std::set<std::string_view> names;
  for (const Rival& rival : all_rivals()) {
    EXPECT_TRUE(names.insert(rival.name).second) << rival.name;
    EXPECT_FALSE(rival.source.empty() || rival.compares.empty()) << rival.name;
    EXPECT_EQ(rival_named(rival.name), &rival);
  }
  EXPECT_GE(names.size(), 8U);
  EXPECT_EQ(rival_named("nobody"), nullptr);
}

// Fills.

corpus::Case legal_case(std::uint64_t& index) {
  static const CaseSource source = [] {
    Selection selection;
    selection.max_macs = 20'000;
    return *CaseSource::of(selection);
  }();
  while (true) {
    corpus::Case problem = source(5, index++);
    if (is_legal(problem)) return problem;
  }
}

TEST(Fills, StandInTheOrderOfTheirNames) {
  for (std::size_t i = 0; i < fill_rows().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(fill_rows()[i].fill), i);
  }
}

TEST(Fills, OfSmallIntegersAreBenchdnnsWithZerosAmongThem) {
  std::uint64_t index = 0;
  std::size_t tensors = 0;
  while (tensors < 5) {
    const corpus::Case problem = legal_case(index);
    if (problem.input->dtype != corpus::DataType::Float || problem.cube_math_type != 0) continue;
    const auto filled = with_fill(problem, Fill::SmallIntegers, 3);
    ASSERT_TRUE(filled) << filled.error();
    const auto bytes = corpus::element_values(*filled, corpus::InputRole::Input);
    if (bytes.size() < 4 * 200) continue;
    ++tensors;
    std::vector<float> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    EXPECT_TRUE(std::ranges::all_of(
        values, [](float v) { return v == std::nearbyint(v) && std::fabs(v) <= 32; }));
    EXPECT_GT(std::ranges::max(values), 25);
    const auto zeros = static_cast<double>(std::ranges::count(values, 0.0F));
    EXPECT_LT(zeros / static_cast<double>(values.size()), 0.1);
  }
}

// Correct kernels that add in another order, on the simulated backend.

std::shared_ptr<const Library> kernel_with(const std::string& fault) {
  IsolationSettings settings;
  settings.environment = {{"GRADPROOF_FAULT", fault}};
  const auto libraries = libraries_with_faults();
  if (!libraries) throw std::runtime_error(libraries.error());
  auto library = Library::load_isolated(*libraries, settings);
  if (!library) throw std::runtime_error(library.error());
  return *library;
}

TEST(OtherOrders, AreBitForBitTheKernelsOnTheExactGrid) {
  Target target(kernel_with(""));
  std::uint64_t index = 0;
  std::size_t compared = 0;
  for (int i = 0; i < 150; ++i) {
    const auto filled = with_fill(legal_case(index), Fill::ExactGrid, 11);
    if (!filled) continue;
    const corpus::Observation seen = run_case(target, *filled);
    ASSERT_TRUE(ran_well(seen));
    for (const SummationOrder order : summation_orders()) {
      const auto other = in_other_order(*filled, seen, order);
      if (!other) continue;
      ++compared;
      // Zeros may differ in their sign.
      const corpus::Verdict verdict = judged(*filled, *other, {});
      EXPECT_NE(verdict.outcome, corpus::Outcome::Disagree)
          << name_of(order) << ": " << verdict.reason << '\n'
          << corpus::to_json_line(*filled);
    }
  }
  EXPECT_GT(compared, 500U);
}

TEST(OtherOrders, DifferOnRealDataAndAreRightForGradproof) {
  Target target(kernel_with(""));
  std::uint64_t index = 1000;
  std::set<SummationOrder> different;
  for (int i = 0; i < 100; ++i) {
    const auto filled = with_fill(legal_case(index), Fill::MinusOneToOne, 11);
    ASSERT_TRUE(filled) << filled.error();
    const corpus::Observation seen = run_case(target, *filled);
    for (const SummationOrder order : summation_orders()) {
      const auto other = in_other_order(*filled, seen, order);
      if (!other) continue;
      if (digest_of(*filled, seen) != digest_of(*filled, *other)) different.insert(order);
      const corpus::Verdict verdict = judged(*filled, *other, {});
      EXPECT_NE(verdict.outcome, corpus::Outcome::Disagree)
          << name_of(order) << ": " << verdict.reason;
    }
  }
  EXPECT_GE(different.size(), 4U);
}

TEST(Digest, TellsEveryDifferenceAndWhoseTradeItIs) {
  std::uint64_t index = 0;
  corpus::Case problem = legal_case(index);
  problem.output_mask = std::vector<bool>{true, false, false};
  corpus::Observation seen;
  seen.phase_one = corpus::Status::Success;
  for (auto& output : seen.outputs) output.bits.resize(8);
  const Digest first = digest_of(problem, seen);
  EXPECT_EQ(digest_of(problem, seen), first);

  const auto with = [&](auto change) {
    corpus::Observation other = seen;
    change(other);
    return digest_of(problem, other);
  };
  const auto touches_values = [&](const Digest& digest) { return digest.values != first.values; };
  EXPECT_TRUE(touches_values(with([](auto& o) { o.outputs[0].bits[3] = std::byte{1}; })));
  EXPECT_TRUE(touches_values(with([](auto& o) { o.phase_two = corpus::Status::InnerNullptr; })));
  EXPECT_TRUE(touches_values(with([](auto& o) { o.signal = 11; })));
  EXPECT_TRUE(touches_values(with([](auto& o) { o.ended = "exit(0)"; })));
  const Digest digests[] = {
      with([](auto& o) { o.outputs[1].bits[3] = std::byte{1}; }),
      with([](auto& o) { o.outputs[0].overwritten_byte = 0; }),
      with([](auto& o) { o.input_changed_byte[2] = 5; }),
      with([](auto& o) { o.workspace_size = 5; }),
      with([](auto& o) { o.workspace_overwritten_byte = 5; }),
      with([](auto& o) { o.repeat_differs[0] = true; }),
      with([](auto& o) { o.out_parameters_untouched = true; }),
  };
  for (const Digest& digest : digests) {
    EXPECT_FALSE(touches_values(digest));
    EXPECT_NE(digest, first);
  }
  EXPECT_EQ(with([](auto& o) { o.milliseconds = 5; }), first);
}

}  // namespace
}  // namespace gradproof::properties
