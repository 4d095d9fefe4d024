#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace {

/// A runner that deals the tests out says so in the environment; what a test starts has all of its
/// own work to do. GoogleTest has read the variables before this.
class WholeChildren : public testing::Environment {
 public:
  void SetUp() override {
    constexpr std::array variables{"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX",
                                   "GTEST_SHARD_STATUS_FILE"};
    for (const char* variable : variables) ::unsetenv(variable);
  }
};

const testing::Environment* const whole_children =
    testing::AddGlobalTestEnvironment(new WholeChildren);

}  // namespace
