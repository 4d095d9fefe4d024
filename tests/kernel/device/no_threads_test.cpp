// A host that gives no thread: what the C functions answer then. The host is played by a
// pthread_create of this program's, which the libraries find first.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

namespace {

std::atomic<bool> gives_threads{true};

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  using Create = decltype(&pthread_create);
  static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  return gives_threads ? create(thread, attributes, start, argument) : EAGAIN;
}

namespace gradproof::kernel {
namespace {

class WithoutThreads : public OnDevice {
 protected:
  void TearDown() override {
    gives_threads = true;
    OnDevice::TearDown();
  }
};

TEST_F(WithoutThreads, WhoWaitsDoesAnOrdinaryStreamsWork) {
  open({{"GRADPROOF_STREAMS", "deferred"}});
  aclrtStream stream = new_stream();
  gives_threads = false;
  bool has_run = false;
  const auto task = [&] {
    has_run = true;
    return aclError{0};
  };
  ASSERT_EQ(device::enqueue(stream, task), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_TRUE(has_run);
}

TEST_F(WithoutThreads, AStreamThatNeedsOneRefusesItsTask) {
  open({{"GRADPROOF_STREAMS", "eager"}});
  aclrtStream stream = new_stream();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  gives_threads = false;
  EXPECT_EQ(aclrtRecordEvent(event, stream), 207001);
  gives_threads = true;
  EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS) << "nothing was queued before";
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(WithoutThreads, ATaskThatNeedsOneFails) {
  open({{"GRADPROOF_STREAMS", "deferred"}});
  aclrtStream waits = new_stream(), records = new_stream();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, records), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(waits, event), ACL_SUCCESS);
  gives_threads = false;
  EXPECT_EQ(aclrtSynchronizeStream(waits), 207001);
}

}  // namespace
}  // namespace gradproof::kernel
