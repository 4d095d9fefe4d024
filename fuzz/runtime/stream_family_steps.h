#pragma once

#include "fuzz/runtime/stream_steps.h"

#include <pthread.h>

#include <cstdint>
#include <vector>

namespace gradproof::fuzz::runtime {

/// A step about a stream that the host then waits for: what the families of streams' functions do.
template <typename Derived>
struct ThroughStream : OnStream<Derived> {
  using OnStream<Derived>::OnStream;
  std::vector<int> numbers() const { return {this->stream}; }
  void apply(Model& model) const override { model.settle(this->stream, model.tick); }
};

/// A callback in this thread, bound, unbound, and unbound again.
struct CallBack : ThroughStream<CallBack> {
  static constexpr const char* name = "call back";
  using ThroughStream::ThroughStream;
  void carry_out(const Model&, Runtime& runtime) const {
    const aclrtStream used = runtime.streams.at(stream);
    const auto thread = static_cast<std::uint64_t>(::pthread_self());
    const auto count = [](void* number) { ++*static_cast<int*>(number); };
    int calls = 0;
    RC_ASSERT(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_BLOCK, used) != ACL_SUCCESS);
    RC_ASSERT(aclrtSubscribeReport(thread, used) == ACL_SUCCESS);
    RC_ASSERT(aclrtSubscribeReport(thread, used) != ACL_SUCCESS);
    RC_ASSERT(aclrtLaunchCallback(nullptr, &calls, ACL_CALLBACK_BLOCK, used) != ACL_SUCCESS);
    RC_ASSERT(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_BLOCK, used) == ACL_SUCCESS);
    RC_ASSERT(aclrtProcessReport(-1) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(used) == ACL_SUCCESS);
    RC_ASSERT(calls == 1);
    RC_ASSERT(aclrtUnSubscribeReport(thread, used) == ACL_SUCCESS);
    RC_ASSERT(aclrtUnSubscribeReport(thread, used) != ACL_SUCCESS);
    RC_ASSERT(aclrtProcessReport(1) != ACL_SUCCESS);
  }
};

/// The time of an event: before it is recorded, after, and once it is gone.
struct StampEvent : ThroughStream<StampEvent> {
  static constexpr const char* name = "stamp an event";
  using ThroughStream::ThroughStream;
  void carry_out(const Model&, Runtime& runtime) const {
    const aclrtStream used = runtime.streams.at(stream);
    aclrtEvent event = nullptr;
    std::uint64_t time = 0;
    std::uint32_t id = 0;
    RC_ASSERT(aclrtCreateEvent(&event) == ACL_SUCCESS);
    RC_ASSERT(aclrtEventGetTimestamp(event, &time) != ACL_SUCCESS);
    RC_ASSERT(aclrtGetEventId(event, &id) == ACL_SUCCESS);
    RC_ASSERT(aclrtRecordEventWithFlag(event, used, 2) != ACL_SUCCESS);
    RC_ASSERT(aclrtRecordEventWithFlag(event, used, 0) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtEventGetTimestamp(event, &time) == ACL_SUCCESS);
    RC_ASSERT(aclrtEventGetTimestamp(event, nullptr) != ACL_SUCCESS);
    RC_ASSERT(aclrtDestroyEvent(event) == ACL_SUCCESS);
    RC_ASSERT(aclrtEventGetTimestamp(event, &time) == ACL_ERROR_RT_INVALID_HANDLE);
  }
};

