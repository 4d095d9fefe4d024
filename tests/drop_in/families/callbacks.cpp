// Callbacks in a bound thread, host functions in one of the simulator's.
#include <pthread.h>

#include "family.h"

static void add_one(void* number) { ++*static_cast<int*>(number); }

int main() {
  const Device device;
  const Stream stream, other;
  const std::uint64_t thread = static_cast<std::uint64_t>(pthread_self());
  int callbacks = 0, functions = 0;
  std::printf("not bound: %d\n", aclrtProcessReport(1));
  CHECK(aclrtSubscribeReport(thread, stream));
  for (int i = 0; i < 2; ++i)
    CHECK(aclrtLaunchCallback(add_one, &callbacks, ACL_CALLBACK_BLOCK, stream));
  while (callbacks < 2) CHECK(aclrtProcessReport(-1));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtUnSubscribeReport(thread, stream));
  std::printf("callbacks: %d\n", callbacks);
  CHECK(aclrtLaunchHostFunc(other, add_one, &functions));
  CHECK(aclrtSynchronizeStream(other));
  CHECK(aclrtSubscribeHostFunc(thread, other));
  CHECK(aclrtLaunchHostFunc(other, add_one, &functions));
  CHECK(aclrtProcessHostFunc(-1));
  CHECK(aclrtUnSubscribeHostFunc(thread, other));
  std::printf("host functions: %d\n", functions);
  return failures;
}
