#pragma once

// A library that misbehaves as it is told, and cases that show on which calls.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/generators/valid_case.h"
#include "tests/properties/isolation/checked_heap.h"

namespace gradproof::targets {

using corpus::Case;

/// The misbehaving library misbehaves in calls with three groups.
inline Case case_of_groups(int groups, std::int64_t batch = 2) {
  cases::Convolution sizes;
  sizes.batch = batch;
  sizes.groups = groups;
  sizes.small_channels_per_group = 2;
  sizes.big_channels_per_group = 3;
  sizes.axes = {{.big = 5, .kernel = 2},
                {.big = 6, .kernel = 3, .padding_begin = 1, .padding_end = 1}};
  Case test_case = cases::plain_case(sizes, cases::Frame{});
  test_case.id = fmt::format("groups-{}", groups);
  return *oracle::with_recipe(test_case, corpus::Distribution::ExactGrid, 7);
}

/// GRADPROOF_MISBEHAVIOUR for as long as it lives.
class Misbehaviour {
 public:
  explicit Misbehaviour(const std::string& name) {
    ::setenv("GRADPROOF_MISBEHAVIOUR", name.c_str(), 1);
  }
  ~Misbehaviour() { ::unsetenv("GRADPROOF_MISBEHAVIOUR"); }
  Misbehaviour(const Misbehaviour&) = delete;
  Misbehaviour& operator=(const Misbehaviour&) = delete;
};

inline void skip_what_is_not_noticed(std::string_view misbehaviour) {
  if (misbehaviour == "corrupt_heap" && !tests::has_checked_heap) {
    GTEST_SKIP() << "this build's malloc does not notice it";
  }
}

}  // namespace gradproof::targets