/// A stream of its own with a priority and attributes, whose tasks are dropped.
struct AbortStream : ThroughStream<AbortStream> {
  static constexpr const char* name = "abort a stream";
  using ThroughStream::ThroughStream;
  void apply(Model&) const override {}
  void carry_out(const Model&, Runtime&) const {
    aclrtStreamConfigHandle* const config = aclrtCreateStreamConfigHandle();
    std::uint32_t priority = 5, read = 0;
    RC_ASSERT(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, 1) != ACL_SUCCESS);
    RC_ASSERT(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority) ==
              ACL_SUCCESS);
    aclrtStream own = nullptr;
    RC_ASSERT(aclrtCreateStreamV2(&own, config) == ACL_SUCCESS);
    RC_ASSERT(aclrtDestroyStreamConfigHandle(config) == ACL_SUCCESS);
    RC_ASSERT(aclrtStreamGetPriority(own, &read) == ACL_SUCCESS && read == priority);
    aclrtStreamAttrValue tag{};
    tag.userCustomTag = 7;
    RC_ASSERT(aclrtSetStreamAttribute(own, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &tag) == ACL_SUCCESS);
    RC_ASSERT(aclrtSetStreamFailureMode(own, 2) != ACL_SUCCESS);
    void* memory = nullptr;
    RC_ASSERT(aclrtMalloc(&memory, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemsetAsync(memory, block_bytes, 1, block_bytes, own) == ACL_SUCCESS);
    RC_ASSERT(aclrtStreamAbort(own) == ACL_SUCCESS);
    aclrtSynchronizeStream(own);  // 107023, or 0 where the task was faster
    RC_ASSERT(aclrtDestroyStream(own) == ACL_SUCCESS);
    RC_ASSERT(aclrtStreamGetPriority(own, &read) == ACL_ERROR_RT_INVALID_HANDLE);
    RC_ASSERT(aclrtFree(memory) == ACL_SUCCESS);
  }
};

/// The cores that a stream may use, said and taken back.
struct LimitCores : ThroughStream<LimitCores> {
  static constexpr const char* name = "limit cores";
  using ThroughStream::ThroughStream;
  void apply(Model&) const override {}
  void carry_out(const Model&, Runtime& runtime) const {
    const aclrtStream used = runtime.streams.at(stream);
    std::uint32_t before = 0, now = 0;
    RC_ASSERT(aclrtGetStreamResLimit(used, ACL_RT_DEV_RES_CUBE_CORE, &before) == ACL_SUCCESS);
    RC_ASSERT(aclrtSetStreamResLimit(used, ACL_RT_DEV_RES_CUBE_CORE, 2) == ACL_SUCCESS);
    RC_ASSERT(aclrtUseStreamResInCurrentThread(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &now) == ACL_SUCCESS);
    RC_ASSERT(now == 2U);
    RC_ASSERT(aclrtUnuseStreamResInCurrentThread(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtResetStreamResLimit(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtGetStreamResLimit(used, ACL_RT_DEV_RES_CUBE_CORE, &now) == ACL_SUCCESS);
    RC_ASSERT(now == before);
    RC_ASSERT(aclrtGetStreamResLimit(used, ACL_RT_DEV_RES_CUBE_CORE, nullptr) != ACL_SUCCESS);
  }
};

/// An allocator of the program's, registered for a stream, looked up and taken away.
struct RegisterAllocator : ThroughStream<RegisterAllocator> {
  static constexpr const char* name = "register an allocator";
  using ThroughStream::ThroughStream;
  void apply(Model&) const override {}
  void carry_out(const Model&, Runtime& runtime) const {
    const aclrtStream used = runtime.streams.at(stream);
    const aclrtAllocatorDesc description = aclrtAllocatorCreateDesc();
    int pool = 0;
    aclrtAllocatorDesc found = nullptr;
    aclrtAllocator allocator = nullptr;
    RC_ASSERT(aclrtAllocatorSetObjToDesc(description, &pool) == ACL_SUCCESS);
    RC_ASSERT(aclrtAllocatorRegister(used, description) != ACL_SUCCESS);
    aclrtAllocatorSetAllocFuncToDesc(description,
                                     [](aclrtAllocator, std::size_t) -> void* { return nullptr; });
    aclrtAllocatorSetFreeFuncToDesc(description, [](aclrtAllocator, aclrtAllocatorBlock) {});
    aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description,
                                                [](aclrtAllocatorBlock block) { return block; });
    RC_ASSERT(aclrtAllocatorRegister(used, description) == ACL_SUCCESS);
    RC_ASSERT(aclrtAllocatorRegister(nullptr, description) != ACL_SUCCESS);
    RC_ASSERT(aclrtAllocatorDestroyDesc(description) == ACL_SUCCESS);
    RC_ASSERT(aclrtAllocatorGetByStream(used, &found, &allocator, nullptr, nullptr, nullptr,
                                        nullptr) == ACL_SUCCESS);
    RC_ASSERT((allocator == &pool));
    RC_ASSERT(aclrtAllocatorUnregister(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtAllocatorGetByStream(used, &found, &allocator, nullptr, nullptr, nullptr,
                                        nullptr) != ACL_SUCCESS);
  }
};

}  // namespace gradproof::fuzz::runtime
