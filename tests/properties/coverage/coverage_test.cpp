#include "properties/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "oracle/status/status_oracle.h"
#include "properties/classes/legal_combinations.h"
#include "properties/generators/random_case.h"
#include "properties/report/coverage_text.h"
#include "properties/results/summary.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Lengths = std::vector<std::int64_t>;

/// The axes and channels of a call. Kernels of all axes, or of every second one and of the others.
struct Geometry {
  int kernel = 3, other_kernel = 3, stride = 2;
  enum class Padding : std::uint8_t { Half, Whole, More } padding = Padding::Half;
  int multiple_of_input = 1, multiple_of_output = 1;  ///< of channels
};

/// One choice for every dimension, made without the generators and without the table under test.
struct Choice {
  int type, rank, groups, mask;
  bool transposed, strided, dilated, viewed;
  int padding;
  std::int8_t cube;
  std::string_view product;
  Geometry geometry = {};
};

corpus::TensorCase tensor(const Lengths& shape, DataType type, bool viewed) {
  constexpr corpus::Format formats[] = {corpus::Format::Ncl, corpus::Format::Nchw,
                                        corpus::Format::Ncdhw};
  corpus::TensorCase made;
  made.shape = shape;
  made.dtype = type;
  made.format = formats[shape.size() - 3];
  if (!viewed) return made;
  made.offset = 3;
  made.storage_shape = Lengths{3 + corpus::element_count(shape).value()};
  return made;
}

/// What is padded in front of an axis and behind it.
std::array<std::int64_t, 2> paddings_of(const Choice& choice, std::int64_t reach) {
  if (choice.padding == 0) return {0, 0};
  if (choice.padding == 2) return {1, 0};
  const auto kind = choice.geometry.padding;
  const std::int64_t both = kind == Geometry::Padding::Half    ? reach / 2
                            : kind == Geometry::Padding::Whole ? reach
                                                               : reach + 1;
  return {both, both};
}

/// Nineteen positions, so that no padding takes all of a map, of a kernel on every axis, four
/// samples, groups of one or two channels or their multiples.
Case case_of(const Choice& choice) {
  constexpr DataType types[] = {DataType::Float, DataType::Float16, DataType::BFloat16,
                                DataType::HiFloat8, DataType::Float8E4M3FN};
  const DataType type = choice.type == 5 ? DataType::Float : types[choice.type];
  const DataType type_of_input = choice.type == 5 ? DataType::Float16 : type;
  const auto axes = static_cast<std::size_t>(choice.rank - 2);
  const Geometry& geometry = choice.geometry;
  const bool depthwise = choice.groups == 1;
  const std::int64_t groups = choice.groups == 0 ? 1
                              : depthwise        ? 2 * geometry.multiple_of_input
                                                 : 2;
  const std::int64_t channels = depthwise ? 1 : 2 * geometry.multiple_of_input;
  const std::int64_t filters =
      depthwise ? geometry.multiple_of_output : 2 * geometry.multiple_of_output;
  const std::int64_t stride = choice.strided ? geometry.stride : 1;
  const std::int64_t dilation = choice.dilated ? 2 : 1;
  Lengths big{4, groups * channels}, small{4, groups * filters}, kernel{groups * filters, channels};
  Lengths padding;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    kernel.push_back(axis % 2 == 0 ? geometry.kernel : geometry.other_kernel);
    const std::int64_t reach = dilation * (kernel.back() - 1);
    const auto [begin, end] = paddings_of(choice, reach);
    small.push_back(19);
    big.push_back(18 * stride + reach + 1 - begin - end);
    padding.insert(padding.end(), {begin, end});
  }
  Case made;
  made.soc = choice.product;
  made.transposed = choice.transposed;
  made.groups = static_cast<std::int32_t>(groups);
  made.cube_math_type = choice.cube;
  made.grad_output = tensor(choice.transposed ? big : small, type, choice.viewed);
  made.input = tensor(choice.transposed ? small : big, type_of_input, choice.viewed);
  made.weight = tensor(kernel, type, choice.viewed);
  made.stride = Lengths(axes, stride);
  made.dilation = Lengths(axes, dilation);
  made.output_padding = Lengths(axes, 0);
  made.padding = padding;
  if (choice.padding != 2) {
    for (std::size_t axis = 0; axis < axes; ++axis) (*made.padding)[axis] = padding[2 * axis];
    made.padding->resize(axes);
  }
  made.output_mask =
      std::vector<bool>{(choice.mask & 4) != 0, (choice.mask & 2) != 0, (choice.mask & 1) != 0};
  if ((choice.mask & 4) != 0) made.grad_input = tensor(made.input->shape, type_of_input, false);
  if ((choice.mask & 2) != 0) {
    const bool narrow = corpus::is_8_bit_float(type);
    made.grad_weight = tensor(kernel, narrow ? DataType::Float : type, false);
  }
  if ((choice.mask & 1) != 0) {
    made.grad_bias.emplace();
    made.grad_bias->shape = {made.grad_output->shape[1]};
    made.grad_bias->dtype = type;
    made.bias_sizes = made.grad_bias->shape;
  }
  return made;
}

