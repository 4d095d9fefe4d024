#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "corpus/case_json.h"
#include "oracle/status/status_oracle.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/simulated_backend.h"
#include "properties/targets/target/target.h"
#include "tests/support/random_call.h"
#include "tests/support/repeats.h"

// The kernel's parameter checks and the oracle's rules were written from the same specification by
// different hands. Run once per profile, chosen as a user would: GRADPROOF_PROFILE, read by the
// simulated backend. GRADPROOF_CALLS sets how many calls are compared.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Status;

std::string_view setting(const char* name, std::string_view otherwise) {
  const char* value = std::getenv(name);
  return value ? std::string_view(value) : otherwise;
}

Profile profile_of_backend() {
  return setting("GRADPROOF_PROFILE", "documented") == "released" ? Profile::Released
                                                                  : Profile::Documented;
}

std::uint64_t call_count() {
  const std::string all = std::to_string(tests::repeats(200000));
  return std::strtoull(setting("GRADPROOF_CALLS", all).data(), nullptr, 10);
}

TEST(KernelStatuses, AreThoseOfTheOracle) {
  targets::furnish_simulated_machine();
  auto library = targets::LoadedLibrary::load({});
  ASSERT_TRUE(library.has_value()) << library.error();
  const auto target = (*library)->new_target();
  const Profile profile = profile_of_backend();
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < call_count(); ++seed) {
    const Case test_case = random_call(seed);
    const auto observation = target->run_case(test_case, {.status_only = true});
    ASSERT_TRUE(observation.phase_one.has_value())
        << seed << " " << observation.unsupported.value_or(observation.failure.value_or(""));
    const auto answer = admissible_statuses(test_case, profile);
    ASSERT_FALSE(answer.not_judged.has_value()) << seed << " " << answer.not_judged.value_or("");
    const Status status = *observation.phase_one;
    const bool admitted = std::ranges::find(answer.statuses, status) != answer.statuses.end();
    ASSERT_TRUE(admitted) << "seed " << seed << ": " << corpus::words(status) << " where the rules "
                          << "admit " << corpus::words(answer.statuses.front()) << "\n"
                          << observation.message << "\n"
                          << corpus::to_json_line(test_case);
    ++compared;
  }
  RecordProperty("compared", static_cast<int>(compared));
  EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace gradproof::oracle
