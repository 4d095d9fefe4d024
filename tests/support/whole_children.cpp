#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace {

/// A runner that shards the tests says so in the environment; programs that a test starts must do
/// all of their own work. GoogleTest has read the variables before this.
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