/// Some geometry for each number: those that `case_of` can have, in a mixed order.
Geometry geometry_of(std::uint64_t number) {
  constexpr std::array<std::array<int, 2>, 5> kernels{{{1, 1}, {3, 3}, {2, 2}, {5, 5}, {3, 1}}};
  constexpr std::array<std::array<int, 2>, 7> multiples{
      {{8, 8}, {4, 4}, {2, 2}, {4, 1}, {2, 1}, {1, 4}, {1, 1}}};
  corpus::RandomSource random(7, number);
  const auto [kernel, other] = kernels.at(static_cast<std::size_t>(random.between(0, 4)));
  const auto [input, output] = multiples.at(static_cast<std::size_t>(random.between(0, 6)));
  return {.kernel = kernel,
          .other_kernel = other,
          .stride = static_cast<int>(random.between(2, 3)),
          .padding = static_cast<Geometry::Padding>(random.between(0, 2)),
          .multiple_of_input = input,
          .multiple_of_output = output};
}

template <typename Visit>
void for_each_choice(Visit&& visit) {
  constexpr std::string_view products[] = {"Ascend310P", "Ascend910", "Ascend910B", "Ascend910_93",
                                           "Ascend950"};
  std::uint64_t number = 0;
  for (int flags = 0; flags < 16; ++flags) {
    for (int type = 0; type < 6; ++type) {
      for (int rank = 3; rank <= 5; ++rank) {
        for (int groups = 0; groups < 3; ++groups) {
          for (int mask = 0; mask < 8; ++mask) {
            for (int padding = 0; padding < 3; ++padding) {
              for (std::int8_t cube = 0; cube < 4; ++cube) {
                for (const auto product : products) {
                  visit(Choice{type, rank, groups, mask, (flags & 1) != 0, (flags & 2) != 0,
                               (flags & 4) != 0, (flags & 8) != 0, padding, cube, product,
                               geometry_of(number++)});
                }
              }
            }
          }
        }
      }
    }
  }
}

/// Every combination of eleven dimensions, with a kernel and channels that change from one to the
/// next, put to the oracle.
struct AllChoices {
  Coverage coverage;
  std::uint64_t excluded = 0;  ///< legal, though the table excludes some of their classes together

  AllChoices() {
    for_each_choice([&](const Choice& choice) { add(case_of(choice)); });
  }

 private:
  void add(const Case& problem) {
    const Footprint footprint = footprint_of({problem, oracle::Profile::Documented});
    coverage.add(footprint);
    if (!footprint.classes) return;
    ClassSet classes;
    for (const auto index : *footprint.classes) classes.set(index);
    excluded += is_excluded(classes) ? 1 : 0;
  }
};

const AllChoices& all_choices() {
  static const AllChoices choices;
  return choices;
}

/// A pair is legal exactly if some combination with both breaks no rule.
TEST(LegalPairs, AreThoseThatTheOracleAdmitsInSomeCombination) {
  const Coverage& all = all_choices().coverage;
  EXPECT_EQ(all.cases, 414'720U);
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    for (std::size_t j = i + 1; j < call_classes.size(); ++j) {
      if (call_classes.at(i).dimension == call_classes.at(j).dimension) continue;
      EXPECT_EQ(all.pairs.at(i).at(j) > 0, why_illegal(i, j).empty())
          << call_classes.at(i).name << " x " << call_classes.at(j).name << ": "
          << why_illegal(i, j);
    }
  }
}

std::string name_of(const Triple& triple) {
  std::string name;
  for (const auto index : triple) name += std::string(call_classes.at(index).name) + ' ';
  return name;
}

/// Likewise of three classes.
TEST(LegalTriples, AreThoseThatTheOracleAdmitsInSomeCombination) {
  const auto& [all, excluded] = all_choices();
  EXPECT_EQ(excluded, 0U);
  for (std::size_t i = 0; i < all.triples.size(); ++i) {
    EXPECT_TRUE(all.triples[i]) << name_of(legal_triples()[i]);
  }
}

