#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/order_bound.h"
#include "oracle/geometry/geometry.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/change.h"
#include "properties/advice/tolerance/gradient_tolerance.h"
#include "properties/advice/tolerance/layer_tables.h"
#include "properties/cases/check/check.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::GradientMachine;
using corpus::OutputRole;
using corpus::TreeCombine;
using corpus::TreeFamily;
using testing::HasSubstr;

/// The layers of docs/tolerances.md.
std::vector<Case> real_layers() {
  std::ifstream file(std::filesystem::path(GRADPROOF_SOURCES) / "docs/examples/layers.jsonl");
  std::vector<Case> layers;
  for (std::string line; std::getline(file, line);) {
    auto read = corpus::parse_case(line);
    EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().text());
    if (read) layers.push_back(std::move(*read));
  }
  return layers;
}

Case call_of(const char* input, const char* weight, const char* dtype, const char* padding = "1") {
  CallTexts words;
  words.input = input;
  words.weight = weight;
  words.dtype = dtype;
  words.padding = padding;
  words.bias = "yes";
  Case call = call_from_texts(words).value();
  call.soc = "Ascend910B";
  return call;
}

/// The simulated backend, or nothing where it was not built.
std::unique_ptr<targets::Target> simulated_target() {
  targets::furnish_simulated_machine();
  static const auto library = targets::LoadedLibrary::load(targets::simulated_libraries());
  return library ? (*library)->new_target() : nullptr;
}

TEST(Tolerance, OfEveryCellIsReachedByAConstructedCase) {
  const auto layers = real_layers();
  ASSERT_EQ(layers.size(), 20U);
  const auto cells = tolerance_cells(layers, {});
  ASSERT_TRUE(cells.has_value()) << (cells ? "" : cells.error());
  double least = 1, least_in_float = 1;
  for (const ToleranceCell& cell : *cells) {
    const WorstRun& run = cell.tolerance.any_order;
    ASSERT_TRUE(run.reached_in_order.has_value());
    EXPECT_GE(*run.reached_in_order, 0.95)
        << cell.layer << ", " << cell.mode << ", " << name_of(cell.role);
    EXPECT_LE(*run.reached_in_order, 1)
        << cell.layer << ", " << cell.mode << ", " << name_of(cell.role);
    least = std::min(least, *run.reached_in_order);
    if (cell.mode == "FLOAT") least_in_float = std::min(least_in_float, *run.reached_in_order);
  }
  fmt::print("{} cells, least reached {:.4f}, in FLOAT {:.4f}\n", cells->size(), least,
             least_in_float);
  EXPECT_EQ(cells->size(), 20U * 6 * 3) << "layers, modes, gradients";
}

TEST(Tolerance, OfTheNarrowCallIsThatOfTheWhole) {
  for (const Case& layer : real_layers()) {
    const auto whole = oracle::geometry_of(layer);
    for (const OutputRole role : corpus::output_roles) {
      const Case narrow = narrow_call(layer, role);
      const auto geometry = oracle::geometry_of(narrow);
      ASSERT_TRUE(geometry.has_value()) << layer.id << ": " << geometry.error();
      EXPECT_EQ(geometry->longest_sum(role), whole->longest_sum(role)) << layer.id;
      EXPECT_TRUE(is_certainly_legal(narrow, oracle::Profile::Documented)) << layer.id;
    }
  }
}

GradientMachine machine(OutputRole role, TreeFamily family, std::int64_t size = 0,
                        TreeCombine combine = TreeCombine::Sequential) {
  GradientMachine result;
  result.gradient = role;
  result.tree = {family, size, combine, 0, {}};
  return result;
}

