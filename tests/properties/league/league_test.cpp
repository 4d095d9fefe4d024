#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/judge/judge.h"
#include "properties/check/check.h"
#include "properties/faults/seeded_faults.h"
#include "properties/generators/random_case.h"
#include "properties/isolation/isolated_library.h"
#include "properties/league/digest.h"
#include "properties/league/fill.h"
#include "properties/league/other_orders.h"
#include "properties/league/panel.h"
#include "properties/target/target.h"

namespace gradproof::properties {
namespace {

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
  auto library = IsolatedLibrary::load(*libraries, settings);
  if (!library) throw std::runtime_error(library.error());
  return *library;
}

TEST(OtherOrders, AreBitForBitTheKernelsOnTheExactGrid) {
  const auto target = kernel_with("")->new_target();
  std::uint64_t index = 0;
  std::size_t compared = 0;
  for (int i = 0; i < 150; ++i) {
    const auto filled = with_fill(legal_case(index), Fill::ExactGrid, 11);
    if (!filled) continue;
    const corpus::Observation seen = target->run_case(*filled);
    ASSERT_TRUE(ran_well(seen));
    for (const SummationOrder order : summation_orders()) {
      const auto other = in_other_order(*filled, seen, order);
      if (!other) continue;
      ++compared;
      // Zeros may differ in their sign.
      const corpus::Verdict verdict = judged({*filled, oracle::Profile::Documented}, *other, {});
      EXPECT_NE(verdict.outcome, corpus::Outcome::Disagree)
          << name_of(order) << ": " << verdict.reason << '\n'
          << corpus::to_json_line(*filled);
    }
  }
  EXPECT_GT(compared, 500U);
}

TEST(OtherOrders, DifferOnRealDataAndAreRightForGradproof) {
  const auto target = kernel_with("")->new_target();
  std::uint64_t index = 1000;
  std::set<SummationOrder> different;
  for (int i = 0; i < 100; ++i) {
    const auto filled = with_fill(legal_case(index), Fill::MinusOneToOne, 11);
    ASSERT_TRUE(filled) << filled.error();
    const corpus::Observation seen = target->run_case(*filled);
    for (const SummationOrder order : summation_orders()) {
      const auto other = in_other_order(*filled, seen, order);
      if (!other) continue;
      if (digest_of(*filled, seen) != digest_of(*filled, *other)) different.insert(order);
      const corpus::Verdict verdict = judged({*filled, oracle::Profile::Documented}, *other, {});
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
  std::size_t by_gradproof = 0, by_baseline = 0;
};

Missed tried(const std::string& fault, const char* baseline, Fill fill, corpus::DataType dtype) {
  const auto clean = kernel_with("")->new_target();
  const auto faulty = kernel_with(fault)->new_target();
  const Panel panel({baseline_named(baseline)});
  Missed missed;
  std::uint64_t index = 0;
  for (int i = 0; i < 400; ++i) {
    const corpus::Case problem = legal_case(index);
    if (problem.input->dtype != dtype || problem.cube_math_type != 0) continue;
    const auto filled = with_fill(problem, fill, 21);
    if (!filled) continue;
    ++missed.cases;
    const corpus::Observation seen = faulty->run_case(*filled);
    const bool differs =
        digest_of(*filled, seen).values != digest_of(*filled, clean->run_case(*filled)).values;
    const auto opinions = panel(*filled, fill, seen);
    missed.different += differs ? 1 : 0;
    missed.by_gradproof += opinions[Panel::gradproof] == Opinion::Rejects ? 1 : 0;
    missed.by_baseline += opinions[1] == Opinion::Rejects ? 1 : 0;
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
  EXPECT_EQ(truncated.by_baseline, 0U) << "1.6e-2 is four ULP and more";
}

/// A line of league_false_alarms.jsonl.
struct StoredAlarm {
  std::string baseline, why;
  corpus::Case problem;
};

std::vector<StoredAlarm> stored_alarms() {
  std::ifstream stream(GRADPROOF_SOURCES "/tests/properties/league/league_false_alarms.jsonl");
  std::vector<StoredAlarm> alarms;
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::ordered_json::parse(line);
    const auto problem = corpus::parse_case(json["case"].dump());
    if (!problem) throw std::runtime_error(problem.error().problem);
    alarms.push_back({json["baseline"], json["why"], *problem});
  }
  return alarms;
}

TEST(League, BaselinesRejectCorrectResultsOfStoredCases) {
  const auto target = kernel_with("")->new_target();
  const auto alarms = stored_alarms();
  EXPECT_GE(alarms.size(), 4U);
  for (const StoredAlarm& alarm : alarms) {
    const Baseline* baseline = baseline_named(alarm.baseline);
    ASSERT_NE(baseline, nullptr) << alarm.baseline;
    const Panel panel({baseline});
    const auto opinions = panel(alarm.problem, baseline->fill, target->run_case(alarm.problem));
    EXPECT_EQ(opinions[Panel::gradproof], Opinion::Accepts) << alarm.baseline;
    EXPECT_EQ(opinions[1], Opinion::Rejects) << alarm.baseline << ": " << alarm.why;
  }
}

TEST(Panel, HoldsCallsThatFailAgainstTheKernelButNotIllegalOnes) {
  const Panel panel({baseline_named("benchdnn")});
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

}  // namespace
}  // namespace gradproof::properties
