#include "properties/runs/fingerprint/fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "corpus/machine/machine_json.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/cases/machines/machine_words.h"
#include "properties/runs/fingerprint/fingerprint_text.h"
#include "properties/runs/fingerprint/prediction.h"
#include "tests/properties/fingerprint/planted_machines.h"

namespace gradproof::runs {
namespace {

using corpus::MachineProduct;
using corpus::MachineRounding;
using corpus::OutputRole;
using corpus::TreeFamily;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const std::atomic<bool> never{false};

corpus::Case call_of(const char* input, const char* weight, const char* stride = "1") {
  advice::CallTexts words;
  words.input = input;
  words.weight = weight;
  words.padding = "1";
  words.stride = stride;
  words.bias = "yes";
  return call_from_texts(words).value();
}

corpus::Case usual_call() { return call_of("2,8,5,5", "8,8,3,3"); }

/// The usual call with one gradient alone: the others need no time.
corpus::Case call_for(OutputRole role) {
  corpus::Case call = usual_call();
  call.output_mask = std::vector<bool>(3, false);
  (*call.output_mask)[to_size(role)] = true;
  return call;
}

corpus::Case short_call() { return call_for(OutputRole::GradInput); }

/// GRADPROOF_PREDICTIONS: as many instead of what takes a second.
FingerprintSettings usual_settings() {
  FingerprintSettings settings;
  if (const char* more = std::getenv("GRADPROOF_PREDICTIONS"))
    settings.predictions = std::stoull(more);
  return settings;
}

Fingerprint fingerprint_of_planted(const PlantedMachine& machine, const corpus::Case& call,
                                   const FingerprintSettings& settings = usual_settings()) {
  return fingerprint_of(*planted_library(machine)->new_target(), call, settings, never);
}

class PlantedMachines : public testing::TestWithParam<PlantedMachine> {};

INSTANTIATE_TEST_SUITE_P(Each, PlantedMachines, testing::ValuesIn(planted_machines()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(PlantedMachines, ArePredictedBitForBit) {
  for (const OutputRole role : corpus::output_roles) {
    const Fingerprint found = fingerprint_of_planted(GetParam(), call_for(role));
    SCOPED_TRACE(fingerprint_text(found));
    ASSERT_EQ(found.gradients.size(), 1U);
    const GradientFingerprint& gradient = found.gradients.front();
    ASSERT_TRUE(gradient.machine);
    const auto& evidence = gradient.machine->evidence;
    EXPECT_GE(evidence.predicted, usual_settings().predictions);
    EXPECT_EQ(evidence.missed, 0U);
    EXPECT_THAT(evidence.unexplained, IsEmpty());
    EXPECT_NE(gradient.machine->tree.family, TreeFamily::Explicit);
    const auto n = static_cast<double>(gradient.products);
    EXPECT_LE(static_cast<double>(gradient.tree_calls), n * std::log2(n));
    RecordProperty("pairs_of_" + std::string(corpus::name_of(role)),
                   static_cast<int>(gradient.pairs));
    RecordProperty("calls_of_" + std::string(corpus::name_of(role)),
                   static_cast<int>(gradient.tree_calls));
    const auto read = corpus::parse_machine(corpus::to_json(found.machine));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, found.machine);
  }
}

TEST_P(PlantedMachines, AreNamedAsTheyArePlanted) {
  const PlantedMachine& planted = GetParam();
  const Fingerprint found = fingerprint_of_planted(planted, short_call());
  SCOPED_TRACE(fingerprint_text(found));
  const auto* machine = machine_of(found.machine, OutputRole::GradInput);
  ASSERT_NE(machine, nullptr);
  static constexpr TreeFamily families[] = {TreeFamily::Sequential, TreeFamily::Pairwise,
                                            TreeFamily::Lanes, TreeFamily::Split,
                                            TreeFamily::Blocks};
  static constexpr MachineRounding roundings[] = {
      MachineRounding::NearestEven, MachineRounding::NearestAway, MachineRounding::TowardZero,
      MachineRounding::Odd};
  const bool is_block = planted.tree == PlantedTree::Blocks;
  EXPECT_EQ(machine->tree.family, families[static_cast<int>(planted.tree)]);
  EXPECT_EQ(machine->tree.size, planted.size);
  EXPECT_EQ(machine->operands.significand_bits, planted.operand_bits);
  EXPECT_EQ(machine->operands.rounding, roundings[static_cast<int>(planted.operand_rounding)]);
  EXPECT_EQ(machine->node.accumulator_bits, planted.bits);
  EXPECT_EQ(machine->node.rounding,
            is_block ? MachineRounding::TowardZero : roundings[static_cast<int>(planted.rounding)]);
  EXPECT_EQ(machine->node.extra_bits.value_or(-1), is_block ? planted.extra_bits : -1);
  const bool flushes = machine->subnormals.operands == corpus::SubnormalHandling::Flushed &&
                       machine->subnormals.products == corpus::SubnormalHandling::Flushed &&
                       machine->subnormals.results == corpus::SubnormalHandling::Flushed;
  EXPECT_EQ(flushes, planted.flushes);
  if (planted.operand_bits == 24 && !is_block) {
    EXPECT_EQ(machine->product, planted.fused ? MachineProduct::Fused : MachineProduct::Rounded);
  }
  EXPECT_EQ(machine->output_formats.front(), planted.half_results != 0 ? "FLOAT16" : "FLOAT");
}

/// Another machine, and the word that must name what is different.
struct Changed {
  std::string named;
  PlantedMachine machine;
};

/// Machines that differ from `planted` in one edge, one bit or one tie rule.
std::vector<Changed> changed(const PlantedMachine& planted) {
  std::vector<Changed> all;
  const auto add = [&](const char* named, auto change) {
    all.push_back({named, planted});
    change(all.back().machine);
  };
  for (const int moved : {0, 1, 5, 31, 63}) {
    add("trees", [&](auto& m) { m.last = moved; });
  }
  if (planted.operand_bits < 24) {
    for (const int bits : {-1, 1}) add("operands", [&](auto& m) { m.operand_bits += bits; });
  }
  for (const int bits : {-1, 1}) add("sums", [&](auto& m) { m.bits += bits; });
  if (planted.tree == PlantedTree::Blocks) {
    add("sums", [](auto& m) { m.extra_bits += 1; });
    return all;
  }
  for (const auto rule : {PlantedRounding::Even, PlantedRounding::Away, PlantedRounding::Zero,
                          PlantedRounding::Odd}) {
    if (rule != planted.rounding) add("sums", [&](auto& m) { m.rounding = rule; });
    if (rule == planted.operand_rounding || planted.operand_bits == 24) continue;
    add("operands", [&](auto& m) { m.operand_rounding = rule; });
  }
  return all;
}

/// What the sentences name: "sums" of "gradInput: sums were ...".
std::vector<std::string> names_in(const std::vector<std::string>& sentences) {
  std::vector<std::string> names;
  for (const std::string& sentence : sentences) {
    const auto begin = sentence.find(": ") + 2;
    names.push_back(sentence.substr(begin, sentence.find(" were ") - begin));
  }
  return names;
}

TEST_P(PlantedMachines, AChangeAndNothingElseIsNamed) {
  FingerprintSettings settings;
  settings.predictions = 250;
  settings.calls = 300;  // the trees of other positions are not what is changed
  const auto before = fingerprint_of_planted(GetParam(), short_call(), settings).machine;
  for (const auto& [named, machine] : changed(GetParam())) {
    const auto now = fingerprint_of_planted(machine, short_call(), settings);
    const auto sentences = cases::changes(before, now.machine);
    auto names = names_in(sentences);
    // Whether products are rounded is not seen where all of them fit into the sums.
    const bool was_seen = 2 * GetParam().operand_bits > GetParam().bits;
    const bool is_seen = 2 * machine.operand_bits > machine.bits;
    if (was_seen != is_seen) std::erase(names, "products");
    if (named == "trees") std::erase(names, "trees of other positions");  // the same edge
    EXPECT_THAT(names, testing::ElementsAre(named)) << testing::PrintToString(sentences) << "\n"
                                                    << fingerprint_text(now);
    if (named == "trees") {
      EXPECT_THAT(sentences, Contains(HasSubstr("met in a node of")));
    }
  }
  const auto again = fingerprint_of_planted(GetParam(), short_call(), settings);
  EXPECT_THAT(cases::changes(before, again.machine), IsEmpty());
}

TEST(Fingerprint, ReadsOrdersOfBlockedChannels) {
  const auto found = fingerprint_of_planted(
      {.name = "ascend", .order = PlantedOrder::ChannelBlocksOf16}, call_of("1,2,4,4", "40,2,3,3"));
  SCOPED_TRACE(fingerprint_text(found));
  const auto* machine = machine_of(found.machine, OutputRole::GradInput);
  ASSERT_NE(machine, nullptr);
  EXPECT_EQ(machine->tree.family, TreeFamily::Sequential);
  ASSERT_FALSE(machine->order.loops.empty());
  EXPECT_EQ(text_of(machine->order.loops.front()), "-k/16");
  EXPECT_EQ(machine->evidence.missed, 0U);
}

TEST(Fingerprint, PredictsCallsWithStrideWhereNoElementHasEveryTap) {
  const auto found = fingerprint_of_planted(
      {.name = "lanes", .tree = PlantedTree::Lanes, .size = 8, .fold = PlantedFold::Halves},
      call_of("2,8,7,7", "8,8,3,3", "2"));
  SCOPED_TRACE(fingerprint_text(found));
  EXPECT_TRUE(found.is_explained());
}

TEST(Fingerprint, MeasuresTheTreesOfOtherPositions) {
  const auto plain = fingerprint_of_planted({.name = "chain"}, short_call());
  EXPECT_THAT(plain.gradients.front().machine->elsewhere, IsEmpty());
  const auto turned = fingerprint_of_planted({.name = "turned", .turned_column = 3}, short_call());
  SCOPED_TRACE(fingerprint_text(turned));
  EXPECT_TRUE(turned.is_explained());
  const auto& elsewhere = turned.gradients.front().machine->elsewhere;
  ASSERT_EQ(elsewhere.size(), 1U);
  EXPECT_EQ(elsewhere.front().positions.size(), 5U);
  EXPECT_EQ(elsewhere.front().positions.front(), (Position{0, 0, 3}));
  EXPECT_EQ(elsewhere.front().tree.family, TreeFamily::Sequential);
  EXPECT_THAT(fingerprint_text(turned), HasSubstr("1 other tree at 5 positions"));
  EXPECT_THAT(cases::changes(plain.machine, turned.machine),
              Contains(HasSubstr("trees of other positions were none, now 1 other tree")));
}

TEST(Fingerprint, MeasuresTreesOfNoFamilyAtEveryPosition) {
  const auto found = fingerprint_of_planted({.name = "moved", .last = 5}, short_call());
  SCOPED_TRACE(fingerprint_text(found));
  EXPECT_TRUE(found.is_explained());
  EXPECT_EQ(found.gradients.front().machine->tree.family, TreeFamily::Explicit);
  EXPECT_EQ(found.gradients.front().machine->elsewhere.size(), 8U);  // edges and corners
}

TEST(Fingerprint, SaysWhatBecomesOfNanAndNegativeZero) {
  const auto specials = [](const PlantedMachine& planted) {
    return fingerprint_of_planted(planted, short_call()).machine.gradients.at(0).specials;
  };
  using enum corpus::SpecialHandling;
  EXPECT_EQ(specials({.name = "chain"}), (corpus::SpecialHandlings{Kept, Kept, Lost}));
  EXPECT_EQ(specials({.name = "pairs", .tree = PlantedTree::Pairs}),
            (corpus::SpecialHandlings{Kept, Kept, Kept}));
  EXPECT_EQ(specials({.name = "zeros", .leaves_out_zeros = true}),
            (corpus::SpecialHandlings{Kept, Lost, Lost}));
  // The largest addend of a block is looked for by comparisons, which a NaN loses.
  EXPECT_EQ(specials({.name = "blocks", .tree = PlantedTree::Blocks, .size = 4}).nan, Lost);
}

TEST(Fingerprint, SaysWhatIsNotDeterministic) {
  const auto found = fingerprint_of_planted({.name = "varies", .varies = true}, short_call());
  ASSERT_FALSE(found.gradients.empty());
  EXPECT_FALSE(found.gradients.front().machine);
  EXPECT_THAT(found.gradients.front().reason, HasSubstr("not deterministic"));
}

TEST(Fingerprint, SaysWhatDependsOnValues) {
  FingerprintSettings settings;
  settings.predictions = 500;
  settings.calls = 800;
  const auto found =
      fingerprint_of_planted({.name = "skips", .skips = true}, short_call(), settings);
  EXPECT_FALSE(found.is_explained());
  ASSERT_TRUE(found.gradients.front().machine);
  EXPECT_THAT(found.gradients.front().machine->evidence.unexplained,
              Contains(HasSubstr("The smallest sum that shows it")));
}

TEST(Fingerprint, KeepsWhatItHasWhenCallsRunOut) {
  FingerprintSettings settings = usual_settings();
  settings.calls = fingerprint_of_planted({.name = "chain"}, usual_call())
                       .gradients.front()
                       .machine->evidence.calls +
                   3;
  const auto found = fingerprint_of_planted({.name = "chain"}, usual_call(), settings);
  ASSERT_TRUE(found.ended_by);
  EXPECT_EQ(found.ended_by->kind, ProbeProblem::Kind::OutOfCalls);
  EXPECT_EQ(found.machine.gradients.size(), 1U);
  EXPECT_FALSE(found.is_explained());
}

TEST(Fingerprint, SaysWhatTheTargetRefuses) {
  const auto found = fingerprint_of_planted({.name = "refuses", .refuses_after = 4}, usual_call());
  ASSERT_TRUE(found.ended_by);
  EXPECT_EQ(found.ended_by->kind, ProbeProblem::Kind::Refused);
  EXPECT_THAT(found.ended_by->words, HasSubstr("161002: no more"));
}

TEST(Fingerprint, SaysWhichCallsItCannotAsk) {
  corpus::Case call = usual_call();
  EXPECT_EQ(cannot_be_asked(call), std::nullopt);
  call.weight->dtype = corpus::DataType::HiFloat8;
  EXPECT_THAT(cannot_be_asked(call).value_or(""), HasSubstr("weight is HIFLOAT8"));
  call = usual_call();
  call.input->format = corpus::Format::Nhwc;
  EXPECT_NE(cannot_be_asked(call), std::nullopt);
}

}  // namespace
}  // namespace gradproof::runs
