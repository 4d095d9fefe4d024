#pragma once

#include <gtest/gtest.h>

#include "properties/cases/generators/random_case.h"
#include "properties/cases/laws/law.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

using corpus::Case;

inline Selection legal_calls() {
  Selection selection;
  selection.kind = Kind::Valid;
  return selection;
}

inline corpus::DataRecipe grid_up_to(std::int64_t grad_output, std::int64_t input,
                                     std::int64_t weight) {
  corpus::DataRecipe data;
  data.distribution = corpus::Distribution::ExactGrid;
  data.fills.emplace();
  (*data.fills)[0].magnitude = grad_output;
  (*data.fills)[1].magnitude = input;
  (*data.fills)[2].magnitude = weight;
  return data;
}

/// Up to `count` complete cases of the selection that the law says something about.
inline std::vector<Case> cases_of(const Law& law, Selection selection, std::uint64_t seed,
                                  std::size_t count) {
  selection.kind = Kind::Valid;
  const auto source = CaseSource::of(selection);
  EXPECT_TRUE(source);
  const std::vector<const Law*> only{&law};
  std::vector<Case> cases;
  for (std::uint64_t i = 0; cases.size() < count && i < 40 * count; ++i) {
    const Case drawn = (*source)(seed, i);
    if (laws_that_apply(only, drawn).empty()) continue;
    if (auto run = law_run(law, drawn, i)) cases.push_back(std::move(*run));
  }
  return cases;
}

}  // namespace gradproof::cases
