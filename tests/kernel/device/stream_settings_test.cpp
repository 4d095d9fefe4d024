// What streams are told and tell: ids, priorities, flags, attributes, configurations, allocators.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

class StreamSettings : public OnDevice {};

TEST_F(StreamSettings, AreThoseOfTheCreation) {
  aclrtStream stream = nullptr, other = new_stream();
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 3, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC),
            ACL_SUCCESS);
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 3U);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 3U);
  EXPECT_EQ(aclrtStreamGetFlags(nullptr, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0U);
  std::int32_t id = -1, other_id = -1;
  EXPECT_EQ(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(other, &other_id), ACL_SUCCESS);
  EXPECT_NE(id, other_id);
  std::int32_t least = -1, greatest = -1;
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(&least, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(nullptr, &greatest), ACL_SUCCESS);
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(aclrtGetStreamAvailableNum(&value), ACL_SUCCESS);
  EXPECT_EQ(value, 1982U);
  EXPECT_EQ(aclrtStreamGetPriority(stream, nullptr), 100000);
  EXPECT_EQ(aclrtStreamGetPriority(garbage_handle(), &value), 107017);
}

TEST_F(StreamSettings, HaveAttributes) {
  aclrtStream stream = new_stream();
  aclrtStreamAttrValue value{}, found{};
  value.userCustomTag = 17;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &found), ACL_SUCCESS);
  EXPECT_EQ(found.userCustomTag, 17U);
  value.streamPriority = 8;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 107000);
  value.streamPriority = 7;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &found), ACL_SUCCESS);
  EXPECT_EQ(found.streamPriority, 7U);
  value.failureMode = 2;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 107000);
  value.overflowSwitch = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), 207000);
  EXPECT_EQ(aclrtSetStreamAttribute(stream, static_cast<aclrtStreamAttr>(6), &value), 107000);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, static_cast<aclrtStreamAttr>(0), &value), 107000);
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, nullptr), 100000);
}

TEST_F(StreamSettings, ComeFromAConfiguration) {
  aclrtStreamConfigHandle* handle = aclrtCreateStreamConfigHandle();
  ASSERT_NE(handle, nullptr);
  const std::uint32_t priority = 4;
  const std::size_t flag = ACL_STREAM_HUGE;
  EXPECT_EQ(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_FLAG, &flag, sizeof flag), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_FLAG, &flag, 3), 100000);
  EXPECT_EQ(aclrtSetStreamConfigOpt(handle, static_cast<aclrtStreamConfigAttr>(9), &flag, 8),
            100000);
  EXPECT_EQ(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_FLAG, nullptr, 8), 100000);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamV2(&stream, handle), ACL_SUCCESS);
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 4U);
  EXPECT_EQ(aclrtCreateStreamV2(nullptr, handle), 100000);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(handle), 107017);
  EXPECT_EQ(aclrtCreateStreamV2(&stream, handle), 107017);
  EXPECT_EQ(aclrtDestroyStreamConfigHandle(nullptr), 100000);
}

TEST_F(StreamSettings, StopTheStreamsOfTheContextOnAFailure) {
  const aclrtStream failing_one = new_stream(), other = new_stream();
  ASSERT_EQ(aclrtSetStreamFailureMode(failing_one, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  bool has_run = false;
  Gate gate;
  ASSERT_EQ(device::enqueue(other, gate.task()), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(other,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  aclrtStreamStatus status{};
  ASSERT_EQ(aclrtStreamQuery(other, &status), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(failing_one, failing(507014, "EE1001: it failed")), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamQuery(failing_one, &status), ACL_SUCCESS);
  EXPECT_TRUE(
      becomes_true([&] { return device::enqueue(other, [] { return aclError{0}; }) == 507014; }));
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_FALSE(has_run) << "it was dropped";
  EXPECT_EQ(aclrtSynchronizeStream(failing_one), 507014);
  EXPECT_EQ(device::enqueue(other, [] { return aclError{0}; }), ACL_SUCCESS);
}

TEST_F(StreamSettings, AbortsDropWhatHasNotBegun) {
  const aclrtStream stream = new_stream();
  bool has_run = false;
  ASSERT_EQ(device::enqueue(stream,
                            [&] {
                              has_run = true;
                              return aclError{0};
                            }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 107023);
  EXPECT_THAT(error_text(), HasSubstr("aclrtStreamAbort: dropped"));
  EXPECT_FALSE(has_run);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(garbage_handle()), 107017);
}

TEST_F(StreamSettings, WaitsForEventsEnd) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(nullptr, event, -1), 107000);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(nullptr, event, 0, 2), 100000);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(nullptr, event, 1, 1), 100000);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(nullptr, event, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107019);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEventWithFlag(nullptr, event, 0, ACL_EVENT_WAIT_EXTERNAL), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

// ---- Allocators

void* allocate(aclrtAllocator, std::size_t) { return nullptr; }
void release(aclrtAllocator, aclrtAllocatorBlock) {}
void* address_of(aclrtAllocatorBlock) { return nullptr; }

TEST_F(StreamSettings, AllocatorsAreKeptForEachStream) {
  const aclrtStream stream = new_stream();
  aclrtAllocatorDesc description = aclrtAllocatorCreateDesc(), found = nullptr;
  int object = 0;
  EXPECT_EQ(aclrtAllocatorRegister(stream, description), 100000) << "it has nothing yet";
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(description, &object), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(description, allocate), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(description, release), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorRegister(stream, description), 100000);
  EXPECT_THAT(error_text(), HasSubstr("getAddrFromBlock"));
  EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, address_of), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorRegister(nullptr, description), 100000);
  EXPECT_EQ(aclrtAllocatorGetByStream(stream, &found, nullptr, nullptr, nullptr, nullptr, nullptr),
            100000);
  ASSERT_EQ(aclrtAllocatorRegister(stream, description), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(description), ACL_SUCCESS) << "the stream has a copy";
  aclrtAllocator allocator = nullptr;
  aclrtAllocatorFreeFunc free_function = nullptr;
  EXPECT_EQ(aclrtAllocatorGetByStream(stream, &found, &allocator, nullptr, &free_function, nullptr,
                                      nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(found, description);
  EXPECT_EQ(allocator, &object);
  EXPECT_EQ(free_function, release);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(description), 107017);
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(description, &object), 107017);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(nullptr), 100000);
  EXPECT_EQ(aclrtAllocatorUnregister(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtAllocatorUnregister(stream), ACL_SUCCESS) << "none is fine";
  EXPECT_EQ(aclrtAllocatorUnregister(nullptr), 100000);
}

}  // namespace
}  // namespace gradproof::kernel
