// A host that gives no thread: what the C functions answer then. The host is played by a
// pthread_create of this program's, which the libraries find first.

#include "acl/acl.h"
#include "kernel/device/streams/pacemaker.h"
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

/// Nothing waits for the task: it runs once the host gives a thread for it.
TEST_F(WithoutThreads, ATaskThatNobodyWaitsForRunsLater) {
  open({{"GRADPROOF_STREAMS", "deferred"}});
  aclrtStream stream = new_stream();
  std::atomic<bool> has_run = false;
  const auto task = [&] {
    has_run = true;
    return aclError{0};
  };
  ASSERT_EQ(device::enqueue(nullptr, [] { return aclError{0}; }), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << "the pacemaker has its thread now";
  gives_threads = false;
  ASSERT_EQ(device::enqueue(stream, task), ACL_SUCCESS);
  std::this_thread::sleep_for(4 * device::grace);
  EXPECT_FALSE(has_run);
  gives_threads = true;
  EXPECT_TRUE(becomes_true([&] { return has_run.load(); }));
}

}  // namespace
}  // namespace gradproof::kernel
