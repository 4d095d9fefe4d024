// Sequences of calls of the public API, right and wrong ones mixed, against a model that knows what
// each may do: contexts, streams, events, memory and executors (fuzz/runtime). RapidCheck shortens
// a sequence that the runtime does not follow.

#include "acl/acl.h"
#include "fuzz/runtime/repertoire.h"
#include "tests/support/repeats.h"
#include "tests/support/runtime_fixture.h"

#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <cstdio>
#include <cstdlib>

namespace gradproof::kernel {
namespace {

using namespace fuzz::runtime;  // the steps are this test's words

template <typename... Steps>
void check_sequences(Runtime& runtime, StepList<Steps...>) {
  rc::state::check(Model{}, runtime, rc::state::gen::execOneOfWithArgs<Steps...>());
}

template <typename... Steps>
void expect_all_carried_out(StepList<Steps...>) {
  for (const char* name : {Steps::name...}) EXPECT_GT(times_carried_out[name], 0) << name;
}

class RuntimeState : public OnDevice {};

TEST_F(RuntimeState, FollowsItsModelThroughAnySequenceOfCalls) {
  // RapidCheck reads its parameters when it is first used; the user's own win.
  constexpr int keep_what_the_user_set = 0;
  const std::string parameters =
      "max_success=" + std::to_string(tests::repeats(1'500)) + " max_size=200";
  ::setenv("RC_PARAMS", parameters.c_str(), keep_what_the_user_set);
  EXPECT_TRUE(rc::check([] {
    aclrtSetDevice(0);  // each sequence begins with the default context alone
    Runtime runtime;
    check_sequences(runtime, Repertoire{});
  }));
  expect_all_carried_out(Repertoire{});
  if (std::getenv("GRADPROOF_MEASURE") == nullptr) return;
  for (const auto& [name, times] : times_carried_out) std::printf("%6d %s\n", times, name.c_str());
}

}  // namespace
}  // namespace gradproof::kernel
