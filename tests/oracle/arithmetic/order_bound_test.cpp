#include "oracle/arithmetic/order_bound.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "oracle/sums/dyadic.h"
#include "tests/support/random_problem.h"
#include "tests/support/repeats.h"

namespace gradproof::oracle {
namespace {

using corpus::GradientMachine;
using corpus::MachineProduct;
using corpus::MachineRounding;
using corpus::TreeCombine;
using corpus::TreeFamily;

/// FLOAT operands: products are rounded, or fused with the sum that they join.
const Arithmetic float_operands;

GradientMachine machine(TreeFamily family, std::int64_t size = 0,
                        TreeCombine combine = TreeCombine::Sequential) {
  GradientMachine result;
  result.product = MachineProduct::Rounded;
  result.tree = {family, size, combine, 0, {}};
  return result;
}

GradientMachine blocks(std::int64_t size, int extra_bits) {
  GradientMachine result = machine(TreeFamily::Blocks, size);
  result.product = MachineProduct::Exact;
  result.node = {MachineRounding::TowardZero, 24, extra_bits};
  return result;
}

// Sums in these orders, written as loops: nothing is taken from the code under test.

float in_sequence(std::span<const double> p) {
  float sum = static_cast<float>(p[0]);
  for (std::size_t i = 1; i < p.size(); ++i) sum += static_cast<float>(p[i]);
  return sum;
}

float in_pairs(std::vector<float> p) {
  while (p.size() > 1) {
    std::vector<float> next;
    for (std::size_t i = 0; i < p.size(); i += 2) {
      next.push_back(i + 1 < p.size() ? p[i] + p[i + 1] : p[i]);
    }
    p = next;
  }
  return p[0];
}

float pairwise(std::span<const double> p) { return in_pairs({p.begin(), p.end()}); }

template <std::size_t lanes>
float in_lanes(std::span<const double> p) {
  std::vector<float> sums;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto product = static_cast<float>(p[i]);
    if (i < lanes) sums.push_back(product);
    if (i >= lanes) sums[i % lanes] += product;
  }
  return in_pairs(sums);
}

float in_parts_of_16(std::span<const double> p) {
  float sum = 0;
  for (std::size_t i = 0; i < p.size(); i += 16) {
    const float part = in_sequence(p.subspan(i, std::min<std::size_t>(16, p.size() - i)));
    sum = i == 0 ? part : sum + part;
  }
  return sum;
}

float fused(std::span<const double> p) {
  float sum = 0;
  for (const double product : p) sum = static_cast<float>(double{sum} + product);
  return sum;
}

double cut(double value, double unit) { return std::trunc(value / unit) * unit; }

/// Addends cut to 24 + extra bits below the largest, their sum to 24 bits.
template <std::size_t size, int extra>
float in_blocks(std::span<const double> p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); i += size) {
    std::vector<double> addends{sum};
    for (std::size_t j = i; j < std::min(i + size, p.size()); ++j) addends.push_back(p[j]);
    double largest = 0;
    for (const double addend : addends) largest = std::max(largest, std::fabs(addend));
    if (largest == 0) continue;
    const double unit = std::ldexp(1.0, std::ilogb(largest) - 23 - extra);
    sum = 0;
    for (const double addend : addends) sum += cut(addend, unit);
    if (sum != 0) sum = cut(sum, std::ldexp(1.0, std::ilogb(sum) - 23));
  }
  return static_cast<float>(sum);
}

struct OrderOfSums {
  const char* name;
  GradientMachine machine;
  float (*sum)(std::span<const double>);
};

std::vector<OrderOfSums> ten_orders() {
  GradientMachine multiply_add = machine(TreeFamily::Sequential);
  multiply_add.product = MachineProduct::Fused;
  return {{"sequential", machine(TreeFamily::Sequential), in_sequence},
          {"sequential, fused", multiply_add, fused},
          {"pairwise", machine(TreeFamily::Pairwise), pairwise},
          {"8 lanes", machine(TreeFamily::Lanes, 8, TreeCombine::Pairwise), in_lanes<8>},
          {"16 lanes", machine(TreeFamily::Lanes, 16, TreeCombine::Pairwise), in_lanes<16>},
          {"parts of 16", machine(TreeFamily::Split, 16), in_parts_of_16},
          {"blocks of 4, cut", blocks(4, 0), in_blocks<4, 0>},
          {"blocks of 8, cut, 1 bit more", blocks(8, 1), in_blocks<8, 1>},
          {"blocks of 16, cut, 2 bits more", blocks(16, 2), in_blocks<16, 2>},
          {"blocks of 16, cut, 3 bits more", blocks(16, 3), in_blocks<16, 3>}};
}

