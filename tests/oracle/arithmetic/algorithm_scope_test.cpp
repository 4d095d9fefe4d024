#include "oracle/arithmetic/algorithm_scope.h"

#include <gtest/gtest.h>

#include "tests/support/twins/winograd_twin.h"

namespace gradproof::oracle {
namespace {

using corpus::Algorithm;
using corpus::OutputRole;

/// The calls that the released library of Ascend950 computes so, and their nearest neighbours.
TEST(AlgorithmScope, IsAdmittedByRuleOnAscend950Alone) {
  const auto is_admitted = [](const TwinShape& shape, const char* soc, Profile profile) {
    const auto test_case = twin_case(shape, soc);
    JudgeSettings settings;
    settings.profile = profile;
    const auto geometry = *geometry_of(test_case);
    const auto way = arithmetics(test_case, OutputRole::GradWeight, settings).front();
    return tiles_admitted(settings, test_case, geometry, OutputRole::GradWeight, way).has_value();
  };
  const TwinShape taken{.channels = 256, .kernels = 256, .height = 14, .width = 14};
  EXPECT_TRUE(is_admitted(taken, "Ascend950", Profile::Released));
  EXPECT_TRUE(is_admitted(taken, "Ascend950", Profile::Tolerant));
  EXPECT_FALSE(is_admitted(taken, "Ascend950", Profile::Documented));
  EXPECT_FALSE(is_admitted(taken, "Ascend910B", Profile::Released));
  TwinShape fewer = taken;
  fewer.kernels = 255;
  EXPECT_FALSE(is_admitted(fewer, "Ascend950", Profile::Released));
  TwinShape small = taken;
  small.height = small.width = 3;
  EXPECT_FALSE(is_admitted(small, "Ascend950", Profile::Released));
  TwinShape grouped = taken;
  grouped.groups = 2;
  EXPECT_FALSE(is_admitted(grouped, "Ascend950", Profile::Released));
}

TEST(AlgorithmScope, FitsNoOtherKernelsModesOrGradients) {
  JudgeSettings settings;
  settings.algorithms = {{OutputRole::GradInput, Algorithm::Winograd2x3}};
  const auto is_admitted = [&](const corpus::Case& test_case, OutputRole role) {
    const auto way = arithmetics(test_case, role, settings).front();
    return tiles_admitted(settings, test_case, *geometry_of(test_case), role, way).has_value();
  };
  corpus::Case call = twin_case({.height = 7, .width = 7});
  EXPECT_TRUE(is_admitted(call, OutputRole::GradInput));
  EXPECT_FALSE(is_admitted(call, OutputRole::GradWeight));
  EXPECT_FALSE(is_admitted(call, OutputRole::GradBias));
  corpus::Case in_hf32 = call;
  in_hf32.cube_math_type = 3;
  EXPECT_FALSE(is_admitted(in_hf32, OutputRole::GradInput));
  corpus::Case strided = twin_case({.height = 7, .width = 7});
  strided.stride = {2, 2};
  strided.grad_output->shape = {1, 1, 4, 4};
  EXPECT_FALSE(is_admitted(strided, OutputRole::GradInput));
}

}  // namespace
}  // namespace gradproof::oracle
