#pragma once

// Cases in FLOAT to shrink.

#include <gtest/gtest.h>

#include "oracle/geometry/workload.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/random_case.h"
#include "tests/properties/shrink/rapidcheck_cases.h"

namespace gradproof::cases {

using corpus::Case;

/// Cases that the fake can compute: FLOAT throughout, kept in FLOAT, not empty.
inline std::vector<Case> float_cases(std::uint64_t seed, std::size_t count) {
  Selection selection;
  selection.kind = Kind::Valid;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 20'000;
  const auto source = CaseSource::of(selection);
  EXPECT_TRUE(source);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; cases.size() < count; ++i) {
    Case test_case = (*source)(seed, i);
    const bool computable =
        test_case.cube_math_type == 0 && oracle::mac_count(test_case) != 0 &&
        (!test_case.grad_weight || test_case.grad_weight->dtype == corpus::DataType::Float);
    if (computable) cases.push_back(std::move(test_case));
  }
  return cases;
}

inline std::vector<Case> documented_runs(const Case& test_case) {
  return runs_of({test_case, oracle::Profile::Documented}, {});
}

}  // namespace gradproof::cases
