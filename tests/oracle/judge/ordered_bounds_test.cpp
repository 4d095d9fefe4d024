// The judge that knows in which order a kernel adds: dense data tell it more, and no correct kernel
// is wrong for it.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/ordered_bounds.h"
#include "oracle/recipes/recipe_plan.h"
#include "oracle/sums/dyadic.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/oracle/judge/float_values.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::Distribution;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::TreeFamily;

corpus::LeafOrder reversed_order(OutputRole role) {
  corpus::LeafOrder order;
  for (const char* axis : role == OutputRole::GradInput ? std::array{"k", "kd", "kh", "kw"}
                                                        : std::array{"n", "od", "oh", "ow"}) {
    corpus::OrderAxis loop;
    loop.axis = axis;
    loop.descending = true;
    order.loops.push_back(loop);
  }
  return order;
}

/// What a fingerprint of the kernel would say; none for trees that no family is.
std::shared_ptr<const corpus::Machine> machine_of(const CorrectKernel& kernel,
                                                  bool transposed = false) {
  if (kernel.order == Order::RandomTree) return nullptr;
  auto machine = std::make_shared<corpus::Machine>();
  for (const OutputRole role : corpus::output_roles) {
    corpus::GradientMachine gradient;
    gradient.gradient = role;
    const bool is_fused = kernel.fused && kernel.order <= Order::Reversed;
    gradient.product = is_fused ? corpus::MachineProduct::Fused : corpus::MachineProduct::Rounded;
    // The kernel multiplies padding along the smaller map, which here is not that of gradOutput.
    const bool has_other_places = transposed && role == OutputRole::GradWeight;
    if (kernel.multiplies_padding && has_other_places) continue;
    if (kernel.order == Order::Reversed) gradient.order = reversed_order(role);
    gradient.order.counts_absent = kernel.multiplies_padding && role != OutputRole::GradBias;
    if (kernel.order == Order::Pairwise) return nullptr;
    if (kernel.order == Order::Blocked16) gradient.tree = {TreeFamily::Split, 16, {}, 0, {}};
    if (kernel.addition != Addition::Nearest) {
      gradient.node.rounding = corpus::MachineRounding::TowardZero;
    }
    if (kernel.addition == Addition::Block) {
      gradient.tree = {TreeFamily::Blocks, 16, {}, 0, {}};
      gradient.product = corpus::MachineProduct::Exact;
      gradient.node.extra_bits = 0;
    }
    using enum corpus::SubnormalHandling;
    if (kernel.flushes_operands) gradient.subnormals.operands = Flushed;
    if (kernel.flushes_results) gradient.subnormals.products = gradient.subnormals.sums = Flushed;
    machine->gradients.push_back(gradient);
  }
  return machine;
}

CorrectKernel drawn_kernel(Random& random) {
  constexpr std::array orders{Order::Sequential, Order::Reversed, Order::Blocked16};
  CorrectKernel kernel{.order = orders.at(to_size(random.in(0, 2))),
                       .fused = random.one_in(3),
                       .multiplies_padding = random.one_in(4)};
  if (random.one_in(3)) {
    kernel.addition = random.one_in(2) ? Addition::Block : Addition::Truncated;
    kernel.flushes_operands = random.one_in(3);
    kernel.flushes_results = random.one_in(3);
  }
  return kernel;
}