TEST(Tolerance, OfAMachineIsReachedInItsOrder) {
  const Case call = call_of("4,64,28,28", "32,64,3,3", "FLOAT");
  const auto of = [](TreeFamily family, std::int64_t size, TreeCombine combine) {
    auto known = std::make_unique<corpus::Machine>();
    for (const OutputRole role : corpus::output_roles) {
      known->gradients.push_back(machine(role, family, size, combine));
    }
    return known;
  };
  const std::pair<const char*, std::unique_ptr<corpus::Machine>> machines[] = {
      {"sequential", of(TreeFamily::Sequential, 0, TreeCombine::Sequential)},
      {"pairwise", of(TreeFamily::Pairwise, 0, TreeCombine::Sequential)},
      {"8 lanes", of(TreeFamily::Lanes, 8, TreeCombine::Pairwise)},
      {"16 lanes in halves", of(TreeFamily::Lanes, 16, TreeCombine::Halves)},
      {"parts of 16", of(TreeFamily::Split, 16, TreeCombine::Sequential)}};
  for (const auto& [name, known] : machines) {
    const auto gradients = tolerances_of(call, {.machine = known.get()});
    ASSERT_TRUE(gradients.has_value()) << gradients.error();
    for (const GradientTolerance& gradient : *gradients) {
      ASSERT_TRUE(gradient.order.has_value()) << gradient.no_order;
      const auto reached = gradient.order->run.reached_in_order;
      ASSERT_TRUE(reached.has_value());
      EXPECT_GE(*reached, 0.95) << name << ", " << name_of(gradient.computation.role);
      EXPECT_LE(*reached, 1) << name << ", " << name_of(gradient.computation.role);
      fmt::print("{}, {}: {:.4f} of the bound, which is {:.3g} times narrower than in any order\n",
                 name, name_of(gradient.computation.role), *reached,
                 gradient.order->any_order / gradient.order->by_order);
    }
  }
}

double cut(double value, double unit) { return std::trunc(value / unit) * unit; }

/// A block adder, written as a loop.
double in_blocks(const std::vector<double>& products, std::size_t size, int extra) {
  double sum = 0;
  for (std::size_t i = 0; i < products.size(); i += size) {
    std::vector<double> addends{sum};
    const std::size_t end = std::min(i + size, products.size());
    for (std::size_t j = i; j < end; ++j) addends.push_back(products[j]);
    double largest = 0;
    for (const double addend : addends) largest = std::max(largest, std::fabs(addend));
    if (largest == 0) continue;
    const double unit = std::ldexp(1.0, std::ilogb(largest) - 23 - extra);
    sum = 0;
    for (const double addend : addends) sum += cut(addend, unit);
    sum = cut(sum, std::ldexp(1.0, std::ilogb(sum) - 23));
  }
  return sum;
}

/// Cuts of a block add up in one direction: nothing of the bound is out of reach.
TEST(Tolerance, OfABlockAdderIsReachedToo) {
  const Case call = call_of("4,64,28,28", "32,64,3,3", "FLOAT16");
  for (const std::size_t size : {4U, 8U, 16U}) {
    for (const int extra : {0, 1, 2, 3}) {
      GradientMachine known =
          machine(OutputRole::GradWeight, TreeFamily::Blocks, static_cast<std::int64_t>(size));
      known.product = corpus::MachineProduct::Exact;
      known.node = {corpus::MachineRounding::TowardZero, 24, extra};
      oracle::Arithmetic way = oracle::arithmetics(call, OutputRole::GradWeight, {}).front();
      way.roundings.clear();
      const Case narrow = narrow_call(call, OutputRole::GradWeight);
      const auto worst = worst_case(narrow, OutputRole::GradWeight, known, way, 1);
      ASSERT_TRUE(worst.has_value()) << worst.error();
      const auto products = converted_products(*worst, OutputRole::GradWeight, way);
      const auto terms = oracle::OrderBound(known, way, false).terms(products);
      const double error = worst->exact - in_blocks(products, size, extra);
      const double reached = error / terms.by_depth;
      EXPECT_LE(error, terms.by_partial_sums) << size << " with " << extra;
      EXPECT_GE(reached, 0.95) << size << " with " << extra;
      EXPECT_LE(reached, 1) << size << " with " << extra;
      fmt::print("blocks of {}, {} bits more: {:.4f}\n", size, extra, reached);
    }
  }
}

TEST(Tolerance, IsReachedByTheSimulatedBackend) {
  const auto target = simulated_target();
  if (!target) GTEST_SKIP() << "the simulated backend was not built";
  for (const char* dtype : {"FLOAT", "FLOAT16", "BF16"}) {
    const Case call = call_of("4,64,28,28", "32,64,3,3", dtype);
    const auto gradients = tolerances_of(call, {.target = target.get()});
    ASSERT_TRUE(gradients.has_value()) << gradients.error();
    for (const GradientTolerance& gradient : *gradients) {
      const WorstRun& run = gradient.any_order;
      ASSERT_TRUE(run.reached.has_value()) << run.not_run;
      fmt::print("{} {}: {:.4f}\n", dtype, name_of(gradient.computation.role), *run.reached);
      EXPECT_LE(*run.reached, 1) << dtype;
      EXPECT_FALSE(run.standards.empty());
    }
    for (const Case& stored : stored_cases(call, *gradients)) {
      const auto verdict = cases::check(*target, stored, {});
      EXPECT_EQ(verdict.outcome, corpus::Outcome::Agree) << stored.id << ": " << verdict.reason;
      EXPECT_EQ(*corpus::parse_case(corpus::to_json_line(stored)), stored);
    }
  }
}