/// Products of two FLOATs: of one sign or both, of one binade or many, and some that cancel.
std::vector<double> drawn_products(Random& random) {
  const auto count = to_size(random.in(1, random.one_in(10) ? 400 : 40));
  const int binades = random.one_in(2) ? 2 : 40;
  const bool has_one_sign = random.one_in(4), cancels = random.one_in(4);
  std::vector<double> products;
  const auto factor = [&] {
    const double significand =
        std::ldexp(static_cast<double>(random.in(1 << 23, (1 << 24) - 1)), -23);
    const bool is_negative = !has_one_sign && random.one_in(2);
    return std::ldexp(is_negative ? -significand : significand,
                      static_cast<int>(random.in(-binades / 2, binades / 2)));
  };
  while (products.size() < count) {
    products.push_back(factor() * factor());
    if (cancels && products.size() < count) products.push_back(-products.back());
  }
  return products;
}

double exact_error(float computed, const std::vector<double>& products) {
  Dyadic sum;
  for (const double product : products) sum += Dyadic::from_double(product);
  return (Dyadic::from_double(double{computed}) - sum).magnitude().to_double();
}

/// 20,000 sums for each of ten orders; GRADPROOF_ORDERED_SUMS says how many.
TEST(OrderBound, IsNeverExceededInItsOrder) {
  const char* text = std::getenv("GRADPROOF_ORDERED_SUMS");
  const long sums = text != nullptr ? std::strtol(text, nullptr, 10) : tests::repeats(20'000);
  Random random(5);
  for (const OrderOfSums& order : ten_orders()) {
    const OrderBound bound(order.machine, float_operands, false);
    double nearest = 0;
    for (long i = 0; i < sums; ++i) {
      const auto products = drawn_products(random);
      const double error = exact_error(order.sum(products), products);
      const OrderTerms terms = bound.terms(products);
      ASSERT_LE(error, terms.by_depth) << order.name << ", sum " << i;
      ASSERT_LE(error, terms.by_partial_sums) << order.name << ", sum " << i;
      if (error > 0) nearest = std::max(nearest, error / terms.by_partial_sums);
    }
    fmt::print("{}: {} sums, none outside; the nearest at {:.3f} of the bound\n", order.name, sums,
               nearest);
    EXPECT_GT(nearest, 0.3) << order.name << ": a bound that nothing comes near says little";
  }
}

/// The example of docs/tolerances.md, by hand: 1 + u + u + u with u = 2^-24, products exact.
TEST(OrderBound, OfFourTermsIsWhatTheHandSays) {
  Arithmetic half;
  half.operands = NumberFormat::Float16;
  const double u = 0x1p-24;
  const std::vector<double> products{1, u, u, u};
  const auto sequential = machine(TreeFamily::Sequential);
  const auto in_sequence_terms = OrderBound(sequential, half, false).terms(products);
  EXPECT_EQ(in_sequence_terms.roundings, 3U);
  EXPECT_NEAR(in_sequence_terms.by_depth / u, 3, 1e-5);
  EXPECT_EQ(exact_error(in_sequence(products), products), 3 * u);
  const auto tree = machine(TreeFamily::Pairwise);
  const auto in_pairs_terms = OrderBound(tree, half, false).terms(products);
  EXPECT_EQ(in_pairs_terms.roundings, 2U);
  EXPECT_NEAR(in_pairs_terms.by_depth / u, 2, 1e-5);
  EXPECT_EQ(exact_error(pairwise(products), products), u);
}

TEST(OrderBound, OfPartialSumsIsNarrowWhereSignsDiffer) {
  std::vector<double> products;
  for (int i = 0; i < 1000; ++i) products.push_back(i % 2 == 0 ? 1.0 : -1.0);
  const auto sequential = machine(TreeFamily::Sequential);
  const auto terms = OrderBound(sequential, float_operands, false).terms(products);
  EXPECT_LT(terms.by_partial_sums * 100, terms.by_depth);
}

TEST(OrderBound, KnowsWhatHoldsInAnyOrder) {
  EXPECT_EQ(adder_of(machine(TreeFamily::Pairwise)), Adder::Ieee);
  EXPECT_EQ(adder_of(blocks(16, 0)), Adder::Block);
  GradientMachine cutting = machine(TreeFamily::Sequential);
  cutting.node.rounding = MachineRounding::TowardZero;
  EXPECT_EQ(adder_of(cutting), Adder::Faithful);
  cutting.node.accumulator_bits = 14;
  EXPECT_EQ(adder_of(cutting), std::nullopt);
}

}  // namespace
}  // namespace gradproof::oracle
