#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/oracle/judge/float_values.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::OutputRole;

/// How operands are stored and computed, and the format that a faulty kernel would use instead.
struct Precision {
  const char* name;
  Mode mode;
  NumberFormat careless;
};

constexpr DataType single = DataType::Float;
constexpr DataType half = DataType::Float16;
constexpr DataType brain = DataType::BFloat16;

const Precision precisions[] = {
    {"Float", {"Ascend910B", single, single, single, 0}, NumberFormat::Hf32Wide},
    {"Float16", {"Ascend910B", half, half, half, 0}, NumberFormat::BFloat16},
    {"BFloat16", {"Ascend910B", brain, brain, brain, 0}, NumberFormat::Float8E4M3FN},
    {"Hf32", {"Ascend910B", single, single, single, 1}, NumberFormat::Float16},
    {"Hf32OfAscend950", {"Ascend950", single, single, single, 1}, NumberFormat::BFloat16},
};

struct CarelessRounding {
  const char* name;
  Faults (*make)(const Precision&);
  Order order = Order::Sequential;
};

Faults partial_sums(NumberFormat format) {
  Faults faults;
  faults.partial = [format](float sum) { return rounded(sum, format); };
  return faults;
}

void drop_terms(std::vector<Term>& terms, bool (*dropped)(std::size_t, std::size_t)) {
  std::vector<Term> kept;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!dropped(i, terms.size())) kept.push_back(terms[i]);
  }
  terms = std::move(kept);
}

const CarelessRounding seeded[] = {
    {"operands rounded to a narrower format",
     [](const Precision& precision) {
       Faults faults;
       faults.operand = [&](corpus::InputRole, float value) {
         return rounded(value, precision.careless);
       };
       return faults;
     }},
    {"partial sums in FLOAT16",
     [](const Precision&) { return partial_sums(NumberFormat::Float16); }, Order::Blocked16},
    {"partial sums in BFLOAT16",
     [](const Precision&) { return partial_sums(NumberFormat::BFloat16); }, Order::Blocked16},
    {"one element unwritten",
     [](const Precision&) {
       Faults faults;
       faults.result = [](OutputRole, std::vector<std::byte>& bits, std::size_t size) {
         std::memset(bits.data() + bits.size() / size / 2 * size, 0, size);
       };
       return faults;
     }},
    {"a tap lost at the edge",
     [](const Precision&) {
       Faults faults;
       faults.terms = [](OutputRole role, std::uint64_t element, std::vector<Term>& terms) {
         const bool at_edge = role == OutputRole::GradInput ? element % 28 == 27 : element % 3 == 2;
         if (at_edge && !terms.empty()) terms.pop_back();
       };
       return faults;
     }},
    {"a channel or a split of the reduction lost",
     [](const Precision&) {
       Faults faults;
       faults.terms = [](OutputRole, std::uint64_t, std::vector<Term>& terms) {
         drop_terms(terms, [](std::size_t i, std::size_t count) { return i >= count / 16 * 15; });
       };
       return faults;
     }},
    {"a product added twice in one of 1000 elements",
     [](const Precision&) {
       Faults faults;
       faults.terms = [](OutputRole, std::uint64_t element, std::vector<Term>& terms) {
         if (element % 1000 == 501 && !terms.empty()) terms.push_back(terms[terms.size() / 2]);
       };
       return faults;
     }},
    {"two neighbours swapped",
     [](const Precision&) {
       Faults faults;
       faults.result = [](OutputRole, std::vector<std::byte>& bits, std::size_t size) {
         std::byte* element = bits.data() + bits.size() / size / 3 * size;
         std::swap_ranges(element, element + size, element + size);
       };
       return faults;
     }},
    {"the sign flipped in one of 1500 elements",
     [](const Precision&) {
       Faults faults;
       faults.result = [](OutputRole, std::vector<std::byte>& bits, std::size_t size) {
         for (std::size_t i = 700; i < bits.size() / size; i += 1500) {
           bits[i * size + size - 1] ^= std::byte{0x80};
         }
       };
       return faults;
     }},
};

class SeededFaults : public testing::TestWithParam<Precision> {};

/// The problem of the verdict table: N=8, C=K=16, 28x28, 3x3, one gradient at a time.
corpus::Case problem_for(const Precision& precision, OutputRole role) {
  corpus::Case test_case = square_case(precision.mode, 8, 16, 16, 28, 3);
  test_case.output_mask = {role == OutputRole::GradInput, role == OutputRole::GradWeight, false};
  return test_case;
}

bool is_found(const corpus::Case& test_case, const CorrectKernel& kernel, const Faults& faults,
              corpus::Outcome expected) {
  for (const corpus::Distribution recipe : default_recipes) {
    const auto run = with_recipe(test_case, recipe, 11);
    EXPECT_TRUE(run.has_value());
    const auto verdict = judge({*run, Profile::Documented}, observed(*run, kernel, {}, faults), {});
    if (expected == corpus::Outcome::Agree) {
      EXPECT_EQ(verdict.outcome, expected) << verdict.reason;
    }
    if (verdict.outcome == corpus::Outcome::Disagree) return true;
  }
  return false;
}

TEST_P(SeededFaults, AreAllFoundByTheDefaultRecipes) {
  for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
    const corpus::Case test_case = problem_for(GetParam(), role);
    for (const Order order : {Order::Sequential, Order::Blocked16}) {
      EXPECT_FALSE(is_found(test_case, {.order = order}, {}, corpus::Outcome::Agree));
    }
    for (const CarelessRounding& fault : seeded) {
      EXPECT_TRUE(is_found(test_case, {.order = fault.order}, fault.make(GetParam()),
                           corpus::Outcome::Disagree))
          << name_of(role) << ": " << fault.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryPrecision, SeededFaults, testing::ValuesIn(precisions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace gradproof::oracle