/// atol and rtol hold for what the element's bound says, wherever the data stay in the range.
TEST(Tolerance, OfAllElementsIsNoNarrowerThanThatOfOne) {
  for (const double largest : {0.01, 1.0, 300.0}) {
    for (const char* dtype : {"FLOAT", "FLOAT16", "BF16"}) {
      const auto gradients = tolerances_of(call_of("2,16,9,9", "8,16,3,3", dtype),
                                           {.data = uniform_law(-largest, largest)});
      ASSERT_TRUE(gradients.has_value()) << gradients.error();
      for (const GradientTolerance& gradient : *gradients) {
        EXPECT_GE(gradient.times_looser, 1) << dtype << ' ' << largest;
        for (const auto& [grad_output, other] : gradient.any_order.worst.factors) {
          EXPECT_LE(std::fabs(grad_output), largest);
          const bool is_bias = gradient.computation.role == OutputRole::GradBias;
          EXPECT_TRUE(is_bias || std::fabs(other) <= largest);
        }
      }
    }
  }
}

/// What is pasted is what is typical, and narrower in pairs than in sequence; where that is not
/// known there is nothing to paste.
TEST(Tolerance, OffersWhatIsTypicalOfTheOrder) {
  const Case call = call_of("4,64,28,28", "32,64,3,3", "FLOAT");
  const auto of = [&](TreeFamily family) {
    corpus::Machine known;
    for (const OutputRole role : corpus::output_roles) {
      known.gradients.push_back(machine(role, family, family == TreeFamily::Blocks ? 16 : 0));
    }
    return tolerances_of(call, {.machine = &known}).value();
  };
  const auto unknown = tolerances_of(call, {}).value();
  const auto sequential = of(TreeFamily::Sequential), pairs = of(TreeFamily::Pairwise);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const auto& typical = unknown[i].computation.typical;
    ASSERT_TRUE(typical);
    EXPECT_LT(typical->absolute * 100, unknown[i].scalar.absolute);
    EXPECT_EQ(typical->absolute, sequential[i].computation.typical->absolute);
    EXPECT_LT(pairs[i].computation.typical->absolute * 4, typical->absolute);
  }
  const std::string text = tolerance_text(call, unknown, {});
  const auto atol = rounded_up(unknown[1].computation.typical->absolute);
  EXPECT_THAT(text, HasSubstr("assert_close(result, exact, rtol=0, atol=" + atol + ")"));
  EXPECT_THAT(text, HasSubstr("misses errors below " + atol));
  const auto blocks = of(TreeFamily::Blocks);
  EXPECT_FALSE(blocks[1].computation.typical);
  const std::string none = tolerance_text(call, blocks, {});
  EXPECT_THAT(none, testing::AllOf(HasSubstr("gradproof judge"), HasSubstr("gradproof.limits"),
                                   testing::Not(HasSubstr("assert_close"))));
}

/// A right kernel in Winograd's tiles errs more than the sums that the model is of.
TEST(Tolerance, OffersNoTypicalErrorWhereTheTargetMayComputeInTiles) {
  Case call = call_of("2,256,14,14", "256,256,3,3", "FLOAT");
  call.soc = "Ascend950";
  const auto under = [&](oracle::Profile profile) {
    ToleranceSettings settings;
    settings.judge.profile = profile;
    return tolerances_of(call, settings).value();
  };
  for (const auto& gradient : under(oracle::Profile::Documented)) {
    EXPECT_TRUE(gradient.computation.typical);
  }
  for (const auto& gradient : under(oracle::Profile::Released)) {
    const bool in_tiles = gradient.computation.role == OutputRole::GradWeight;
    EXPECT_EQ(gradient.computation.typical.has_value(), !in_tiles);
  }
}

