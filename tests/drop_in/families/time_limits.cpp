// How long operators may run and wait.
#include "family.h"

int main() {
  const Device device;
  std::uint64_t actual = 0, interval = 0;
  std::uint32_t milliseconds = 0;
  CHECK(aclrtSetOpWaitTimeout(3));
  CHECK(aclrtSetOpExecuteTimeOutWithMs(2500));
  CHECK(aclrtGetOpExecuteTimeout(&milliseconds));
  CHECK(aclrtSetOpExecuteTimeOutV2(1500000, &actual));
  CHECK(aclrtGetOpTimeOutInterval(&interval));
  std::printf("%d step, at least as long: %d, whole steps: %d\n",
              milliseconds == interval / 1000 ? 1 : 0, actual >= 1500000, actual % interval == 0);
  return failures;
}