/// GRADPROOF_FALSE_ALARM_SECONDS says how long.
TEST(OrderedBounds, NeverDisagreeWithACorrectKernel) {
  const char* text = std::getenv("GRADPROOF_FALSE_ALARM_SECONDS");
  const double seconds = text != nullptr ? std::strtod(text, nullptr) : 10;
  constexpr std::array recipes{
      Distribution::Uniform,      Distribution::Uniform,       Distribution::SparseFullMantissa,
      Distribution::Cancellation, Distribution::NearUnderflow, Distribution::ExactGrid};
  const auto start = std::chrono::steady_clock::now();
  int verdicts = 0, agreed = 0;
  std::uint64_t elements = 0;
  for (std::uint64_t seed = 1;
       std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds); ++seed) {
    Random random(seed);
    const auto test_case = random_case(random, random_mode(random));
    const auto recipe = recipes.at(to_size(random.in(0, 5)));
    const auto filled = with_recipe(test_case, recipe, random.bits());
    ASSERT_TRUE(filled.has_value());
    const CorrectKernel kernel = drawn_kernel(random);
    // Where the machine does not say, what holds for every kernel of these.
    const JudgeSettings settings{.adder = Adder::Block,
                                 .machine = machine_of(kernel, test_case.transposed)};
    const auto verdict =
        judge({*filled, settings.profile}, observed(*filled, kernel, settings), settings);
    ASSERT_NE(verdict.outcome, Outcome::Disagree)
        << "seed " << seed << ": " << verdict.reason << '\n'
        << to_json_line(*filled);
    ++verdicts;
    agreed += verdict.outcome == Outcome::Agree ? 1 : 0;
    for (const auto& output : verdict.outputs) elements += output.compared_elements;
  }
  fmt::print("{} verdicts, {} agreed, {} elements\n", verdicts, agreed, elements);
  EXPECT_GT(agreed, verdicts / 2);
}

struct Fault {
  const char* name;
  Mode mode;
  Faults faults;
  Order order;
};

Faults operands_in(NumberFormat format) {
  Faults faults;
  faults.operand = [format](corpus::InputRole, float value) { return rounded(value, format); };
  return faults;
}

Faults parts_in(NumberFormat format) {
  Faults faults;
  faults.partial = [format](float value) { return rounded(value, format); };
  return faults;
}

std::vector<Fault> precision_faults() {
  constexpr DataType single = DataType::Float, half = DataType::Float16, brain = DataType::BFloat16;
  const Mode in_float{"Ascend910B", single, single, single, 0};
  const Mode hf32{"Ascend910B", single, single, single, 1};
  const Mode halves{"Ascend910B", half, half, half, 0};
  const Mode brains{"Ascend910B", brain, brain, brain, 0};
  std::vector<Fault> faults;
  for (const Order order : {Order::Sequential, Order::Blocked16}) {
    faults.push_back({"HF32 for FLOAT", in_float, operands_in(NumberFormat::Hf32Wide), order});
    faults.push_back(
        {"HF32 of 10 bits for FLOAT", in_float, operands_in(NumberFormat::Hf32Narrow), order});
    faults.push_back({"FLOAT16 for FLOAT", in_float, operands_in(NumberFormat::Float16), order});
    faults.push_back({"BF16 for FLOAT", in_float, operands_in(NumberFormat::BFloat16), order});
    faults.push_back(
        {"HF32 of 10 bits for 11", hf32, operands_in(NumberFormat::Hf32Narrow), order});
    faults.push_back({"FLOAT16 for HF32", hf32, operands_in(NumberFormat::Float16), order});
    faults.push_back({"BF16 for FLOAT16", halves, operands_in(NumberFormat::BFloat16), order});
  }
  for (const NumberFormat format :
       {NumberFormat::Hf32Wide, NumberFormat::Float16, NumberFormat::BFloat16}) {
    faults.push_back({"parts in fewer bits", in_float, parts_in(format), Order::Blocked16});
    faults.push_back({"parts in fewer bits", halves, parts_in(format), Order::Blocked16});
    faults.push_back({"parts in fewer bits", brains, parts_in(format), Order::Blocked16});
  }
  return faults;
}

struct Seen {
  bool before = false, now = false;
};

Seen seen_on_dense_data(const Fault& fault, OutputRole role, std::int64_t length) {
  const std::int64_t channels = role == OutputRole::GradInput ? 16 : 4;
  corpus::Case test_case = square_case(fault.mode, 8, channels, channels, length, 3);
  test_case.output_mask = {role == OutputRole::GradInput, role == OutputRole::GradWeight, false};
  const corpus::Case dense = *with_recipe(test_case, Distribution::Uniform, 3);
  const CorrectKernel kernel{.order = fault.order};
  const JudgeSettings any_order;
  const JudgeSettings in_order{.machine = machine_of(kernel)};
  const auto seen = observed(dense, kernel, any_order, fault.faults);
  const auto disagrees = [&](const JudgeSettings& settings) {
    return judge({dense, settings.profile}, seen, settings).outcome == Outcome::Disagree;
  };
  return {disagrees(any_order), disagrees(in_order)};
}

