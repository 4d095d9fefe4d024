// The model of call orders and the rules of tilings, which fuzz_ascendc takes as its reference for
// the simulated core and the tiling classes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "corpus/random_source.h"
#include "fuzz/ascendc/ascendc_call_model.h"
#include "fuzz/ascendc/ascendc_problem.h"
#include "fuzz/ascendc/ascendc_program.h"
#include "fuzz/ascendc/ascendc_tiling.h"
#include "fuzz/records/case_from_bytes.h"
#include "fuzz/records/same_fields.h"

namespace gradproof::fuzz {
namespace {

using Call = AscendcStep::Call;
using Verdict = AscendcCallModel::Verdict;

/// The model's word on the last of some calls, all but it legal.
Verdict last_of(std::initializer_list<AscendcStep> steps) {
  AscendcCallModel model({2, 2});
  Verdict verdict = Verdict::Legal;
  for (const AscendcStep& step : steps) {
    EXPECT_EQ(verdict, Verdict::Legal);
    verdict = model.next(step);
  }
  return verdict;
}

TEST(AscendcCallModel, KnowsEachMisuseOfThePublishedOrder) {
  const AscendcStep init{Call::Init}, shape{Call::SetSingleShape}, position{Call::SetStartPosition},
      dy{Call::SetGradOutput}, weight{Call::SetWeight}, iterate{Call::Iterate},
      get{Call::GetTensorC}, all{Call::AllTiles}, next{Call::NextTask}, end{Call::End};
  EXPECT_EQ(last_of({init, shape, position, dy, weight, all, next, end}), Verdict::Legal);
  EXPECT_EQ(
      last_of({init, weight, dy, position, shape, iterate, get, iterate, get, iterate, iterate}),
      Verdict::Legal);
  EXPECT_EQ(last_of({shape}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, init}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, end, init}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, end, iterate}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, iterate}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, weight, iterate, iterate}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, weight, get}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, weight, iterate, get, get}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, weight, iterate, end}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, weight, all, shape, iterate}), Verdict::Misuse);
  EXPECT_EQ(last_of({init, shape, position, dy, weight, all, next, shape, iterate}),
            Verdict::Legal);
  EXPECT_EQ(last_of({init, {Call::SetSingleShape, 1}, position, dy, weight, iterate}),
            Verdict::Open);
  EXPECT_EQ(last_of({init, {Call::SetSingleShape, 0, 1}}), Verdict::Misuse);
}

std::vector<std::uint8_t> any_record(corpus::RandomSource& random, bool is_program, bool edited) {
  CaseGenes genes;
  for (int i = 0; i < 12; ++i) genes = mutated(std::move(genes), random);
  if (!edited) genes.edits.clear();
  genes.flags =
      static_cast<std::uint8_t>((genes.flags & ~program_flag) | (is_program ? program_flag : 0));
  return bytes_of_genes(genes);
}

TEST(AscendcProgram, OfTheDocumentsGivesTheExactGradient) {
  corpus::RandomSource random(1, 0);
  int programs = 0;
  for (int i = 0; i < 60; ++i) {
    const AscendcProgram done = carry_out_ascendc(any_record(random, true, false));
    EXPECT_EQ(done.failure.value_or(""), "");
    programs += done.steps.empty() ? 0 : 1;
  }
  EXPECT_GT(programs, 50);  // GetTiling refuses next to none
}

TEST(AscendcProgram, OfAnyOrderEndsAsTheDocumentsSay) {
  corpus::RandomSource random(2, 0);
  for (int i = 0; i < 200; ++i) {
    const AscendcProgram done = carry_out_ascendc(any_record(random, true, true));
    ASSERT_EQ(done.failure.value_or(""), "") << testing::PrintToString(done.steps);
  }
}

TEST(AscendcProgram, MultipliesSomething) {
  corpus::RandomSource random(3, 0);
  int with_products = 0;
  for (int i = 0; i < 20; ++i) {
    const auto problem = ascendc_problem(genes_from_bytes(any_record(random, true, false)), 2);
    if (!problem) continue;
    EXPECT_FALSE(problem->tasks.empty());
    const bool has_any = std::ranges::any_of(problem->grad_input, [](float x) { return x != 0; });
    with_products += has_any ? 1 : 0;
  }
  EXPECT_GT(with_products, 10);
}

TEST(TilingOfARecord, MeetsItsRulesAndIsBothAcceptedAndRefused) {
  corpus::RandomSource random(4, 0);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 300; ++i) {
    const auto problem = tiling_case(any_record(random, false, i % 2 == 0));
    ASSERT_TRUE(problem);
    const corpus::Verdict verdict = check_tiling(*problem);
    ASSERT_NE(verdict.outcome, corpus::Outcome::Disagree) << verdict.reason;
    accepted += verdict.status == corpus::Status::Success ? 1 : 0;
    refused += verdict.status == corpus::Status::TilingRefused ? 1 : 0;
  }
  EXPECT_GT(accepted, 20);
  EXPECT_GT(refused, 20);
}

/// Found by fuzzing: blocks of 264 positions are blocks of 8 in the published search, and 17
/// fractals of 16 in L0.
TEST(BlocksInL0, TakeWholeFractals) {
  InputTiling tiling;
  tiling.baseM = 256;
  tiling.baseN = 16;
  tiling.baseK = 32;
  tiling.al0Pbuffer = tiling.bl0Pbuffer = 2;
  tiling.cl0Pbuffer = 1;
  EXPECT_TRUE(fits_l0(tiling, sizeof(float)));
  tiling.baseM = 264;
  EXPECT_FALSE(fits_l0(tiling, sizeof(float)));
  EXPECT_TRUE(fits_l0(tiling, sizeof(float) / 2));
}

/// Found by fuzzing: padding bytes between fields may differ.
TEST(Tilings, AreEqualFieldByField) {
  InputTiling one, other;
  std::memset(static_cast<void*>(&one), 0, sizeof one);
  std::memset(static_cast<void*>(&other), 0xFF, sizeof other);
  other = InputTiling{};
  one = InputTiling{};
  EXPECT_TRUE(same_fields(one, other));
  other.singleCoreM = 1;
  EXPECT_FALSE(same_fields(one, other));
}

}  // namespace
}  // namespace gradproof::fuzz
