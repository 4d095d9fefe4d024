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
#include <stdexcept>

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
#include "tests/properties/schema_check.h"

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

MeasuredOutput cast_to_half(MeasuredOutput output) {
  output.arithmetic.roundings = {NumberFormat::Float16};
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
      {"hipdnn", "and 2^-10 * 4 * 2 * 3 = 2.34e-2 for a cast to FLOAT16",
       off(cast_to_half(output_of(2, 1)), 2.3e-2), true},
      {"hipdnn", "and no more", off(cast_to_half(output_of(2, 1)), 2.5e-2), false},
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

TEST(Rival, NeverTakesNanForZero) {
  MeasuredOutput output = output_of(3, 0);
  for (auto& number : output.computed) number = float_number(std::nan(""));
  for (const Rival& rival : all_rivals()) {
    EXPECT_EQ(opinion_of(rival, output), Opinion::Rejects) << rival.name;
  }
}

TEST(Rival, ComparesInfinitiesOnlyWhereItsReferenceCanHaveThem) {
  MeasuredOutput output = output_of(2, 1);
  output.exact[0] = 1e39;
  output.expected[0] = float_number(HUGE_VAL);
  output.computed[0] = float_number(HUGE_VAL);
  for (const Rival& rival : all_rivals()) {
    EXPECT_EQ(opinion_of(rival, output), Opinion::Accepts) << rival.name;
  }
  output.computed[0] = float_number(3e38);
  EXPECT_EQ(opinion_of(*rival_named("pytorch-assert-close"), output), Opinion::Rejects);
  EXPECT_EQ(opinion_of(*rival_named("hipdnn"), output), Opinion::Accepts);
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

// Faults that are found here and missed there, and why; false alarms, and why.

/// What the panel says of a fault in legal FLOAT calls under one fill.
struct Missed {
  std::size_t cases = 0, different = 0;  ///< with other bits than without the fault
  std::size_t by_gradproof = 0, by_rival = 0;
};

Missed tried(const std::string& fault, const char* rival, Fill fill, corpus::DataType dtype) {
  Target clean(kernel_with("")), faulty(kernel_with(fault));
  const Panel panel({rival_named(rival)});
  Missed missed;
  std::uint64_t index = 0;
  for (int i = 0; i < 400; ++i) {
    const corpus::Case problem = legal_case(index);
    if (problem.input->dtype != dtype || problem.cube_math_type != 0) continue;
    const auto filled = with_fill(problem, fill, 21);
    if (!filled) continue;
    ++missed.cases;
    const corpus::Observation seen = run_case(faulty, *filled);
    const bool differs =
        digest_of(*filled, seen).values != digest_of(*filled, run_case(clean, *filled)).values;
    const auto opinions = panel(*filled, fill, seen);
    missed.different += differs ? 1 : 0;
    missed.by_gradproof += opinions[Panel::gradproof] == Opinion::Rejects ? 1 : 0;
    missed.by_rival += opinions[1] == Opinion::Rejects ? 1 : 0;
  }
  return missed;
}

TEST(League, SmallIntegersHaveNoBitsThatAnHf32OperandCouldLose) {
  constexpr auto dtype = corpus::DataType::Float;
  const Missed integers = tried("hf32_for_float", "benchdnn", Fill::SmallIntegers, dtype);
  EXPECT_GT(integers.cases, 20U);
  EXPECT_EQ(integers.different, 0U) << "the kernel with the fault does not err on such data";
  const Missed sparse = tried("hf32_for_float", "benchdnn", Fill::SparseFullMantissa, dtype);
  EXPECT_GT(sparse.by_gradproof, 10U);
}

TEST(League, AToleranceOfSeveralUlpsHidesARoundingInTheWrongDirection) {
  const Missed truncated = tried("bfloat16_truncated", "pytorch-assert-close",
                                 Fill::MinusNineToNine, corpus::DataType::BFloat16);
  EXPECT_GT(truncated.different, 20U);
  EXPECT_GT(truncated.by_gradproof, 20U) << "one ULP is one too many";
  EXPECT_EQ(truncated.by_rival, 0U) << "1.6e-2 is four ULP and more";
}

/// A line of league_false_alarms.jsonl.
struct StoredAlarm {
  std::string rival, why;
  corpus::Case problem;
};

std::vector<StoredAlarm> stored_alarms() {
  std::ifstream stream(GRADPROOF_SOURCES "/tests/properties/league_false_alarms.jsonl");
  std::vector<StoredAlarm> alarms;
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::ordered_json::parse(line);
    const auto problem = corpus::parse_case(json["case"].dump());
    if (!problem) throw std::runtime_error(problem.error().problem);
    alarms.push_back({json["rival"], json["why"], *problem});
  }
  return alarms;
}

TEST(League, RivalsRejectCorrectResultsOfStoredCases) {
  Target target(kernel_with(""));
  const auto alarms = stored_alarms();
  EXPECT_GE(alarms.size(), 4U);
  for (const StoredAlarm& alarm : alarms) {
    const Rival* rival = rival_named(alarm.rival);
    ASSERT_NE(rival, nullptr) << alarm.rival;
    const Panel panel({rival});
    const auto opinions = panel(alarm.problem, rival->fill, run_case(target, alarm.problem));
    EXPECT_EQ(opinions[Panel::gradproof], Opinion::Accepts) << alarm.rival;
    EXPECT_EQ(opinions[1], Opinion::Rejects) << alarm.rival << ": " << alarm.why;
  }
}

TEST(Panel, HoldsCallsThatFailAgainstTheKernelAndIllegalOnesAgainstNobody) {
  const Panel panel({rival_named("benchdnn")});
  std::uint64_t index = 0;
  const auto filled = with_fill(legal_case(index), Fill::SmallIntegers, 1);
  corpus::Observation crashed;
  crashed.signal = 11;
  EXPECT_THAT(panel(*filled, Fill::SmallIntegers, crashed), testing::Each(Opinion::Rejects));
  corpus::Observation refused;
  refused.phase_one = corpus::Status::ParamInvalid;
  EXPECT_EQ(panel(*filled, Fill::SmallIntegers, refused)[1], Opinion::Rejects);
  EXPECT_EQ(panel(*filled, std::nullopt, refused)[1], Opinion::Abstains);
  EXPECT_EQ(panel(*filled, Fill::Edges, refused)[1], Opinion::Abstains);
  corpus::Observation lacking;
  lacking.unsupported = "no such device";
  EXPECT_THAT(panel(*filled, Fill::SmallIntegers, lacking), testing::Each(Opinion::Abstains));
}

// The table, of a league made up: two rivals, four faults.

constexpr auto integers = static_cast<std::size_t>(Fill::SmallIntegers);
constexpr auto hundredth = static_cast<std::size_t>(Fill::ZeroToHundredth);
constexpr auto grid = static_cast<std::size_t>(Fill::ExactGrid);
constexpr auto sparse = static_cast<std::size_t>(Fill::SparseFullMantissa);

Contest contest_of(const Panel& panel, const std::string& name, bool reaches_values) {
  Contest contest;
  contest.fault = {name, "stride", "a.cpp"};
  contest.cases = 90;
  contest.reaches_values = reaches_values;
  contest.found.assign(panel.size(), std::vector<FoundAt>(fill_rows().size()));
  return contest;
}

League made_up(const Panel& panel) {
  League league{panel, {}, {}, 7, 1};
  league.course.cases = 90;
  league.course.legal_cases = 60;
  league.course.records.assign(panel.size(), std::vector<CleanRecord>(fill_rows().size()));
  for (auto& record : league.course.records[2]) record.kernel = {50, 3};
  league.course.records[2][hundredth].other_orders = {40, 1};
  std::uint64_t index = 0;
  league.course.records[2][hundredth].alarm = FalseAlarm{legal_case(index), "fused", 5};
  Contest everybody = contest_of(panel, "everybody_s", true);
  everybody.found[0][grid] = 20;
  everybody.found[0][sparse] = 10;
  everybody.found[1][integers] = 12;
  everybody.found[2][hundredth] = 14;
  Contest ours = contest_of(panel, "ours_alone", true);
  ours.found[0][sparse] = 50;
  ours.found[1][sparse] = 4;  // benchdnn's verdict, but not its data
  Contest status = contest_of(panel, "a_status", false);
  status.found_without_data = 3;
  league.contests = {everybody, ours, status, contest_of(panel, "hidden", false)};
  return league;
}

const Panel& two_rivals() {
  static const Panel panel({rival_named("benchdnn"), rival_named("miopen")});
  return panel;
}

TEST(LeagueTable, CountsWhatIsEachOnesTrade) {
  const League league = made_up(two_rivals());
  const Standing ours = standing_of(league, Panel::gradproof);
  EXPECT_EQ(ours.found, 2U);
  EXPECT_EQ(ours.missed, 0U);
  EXPECT_EQ(ours.found_in_a_third, 1U) << "10 <= 90 / 3 < 50";
  EXPECT_EQ(ours.median_cases, 30);
  const Standing benchdnn = standing_of(league, 1);
  EXPECT_EQ(benchdnn.found, 1U);
  EXPECT_EQ(benchdnn.missed, 1U) << "status and hidden faults are not held against it";
  EXPECT_EQ(benchdnn.found_on_our_data, 1U);
  const Standing miopen = standing_of(league, 2);
  EXPECT_EQ(miopen.kernel.judged, 50U) << "under its own fill alone";
  EXPECT_EQ(miopen.kernel.rejected, 3U);
  EXPECT_EQ(miopen.other_orders.rejected, 1U);
  EXPECT_EQ(league_last_line(league),
            "league: 4 planted, 2 reach values; gradproof found 2 with 0 false alarms, the best "
            "rival 1; 1 are no rival's trade, 1 not met");
  EXPECT_FALSE(is_lost(league));
}

TEST(LeagueTable, IsLostByAFalseAlarmOrAFaultThatARivalFinds) {
  League alarmed = made_up(two_rivals());
  alarmed.course.records[0][sparse].other_orders = {1, 1};
  EXPECT_TRUE(is_lost(alarmed));
  League beaten = made_up(two_rivals());
  beaten.contests[1].found[0][sparse].reset();
  EXPECT_FALSE(is_lost(beaten)) << "nobody else found it on data of its own";
  beaten.contests[1].found[1][integers] = 80;
  EXPECT_TRUE(is_lost(beaten));
}

TEST(LeagueTable, StandsInEveryReportAsTheSchemaSays) {
  const std::string text = league_as_json(made_up(two_rivals()));
  const auto tables = league_report_tables(text);
  ASSERT_TRUE(tables) << tables.error();
  ASSERT_EQ(tables->size(), 3U);
  const ReportTable& league = tables->front();
  ASSERT_EQ(league.rows.size(), 3U);
  EXPECT_EQ(league.rows[0].cells[0], "gradproof");
  EXPECT_EQ(league.rows[1].cells[0], "benchdnn") << "as many found as miopen, no false alarms";
  EXPECT_THAT(league.rows[2].cells, testing::Contains("3 of 50"));
  EXPECT_TRUE(league.rows[2].is_bad);
  EXPECT_THAT(league.lead.front(), HasSubstr("1 show only elsewhere"));
  const ReportTable& by_fill = tables->at(1);
  EXPECT_THAT(by_fill.rows[2].cells, testing::Contains("[1 / 4]")) << "its own data in brackets";
  const ReportTable& by_fault = tables->at(2);
  EXPECT_EQ(by_fault.rows[0].cells,
            (std::vector<std::string>{"everybody_s", "stride", "values", "10", "12", "14"}));
  EXPECT_TRUE(by_fault.rows[3].is_bad) << "not found by Gradproof";

  ReportHead head;
  head.command = "report";
  const Report report = report_of(head, {}, {}, *tables);
  EXPECT_THAT(html_report(report), HasSubstr("<h1>League of verdicts</h1>"));
  EXPECT_THAT(html_report(report), HasSubstr("Who found which fault"));
  EXPECT_THAT(markdown_report(report), HasSubstr("| **miopen** | 1 | 1 | 0 | 3 of 50 | 1 of 40 |"));
  std::ifstream stream(GRADPROOF_SOURCES "/docs/report.schema.json");
  const SchemaCheck check(nlohmann::json::parse(stream));
  nlohmann::json instance = nlohmann::json::parse(json_report(report));
  EXPECT_EQ(check(instance), "");
  EXPECT_EQ(instance["league"]["contestants"][2]["falseAlarm"]["kernel"], "fused");
  instance["league"]["contestants"][0].erase("found");
  EXPECT_NE(check(instance), "");
}

TEST(LeagueTable, RefusesWhatIsNoneWithAReason) {
  for (const char* text : {"", "[]", "{}", "{\"planted\": \"many\"}"}) {
    const auto tables = league_report_tables(text);
    ASSERT_FALSE(tables) << text;
    EXPECT_THAT(tables.error(), HasSubstr("not a league of verdicts"));
  }
}

// `gradproof league` itself, in a folder of its own.

class LeagueCommand : public testing::Test {
 protected:
  LeagueCommand() {
    std::string pattern = (fs::temp_directory_path() / "gradproof-league-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LeagueCommand() override { fs::remove_all(folder_); }

  ProcessEnd gradproof(std::vector<std::string> words) const {
    words.insert(words.begin(), GRADPROOF_PROGRAM);
    return run_process(words, {}, std::chrono::minutes(2));
  }
  ProcessEnd league(std::vector<std::string> options) const {
    options.insert(options.begin(), {"league", "--seed", "7", "--out", folder_.string()});
    return gradproof(options);
  }
  nlohmann::json table() const {
    std::ifstream stream(folder_ / "league" / "league.json");
    return nlohmann::json::parse(stream, nullptr, false);
  }

  fs::path folder_;
};

TEST_F(LeagueCommand, SaysWhoFindsWhatWhateverTheNumberOfWorkers) {
  const std::vector<std::string> options{
      "--fault",          "hf32_for_float,dilation_for_stride_in_w,rule_stride_01_missing",
      "--cases",          "150",
      "--only",           "benchdnn,hipdnn",
      "--time-per-fault", "60s",
      "--jobs",           "1"};
  const ProcessEnd end = league(options);
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("3 planted, 2 reach values; gradproof found 2 with 0"));
  nlohmann::json first = table();
  ASSERT_TRUE(first.is_object());
  ASSERT_EQ(first["contestants"].size(), 3U);
  const auto& hf32 = first["faults"][0]["foundAt"];
  EXPECT_TRUE(hf32.contains("gradproof"));
  EXPECT_FALSE(hf32.contains("benchdnn"));
  EXPECT_EQ(first["faults"][2]["class"], "other");
  auto parallel = options;
  parallel.back() = "3";
  EXPECT_EQ(league(parallel).exit_code, 0);
  nlohmann::json second = table();
  for (auto* json : {&first, &second}) {
    for (auto& fault : (*json)["faults"]) fault.erase("seconds");
  }
  EXPECT_EQ(first, second);

  const std::string page = (folder_ / "page.html").string();
  EXPECT_EQ(gradproof({"report", folder_.string(), "--html", page}).exit_code, 0);
  std::ifstream stream(page);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(stream), {}),
              HasSubstr("League of verdicts"));
}

TEST_F(LeagueCommand, HoldsAFaultInThePlainLoopsAgainstThePlainLoops) {
  // No call of this course meets the fault; but cores and loops add in different orders.
  const ProcessEnd end = league({"--fault", "tap_d_from_h_in_dw", "--cases", "600", "--only",
                                 "benchdnn", "--time-per-fault", "60s"});
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("1 planted, 0 reach values"));
}

TEST_F(LeagueCommand, RefusesWhatItDoesNotKnow) {
  const ProcessEnd rival = league({"--only", "benchdnn,somebody"});
  EXPECT_EQ(rival.exit_code, 2);
  EXPECT_THAT(rival.last_output, HasSubstr("\"somebody\" is no rival; there are benchdnn"));
  const ProcessEnd fault = league({"--fault", "gremlins"});
  EXPECT_EQ(fault.exit_code, 2);
  EXPECT_THAT(fault.last_output, HasSubstr("\"gremlins\" is no planted fault"));
  EXPECT_EQ(league({"--time-per-fault", "soon"}).exit_code, 2);
}

}  // namespace
}  // namespace gradproof::properties