TEST(LegalPairs, PutEachChoiceIntoTheClassesItWasMadeFor) {
  const Case problem = case_of({.type = 5,
                                .rank = 4,
                                .groups = 1,
                                .mask = 5,
                                .transposed = true,
                                .strided = true,
                                .dilated = false,
                                .viewed = true,
                                .padding = 2,
                                .cube = 3,
                                .product = "Ascend950"});
  const auto classes = classes_of(problem);
  ASSERT_TRUE(classes);
  std::vector<std::string_view> names;
  for (const auto index : *classes) names.push_back(call_classes.at(index).name);
  EXPECT_THAT(names, testing::ElementsAre("mixed", "rank=4", "transposed", "kernel=3", "depthwise",
                                          "channels=8n+r", "stride=2", "dilation=1", "asymmetric",
                                          "mask=101", "cube=3", "Ascend950", "strided"));
}

TEST(RulesWithoutAKeptSide, SpeakOnlyWhereTheyAreBroken) {
  const auto source = CaseSource::of({});
  const auto rules = oracle::all_status_rules();
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto standings =
        oracle::ruling_on((*source)(12, i), oracle::Profile::Documented).standings;
    for (std::size_t rule = 0; rule < standings.size(); ++rule) {
      if (why_never_kept(rules[rule]).empty() || !rules[rule].never_decides.empty()) continue;
      EXPECT_NE(standings[rule], oracle::Standing::Met) << rules[rule].id;
    }
  }
}

Coverage coverage_of(std::uint64_t seed, std::uint64_t cases) {
  Selection selection;
  selection.apis.assign(generated_apis.begin(), generated_apis.end());
  const auto source = CaseSource::of(selection);
  Coverage coverage;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const GeneratedCase generated = source->generate(seed, i);
    Footprint footprint = footprint_of({generated.problem, oracle::Profile::Documented});
    footprint.discarded = generated.discarded;
    coverage.add(footprint);
  }
  return coverage;
}

/// Whatever `--dtype` and `--soc` leave, few draws are thrown away; a rule that nothing left can
/// break costs all its tries each time.
TEST(Coverage, ThrowsFewDrawsAwayInNarrowSelections) {
  std::vector<Selection> narrow(std::size(supported_products));
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i].products = {supported_products.at(i)};
  for (const auto dtype :
       {corpus::DataType::Float, corpus::DataType::Float16, corpus::DataType::BFloat16,
        corpus::DataType::HiFloat8, corpus::DataType::Float8E4M3FN}) {
    narrow.emplace_back().dtypes = {dtype};
  }
  for (Selection& selection : narrow) {
    selection.apis.assign(generated_apis.begin(), generated_apis.end());
    const auto source = CaseSource::of(selection);
    ASSERT_TRUE(source) << source.error();
    std::uint64_t discarded = 0;
    constexpr std::uint64_t cases = 3'000;
    for (std::uint64_t i = 0; i < cases; ++i) discarded += source->generate(3, i).discarded;
    EXPECT_LT(discarded, cases / 20) << options_of(selection);
  }
}

TEST(Coverage, IsCompleteInAnyTwentyThousandGeneratedCases) {
  for (const std::uint64_t seed : {1U, 42U, 20'261'121U}) {
    const Coverage coverage = coverage_of(seed, cases_for_full_coverage);
    const CoverageGaps gaps = gaps_of(coverage);
    EXPECT_THAT(gaps.pairs, IsEmpty()) << seed;
    EXPECT_THAT(gaps.never_broken, IsEmpty()) << seed;
    EXPECT_THAT(gaps.never_kept, IsEmpty()) << seed;
    EXPECT_THAT(gaps.corners, IsEmpty()) << seed;
    const auto share = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(coverage.cases);
    };
    EXPECT_GE(share(coverage.grouped), 0.20) << seed;
    EXPECT_GE(share(coverage.transposed), 0.30) << seed;
    EXPECT_GE(share(coverage.empty), 0.05) << seed;
    EXPECT_GT(coverage.discarded, 0U) << seed;
    EXPECT_LT(share(coverage.discarded), 0.01) << seed;
    if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
      std::uint64_t rarest = UINT64_MAX;
      for (std::size_t i = 0; i < call_classes.size(); ++i) {
        for (std::size_t j = i + 1; j < call_classes.size(); ++j) {
          const bool apart = call_classes.at(i).dimension != call_classes.at(j).dimension;
          const auto count = coverage.pairs.at(i).at(j);
          if (apart && why_illegal(i, j).empty()) rarest = std::min(rarest, count);
          if (apart && why_illegal(i, j).empty() && count < 8) {
            std::printf("%s x %s: %d\n", call_classes.at(i).name.data(),
                        call_classes.at(j).name.data(), static_cast<int>(count));
          }
        }
      }
      const auto rules = oracle::all_status_rules();
      for (std::size_t i = 0; i < rules.size(); ++i) {
        const RuleSides& sides = coverage.rules[i];
        if (sides.decides < 8 || sides.kept < 8) {
          std::printf("%s %d %d\n", rules[i].id.data(), static_cast<int>(sides.decides),
                      static_cast<int>(sides.kept));
        }
      }
      for (std::size_t i = 0; i < corners().size(); ++i) {
        if (coverage.corners[i] < 20) {
          std::printf("%s: %d\n", corners()[i].name.data(), static_cast<int>(coverage.corners[i]));
        }
      }
      std::printf("rarest legal pair: %d\n%s", static_cast<int>(rarest),
                  coverage_text(coverage).c_str());
    }
  }
}

