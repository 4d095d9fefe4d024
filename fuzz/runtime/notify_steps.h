#pragma once

#include "fuzz/runtime/stream_steps.h"

#include <cstdint>
#include <vector>

namespace gradproof::fuzz::runtime {

/// A notify that one stream sets and another consumes at once, so that no wait is left over.
struct HandOver : OnStream<HandOver> {
  static constexpr const char* name = "hand over by a notify";
  int second;
  explicit HandOver(const Model& model) : OnStream(model), second(any_of(model.streams)) {}
  std::vector<int> numbers() const { return {stream, second}; }
  void checkPreconditions(const Model& model) const override {
    OnStream::checkPreconditions(model);
    const auto found = model.streams.find(second);
    RC_PRE(second != stream && found != model.streams.end() && found->second == model.current);
  }
  /// The host waited for the second stream, and it for what the first had done.
  void apply(Model& model) const override {
    model.settle(stream, model.tick);
    model.settle(second, model.tick);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    aclrtNotify notify = nullptr;
    RC_ASSERT(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT) == ACL_SUCCESS);
    RC_ASSERT(aclrtRecordNotify(notify, runtime.streams.at(stream)) == ACL_SUCCESS);
    RC_ASSERT(aclrtWaitAndResetNotify(notify, runtime.streams.at(second), 0) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(runtime.streams.at(second)) == ACL_SUCCESS);
    RC_ASSERT(aclrtDestroyNotify(notify) == ACL_SUCCESS);
    RC_ASSERT(aclrtRecordNotify(notify, runtime.streams.at(stream)) == ACL_ERROR_RT_INVALID_HANDLE);
  }
};

/// Words of memory: one stream writes what another waits for.
struct WriteAndWait : OnStream<WriteAndWait> {
  static constexpr const char* name = "write a word and wait for it";
  using OnStream::OnStream;
  std::vector<int> numbers() const { return {stream}; }
  void carry_out(const Model& model, Runtime& runtime) const {
    void* word = nullptr;
    RC_ASSERT(aclrtMalloc(&word, sizeof(std::uint64_t), ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    const auto value = static_cast<std::uint64_t>(model.next);
    RC_ASSERT(aclrtValueWait(word, value, ACL_STREAM_WAIT_VALUE_EQ, nullptr) == ACL_SUCCESS);
    RC_ASSERT(aclrtFree(word) != ACL_SUCCESS);
    RC_ASSERT(aclrtValueWrite(word, value, 0, runtime.streams.at(stream)) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(runtime.streams.at(stream)) == ACL_SUCCESS);
    RC_ASSERT(aclrtFree(word) == ACL_SUCCESS);
  }
  void apply(Model& model) const override { model.settle(stream, model.tick); }
};

/// A host function and questions about a stream.
struct CallHost : OnStream<CallHost> {
  static constexpr const char* name = "call a host function";
  using OnStream::OnStream;
  std::vector<int> numbers() const { return {stream}; }
  void carry_out(const Model&, Runtime& runtime) const {
    int calls = 0;
    const auto count = [](void* number) { ++*static_cast<int*>(number); };
    RC_ASSERT(aclrtLaunchHostFunc(runtime.streams.at(stream), count, &calls) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(runtime.streams.at(stream)) == ACL_SUCCESS);
    RC_ASSERT(calls == 1);
    std::int32_t id = -1;
    RC_ASSERT(aclrtStreamGetId(runtime.streams.at(stream), &id) == ACL_SUCCESS);
    RC_ASSERT(id >= 0);
  }
  void apply(Model& model) const override { model.settle(stream, model.tick); }
};

/// Physical memory that is mapped, filled, read and unmapped.
struct MapMemory : OnStream<MapMemory> {
  static constexpr const char* name = "map physical memory";
  using OnStream::OnStream;
  std::vector<int> numbers() const { return {stream}; }
  void carry_out(const Model&, Runtime& runtime) const {
    constexpr std::size_t granule = std::size_t{2} << 20;
    aclrtPhysicalMemProp properties{};
    properties.memAttr = ACL_HBM_MEM_HUGE;
    properties.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    void* start = nullptr;
    aclrtDrvMemHandle handle = nullptr;
    RC_ASSERT(aclrtReserveMemAddress(&start, granule, 0, nullptr, 0) == ACL_SUCCESS);
    RC_ASSERT(aclrtMallocPhysical(&handle, granule, &properties, 0) == ACL_SUCCESS);
    RC_ASSERT(aclrtMapMem(start, granule, 0, handle, 0) == ACL_SUCCESS);
    const aclrtStream used = runtime.streams.at(stream);
    RC_ASSERT(aclrtMemsetAsync(start, granule, 7, block_bytes, used) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtUnmapMem(start) == ACL_SUCCESS);
    RC_ASSERT(aclrtUnmapMem(start) != ACL_SUCCESS);
    RC_ASSERT(aclrtMemset(start, granule, 7, block_bytes) != ACL_SUCCESS);
    RC_ASSERT(aclrtFreePhysical(handle) == ACL_SUCCESS);
    RC_ASSERT(aclrtReleaseMemAddress(start) == ACL_SUCCESS);
    RC_ASSERT(aclrtReleaseMemAddress(start) != ACL_SUCCESS);
  }
  void apply(Model& model) const override { model.settle(stream, model.tick); }
};

}  // namespace gradproof::fuzz::runtime
