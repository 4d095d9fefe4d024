// Pairs and triples of classes that legal calls have, and rules that calls cannot keep visibly.

#include "properties/cases/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "oracle/status/status_oracle.h"
#include "properties/cases/classes/legal_combinations.h"
#include "properties/cases/generators/random_case.h"
#include "tests/properties/coverage/choice_of_classes.h"

namespace gradproof::cases {
namespace {

/// Some geometry for each number: those that `case_of` can have, in a mixed order.
Geometry geometry_of(std::uint64_t number) {
  constexpr std::array<std::array<int, 2>, 5> kernels{{{1, 1}, {3, 3}, {2, 2}, {5, 5}, {3, 1}}};
  constexpr std::array<std::array<int, 2>, 7> multiples{
      {{8, 8}, {4, 4}, {2, 2}, {4, 1}, {2, 1}, {1, 4}, {1, 1}}};
  corpus::RandomSource random(7, number);
  const auto [kernel, other] = kernels.at(to_size(random.between(0, 4)));
  const auto [input, output] = multiples.at(to_size(random.between(0, 6)));
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
  void add(const Case& test_case) {
    const Footprint footprint = footprint_of({test_case, oracle::Profile::Documented});
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
  const Case test_case = case_of({.type = 5,
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
  const auto classes = classes_of(test_case);
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

}  // namespace
}  // namespace gradproof::cases
