// The kernel with its atomics left on in deterministic mode (GRADPROOF_FAULT): what a schedule does
// there shows in the bits.

#include "tests/support/runtime_fixture.h"
#include "tests/support/split_call.h"

namespace gradproof::kernel {
namespace {

class Schedules : public OnDevice {};

/// A seed that held in deterministic mode too would hide the fault from every repeat of a call.
TEST_F(Schedules, VaryInDeterministicModeWhateverTheSeed) {
  open({{"GRADPROOF_SCHEDULE_SEED", "1"}});
  ASSERT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  SplitCall call(new_stream());
  Patterns patterns;
  for (int i = 0; i < 16; ++i) patterns.add(call.run());
  EXPECT_GE(patterns.grad_weight.size(), 2U);
}

}  // namespace
}  // namespace gradproof::kernel