/// The elements of dx in a row of four, padding 1, kernel of 3: the first adds taps 0 and 1, the
/// last taps 1 and 2.
TEST(OrderedBounds, KeepToTheProductsOfAMeasuredTree) {
  const auto tensor = [](std::vector<std::int64_t> shape) {
    return corpus::TensorCase{std::move(shape), DataType::Float, corpus::Format::Ncl, {}, 0, {}};
  };
  corpus::Case call;
  call.grad_output = tensor({1, 1, 4});
  call.input = tensor({1, 1, 4});
  call.weight = tensor({1, 1, 3});
  call.stride = call.padding = call.dilation = std::vector<std::int64_t>{1};
  call.output_padding = std::vector<std::int64_t>{0};
  const auto geometry = geometry_of(call);
  ASSERT_TRUE(geometry) << geometry.error();
  const Number one{Number::Kind::Finite, false, 1, 0};
  const Dense<Number> grad_output({1, 1, 1, 1, 4}, std::vector<Number>(4, one));
  const Dense<Number> weight({1, 1, 1, 1, 3}, std::vector<Number>(3, one));
  const auto known = [&](const corpus::GradientMachine& machine) {
    OrderedBounds bounds(machine, {}, *geometry, OutputRole::GradInput, grad_output, weight);
    std::string places;
    for (std::uint64_t place = 0; place < 4; ++place) places += bounds.at(place) ? '1' : '0';
    return places;
  };
  corpus::GradientMachine machine;
  EXPECT_EQ(known(machine), "1111");
  machine.elsewhere = {{{{0, 0, 3}}, {}, {}}};
  EXPECT_EQ(known(machine), "1110");
  machine.elsewhere.clear();
  machine.tree = {TreeFamily::Explicit, 0, {}, 3, {{0, 2}, {3, 1}}};
  EXPECT_EQ(known(machine), "0110");
  // Without the second position both ends have two products, of different taps.
  call.input = call.grad_output = tensor({1, 1, 2});
  const auto short_geometry = geometry_of(call);
  ASSERT_TRUE(short_geometry) << short_geometry.error();
  const Dense<Number> two({1, 1, 1, 1, 2}, std::vector<Number>(2, one));
  machine.tree = {TreeFamily::Explicit, 0, {}, 2, {{0, 1}}};
  OrderedBounds bounds(machine, {}, *short_geometry, OutputRole::GradInput, two, weight);
  EXPECT_TRUE(bounds.at(0));
  EXPECT_FALSE(bounds.at(1));
}

/// dx adds 144 products, dw 6272 where the map is 28 long, 1568 at 14, 392 at 7.
TEST(OrderedBounds, SeeOnDenseDataWhatTheBoundOfEveryOrderHides) {
  int hidden = 0, found = 0;
  for (const Fault& fault : precision_faults()) {
    for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
      for (const std::int64_t length : {7, 14, 28}) {
        if (role == OutputRole::GradInput && length > 7) continue;
        const Seen seen = seen_on_dense_data(fault, role, length);
        EXPECT_TRUE(seen.now || !seen.before) << fault.name;
        if (seen.before) continue;
        ++hidden;
        found += seen.now ? 1 : 0;
        if (!seen.now) {
          fmt::print("hidden still: {} in {}, {} long, order {}\n", fault.name, name_of(role),
                     length, static_cast<int>(fault.order));
        }
      }
    }
  }
  fmt::print("{} hidden by the bound of every order, {} of them found in their order\n", hidden,
             found);
  EXPECT_GE(hidden, 10);
  EXPECT_GE(found * 10, hidden * 8);
}

}  // namespace
}  // namespace gradproof::oracle