/// By hand: 98 tiles of 4 products, of which S_w is 9 times S at the corners, and 106 roundings.
TEST(Tolerance, AllowsForTilesOnAllData) {
  Case call = call_of("2,256,14,14", "256,256,3,3", "FLOAT");
  call.soc = "Ascend950";
  ToleranceSettings settings{.data = uniform_law(-2, 2)};
  settings.judge.profile = oracle::Profile::Released;
  const auto released = tolerances_of(call, settings).value();
  EXPECT_NEAR(released[1].scalar.absolute, 106 * 0x1p-24 * 98 * 4 * 9 * 4, 1e-6);
  EXPECT_THAT(tolerance_text(call, released, settings), HasSubstr("at worst, in tiles too\n"));
  settings.judge.profile = oracle::Profile::Tolerant;
  EXPECT_EQ(tolerances_of(call, settings).value()[1].scalar.absolute, released[1].scalar.absolute);
}

/// A line to paste for results of a shorter format allows their rounding as a share, and hardly
/// more; what is typical of the error as such is half a unit of the largest results.
TEST(Tolerance, AllowsForTheRoundingOfResultsApart) {
  const auto gradients = tolerances_of(call_of("2,64,9,9", "8,64,3,3", "FLOAT16"), {}).value();
  const auto& typical = gradients[0].computation.typical;
  ASSERT_TRUE(typical);
  EXPECT_EQ(typical->relative, 0x1p-11);
  EXPECT_LT(typical->absolute, 1e-4);
  EXPECT_GT(typical->error, 100 * typical->absolute);
  EXPECT_GT(gradients[2].computation.typical->absolute, 1e-6) << "small elements are rounded";
}

TEST(Tolerance, IsRoundedUpToThreeDigits) {
  EXPECT_EQ(rounded_up(0), "0");
  EXPECT_EQ(rounded_up(0x1p-11), "0.000489");
  EXPECT_EQ(rounded_up(0.5), "0.5");
  for (double value = 1e-9; value < 1e9; value *= 1.37) {
    const double read = std::stod(rounded_up(value));
    EXPECT_GE(read, value);
    EXPECT_LE(read, value * 1.011);
  }
}

TEST(Tolerance, OfWhatHasNoneIsRefusedInWords) {
  const auto problem_with = [](const Case& call, const ToleranceSettings& settings) {
    const auto gradients = tolerances_of(call, settings);
    return gradients ? std::string("none") : gradients.error();
  };
  const Case call = call_of("2,16,9,9", "8,16,3,3", "FLOAT");
  EXPECT_THAT(problem_with(call, {.data = uniform_law(0, 1e30)}),
              HasSubstr("outside of 2^-20 to 2^20"));
  Case refused = call;
  refused.stride = std::vector<std::int64_t>{0, 1};
  EXPECT_THAT(problem_with(refused, {}), HasSubstr("not legal on Ascend910B"));
  Case too_long = call_of("20000000,1,1,1", "1,1,1,1", "FLOAT", "0");
  EXPECT_THAT(problem_with(too_long, {}), HasSubstr("have no bound"));
}

/// A machine of other dtypes, or with a tree for another sum, says so; the bound of every order
/// stays.
TEST(Tolerance, SaysWhyAMachineDoesNotSpeakOfTheCall) {
  const Case call = call_of("2,16,9,9", "8,16,3,3", "FLOAT");
  corpus::Machine known;
  known.gradients.push_back(machine(OutputRole::GradWeight, TreeFamily::Explicit));
  known.gradients.front().tree.leaves = 2;
  known.gradients.front().tree.nodes = {{0, 1}};
  known.call = call;
  const auto why = [&] {
    const auto gradients = tolerances_of(call, {.machine = &known});
    EXPECT_TRUE(gradients.has_value()) << gradients.error();
    return gradients->at(1).no_order;
  };
  EXPECT_EQ(why(), "the tree has 2 leaves, and an element 162 products");
  known.call = call_of("2,16,9,9", "8,16,3,3", "BF16");
  EXPECT_THAT(why(), HasSubstr("it was measured with the dtypes BF16"));
  known.call = call_of("2,16,8,8", "8,16,3,3", "FLOAT");
  EXPECT_THAT(why(), HasSubstr("other shapes"));
  known.gradients.clear();
  EXPECT_EQ(why(), "the machine says nothing of gradWeight");
}

}  // namespace
}  // namespace gradproof::advice