TEST(Coverage, CountsNothingThatWasNotThere) {
  const Coverage nothing;
  const CoverageGaps gaps = gaps_of(nothing);
  EXPECT_EQ(gaps.pairs.size(), pair_count(nothing).legal);
  EXPECT_EQ(gaps.corners.size(), corners().size());
  EXPECT_THAT(gaps.never_broken, testing::Contains("STRIDE-01"));
  EXPECT_THAT(coverage_text(nothing), IsEmpty());
}

TEST(Coverage, KeepsBrokenCallsOutOfPairsAndOfTheKeptSide) {
  Case problem = case_of({.type = 0,
                          .rank = 4,
                          .groups = 0,
                          .mask = 7,
                          .transposed = false,
                          .strided = false,
                          .dilated = false,
                          .viewed = false,
                          .padding = 0,
                          .cube = 0,
                          .product = "Ascend910B"});
  Coverage legal, broken;
  legal.add(problem);
  EXPECT_EQ(legal.legal, 1U);
  EXPECT_EQ(pair_count(legal).hit, dimension_count * (dimension_count - 1) / 2);
  (*problem.stride)[0] = 0;
  broken.add(problem);
  EXPECT_EQ(broken.legal, 0U);
  EXPECT_EQ(pair_count(broken).hit, 0U);
  EXPECT_TRUE(std::ranges::all_of(broken.rules, [](const auto& rule) { return rule.kept == 0; }));
  EXPECT_TRUE(std::ranges::any_of(broken.rules, [](const auto& rule) { return rule.decides > 0; }));
}

TEST(Coverage, MergesIntoWhatOneRunWouldHaveCounted) {
  const auto source = CaseSource::of({});
  Coverage whole, even, odd;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    whole.add((*source)(3, i));
    (i % 2 == 0 ? even : odd).add((*source)(3, i));
  }
  Coverage merged = odd;
  merged.merge(even);
  EXPECT_EQ(merged, whole);
  even.merge(odd);
  EXPECT_EQ(even, whole);
}

TEST(CoverageText, NamesWhatWasMissedOnlyInLongRuns) {
  Coverage coverage = coverage_of(1, 50);
  EXPECT_THAT(coverage_text(coverage), HasSubstr("coverage of 50 cases"));
  EXPECT_THAT(coverage_text(coverage), Not(HasSubstr("missed")));
  coverage.cases = cases_for_full_coverage;
  const std::string text = coverage_text(coverage);
  EXPECT_THAT(text, HasSubstr("missed rules, never broken or used: "));
  EXPECT_THAT(text, HasSubstr("missed legal pairs: "));
  EXPECT_THAT(text, HasSubstr("padding 255"));
}

TEST(HealthProblem, IsRaisedByAGeneratorThatGivesUp) {
  Summary summary;
  summary.outcomes[static_cast<std::size_t>(corpus::Outcome::Agree)] = 100;
  summary.coverage.cases = 100;
  summary.coverage.discarded = 11;  // of 111 draws
  EXPECT_FALSE(health_problem(summary));
  summary.coverage.discarded = 12;
  ASSERT_TRUE(health_problem(summary));
  EXPECT_THAT(*health_problem(summary), HasSubstr("discarded 11 % of its draws"));
}

TEST(Coverage, IsCheapComparedWithARun) {
  const auto source = CaseSource::of({});
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 5'000; ++i) cases.push_back((*source)(9, i));
  Coverage coverage;
  const auto begin = std::chrono::steady_clock::now();
  for (const Case& problem : cases) coverage.add(problem);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(coverage.cases, cases.size());
  RecordProperty("microseconds_per_case", std::to_string(spent.count() / 5'000));
  if (std::getenv("GRADPROOF_MEASURE") != nullptr) std::printf("%.2f us\n", spent.count() / 5'000);
}

}  // namespace
}  // namespace gradproof::properties
