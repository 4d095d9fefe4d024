#include "properties/runs/prove/attack.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "corpus/element_encoding.h"
#include "corpus/random_source.h"
#include "oracle/recipes/recipe_plan.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::Distribution;
using corpus::InputRole;

constexpr std::uint32_t every_element = 65536, every_second_element = 32768;

Case grid_of_density(const Case& test_case, const ProofPlan& plan, std::uint64_t seed,
                     std::uint32_t density) {
  Case run = test_case;
  auto& data = run.data.emplace();
  data.seed = seed;
  data.distribution = Distribution::ExactGrid;
  auto& fills = data.fills.emplace();
  for (std::size_t i = 0; i < fills.size(); ++i) {
    fills.at(i).density = density;
    fills.at(i).magnitude = plan.magnitudes.at(i);
  }
  return run;
}

std::optional<Case> zeros(const Case& test_case, const ProofPlan& plan, std::uint64_t seed) {
  return grid_of_density(test_case, plan, seed, every_second_element);
}

std::optional<Case> equal_values(const Case& test_case, const ProofPlan& /*plan*/,
                                 std::uint64_t seed) {
  Case run = test_case;
  auto& data = run.data.emplace();
  data.seed = seed;
  data.distribution = Distribution::Uniform;
  data.range_low = data.range_high = 1;
  return run;
}

std::optional<Case> one_hot(const Case& test_case, const ProofPlan& plan, std::uint64_t seed) {
  const auto count = corpus::element_count(test_case.grad_output->shape).value_or(0);
  if (count == 0) return std::nullopt;
  return one_hot_run(test_case, plan, seed % static_cast<std::uint64_t>(count), seed);
}

/// Makes a call that runs each time twice, with other contents of outputs and workspace.
std::optional<Case> repeat(const Case& test_case, const ProofPlan& plan, std::uint64_t seed) {
  Case run = grid_run(test_case, plan, seed);
  run.deterministic = true;
  return run;
}

template <Distribution recipe>
std::optional<Case> under_recipe(const Case& test_case, const ProofPlan& /*plan*/,
                                 std::uint64_t seed) {
  auto run = oracle::with_recipe(test_case, recipe, seed);
  return run ? std::optional(std::move(*run)) : std::nullopt;
}

constexpr Attack attacks[] = {
    {"zeros", "every second element is 0", zeros},
    {"equal", "all elements are 1", equal_values},
    {"one_hot", "one element of gradOutput is not 0", one_hot},
    {"repeat", "the same call twice, in deterministic mode", repeat},
    {"specials", "NaN, infinities, -0, both ends of the finite range",
     under_recipe<Distribution::Specials>},
    {"large", "values up to the end of the result's range",
     under_recipe<Distribution::NearOverflow>},
    {"small", "values down to the smallest ones", under_recipe<Distribution::NearUnderflow>},
    {"full", "every bit of the significand is drawn",
     under_recipe<Distribution::SparseFullMantissa>},
};

std::vector<std::int64_t> at_index(std::int64_t index, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return at;
}

}  // namespace

std::span<const Attack> all_attacks() { return attacks; }

Case grid_run(const Case& test_case, const ProofPlan& plan, std::uint64_t seed) {
  return grid_of_density(test_case, plan, seed, every_element);
}

Case one_hot_run(const Case& test_case, const ProofPlan& plan, std::uint64_t element,
                 std::uint64_t seed) {
  Case run = test_case;
  auto& data = run.data.emplace();
  data.seed = seed;
  data.distribution = Distribution::Listed;
  corpus::RandomSource random(seed, element);
  const auto drawn = [&](InputRole role, std::int64_t magnitude) {
    const std::int64_t integer = random.between(1, magnitude);
    const auto value = static_cast<double>(random.chance(50) ? -integer : integer);
    return corpus::encode_exactly(corpus::tensor(test_case, role)->dtype, value).value_or(0);
  };
  for (const InputRole role : corpus::input_roles) {
    const auto& shape = corpus::tensor(test_case, role)->shape;
    auto& listed = data.listed[role];
    if (role == InputRole::GradOutput) {
      listed.push_back({at_index(static_cast<std::int64_t>(element), shape), drawn(role, 1)});
      continue;
    }
    const std::int64_t count = corpus::element_count(shape).value_or(0);
    for (std::int64_t i = 0; i < count; ++i) {
      listed.push_back({at_index(i, shape), drawn(role, plan.magnitudes[role])});
    }
  }
  return run;
}

}  // namespace gradproof::runs
