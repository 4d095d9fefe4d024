// Libraries that cannot be loaded, lack functions, or meet the objects of another runtime.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "properties/cases/check/check.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/target/library_architecture.h"
#include "tests/properties/isolation/misbehaviour.h"

namespace gradproof::targets {
namespace {

namespace fs = std::filesystem;
using corpus::Outcome;
using testing::HasSubstr;

std::string loading_error(const std::vector<fs::path>& libraries) {
  const auto library = IsolatedLibrary::load(libraries);
  return library ? "it was loaded" : library.error();
}

TEST(IsolatedLoading, SaysHowALibraryEndedTheProcessThatLoadedIt) {
  {
    const Misbehaviour misbehaviour("segfault_while_loading");
    const std::string error = loading_error({GRADPROOF_MISBEHAVING_LIBRARY});
    EXPECT_THAT(error, HasSubstr("loading " GRADPROOF_MISBEHAVING_LIBRARY));
    EXPECT_THAT(error, HasSubstr("died of signal 11 (SIGSEGV)"));
  }
  const Misbehaviour misbehaviour("exit_while_loading");
  EXPECT_THAT(loading_error({GRADPROOF_MISBEHAVING_LIBRARY}), HasSubstr("exit code 7"));
}

TEST(IsolatedLoading, RepeatsTheLinkersWords) {
  EXPECT_THAT(loading_error({"/nowhere/libabsent.so"}), HasSubstr("No such file"));
  EXPECT_THAT(loading_error({"/etc/passwd"}),
              testing::AnyOf(HasSubstr("ELF"), HasSubstr("file too short")));
  // One needs a library that does not exist, the other a function that no library has.
  EXPECT_THAT(loading_error({GRADPROOF_NEEDY_LIBRARY}),
              HasSubstr("libgradproof_absent.so: cannot open shared object file"));
  EXPECT_THAT(loading_error({GRADPROOF_UNDEFINED_LIBRARY}),
              HasSubstr("undefined symbol: a_function_that_nobody_has"));
}

TEST(IsolatedLoading, TakesFromTheBackendWhatTheLibraryLacks) {
  const auto library = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY});
  ASSERT_TRUE(library);
  EXPECT_EQ((*library)->name(), fs::path(GRADPROOF_MISBEHAVING_LIBRARY).filename());
  const auto target = (*library)->new_target();
  EXPECT_EQ(cases::check(*target, case_of_groups(2), {}).outcome, Outcome::Agree);
}

TEST(IsolatedLoading, SaysWhereObjectsOfTwoRuntimesMeet) {
  const auto half = IsolatedLibrary::load({GRADPROOF_HALF_LIBRARY});
  ASSERT_TRUE(half) << half.error();
  ASSERT_EQ((*half)->remarks().size(), 1U);
  EXPECT_THAT((*half)->remarks().front(),
              HasSubstr("aclCreateTensor comes from libhalf_library.so, but aclCreateIntArray from "
                        "the simulated backend"));
  const auto whole = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY});
  ASSERT_TRUE(whole);
  EXPECT_TRUE((*whole)->remarks().empty());
}

/// Two runtimes in one process, each with objects of its own: neither may take the other's.
TEST(MixedRuntimes, TakeNoOptionalFunctionOfARuntimeThatNobodyUses) {
  CannApi api;
  std::vector<std::string> origins;
  for (const EntryPoint& row : entry_points()) {
    row.assign(api, reinterpret_cast<void*>(&drop_strangers));
    origins.emplace_back(row.need == Need::Required ? "theirs" : "ours");
  }
  drop_strangers(api, origins, "stand-in");
  EXPECT_EQ(api.set_process_option, nullptr);
  EXPECT_EQ(api.memory_info, nullptr);
  EXPECT_NE(api.allocate, nullptr);
  EXPECT_NE(api.set_executor_repeatable, nullptr) << "a target may have it in a second library";
  EXPECT_TRUE(mixed_runtimes(origins).empty());
  origins.back() = "ours";  // the operator's own functions may come from anywhere
  EXPECT_TRUE(mixed_runtimes(origins).empty());
  origins.front() = "ours";
  ASSERT_EQ(mixed_runtimes(origins).size(), 1U);
  EXPECT_EQ(mixed_runtimes(origins).front(),
            "aclInit comes from ours, but aclFinalize from theirs: unless one passes calls on to "
            "the other, objects of two runtimes meet");
}

/// A library with executors of its own and no function to make one repeatable: the simulated
/// backend's would read it as one of its own.
TEST(MixedRuntimes, HandNoExecutorToTheStandIn) {
  for (const char* giver_of_the_operator : {"theirs", "stand-in"}) {
    CannApi api;
    std::vector<std::string> origins;
    for (const EntryPoint& row : entry_points()) {
      row.assign(api, reinterpret_cast<void*>(&drop_strangers));
      const bool is_phase = row.name.starts_with("aclnn");
      origins.emplace_back(is_phase ? giver_of_the_operator : "stand-in");
    }
    drop_strangers(api, origins, "stand-in");
    const bool is_own = origins.front() == giver_of_the_operator;
    EXPECT_EQ(api.set_executor_repeatable != nullptr, is_own) << giver_of_the_operator;
    EXPECT_EQ(api.destroy_executor != nullptr, is_own) << giver_of_the_operator;
    EXPECT_NE(api.memory_info, nullptr) << giver_of_the_operator;
  }
}

}  // namespace
}  // namespace gradproof::targets
