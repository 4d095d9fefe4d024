#pragma once

#include "fuzz/runtime/stream_family_steps.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gradproof::fuzz::runtime {

/// Host memory that the device writes to: registered, used, registered again and given back twice.
struct RegisterHost : ThroughStream<RegisterHost> {
  static constexpr const char* name = "register host memory";
  using ThroughStream::ThroughStream;
  void carry_out(const Model&, Runtime& runtime) const {
    std::vector<unsigned char> host(block_bytes);
    void *address = nullptr, *again = nullptr;
    const auto mapped = ACL_HOST_REGISTER_MAPPED;
    RC_ASSERT(aclrtHostRegister(host.data(), 0, mapped, &address) != ACL_SUCCESS);
    RC_ASSERT(aclrtHostRegister(host.data(), host.size(), mapped, &address) == ACL_SUCCESS);
    RC_ASSERT(aclrtHostRegister(host.data(), host.size(), mapped, &again) != ACL_SUCCESS);
    RC_ASSERT(aclrtHostGetDevicePointer(host.data(), &again, 0) == ACL_SUCCESS);
    RC_ASSERT((again == address));
    const aclrtStream used = runtime.streams.at(stream);
    RC_ASSERT(aclrtMemsetAsync(address, host.size(), 6, host.size(), used) == ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(used) == ACL_SUCCESS);
    RC_ASSERT(host.front() == 6 && host.back() == 6);
    RC_ASSERT(aclrtHostUnregister(host.data()) == ACL_SUCCESS);
    RC_ASSERT(aclrtHostUnregister(host.data()) != ACL_SUCCESS);
    RC_ASSERT(aclrtHostGetDevicePointer(host.data(), &again, 0) != ACL_SUCCESS);
  }
};

/// Rows that are copied with other distances, too wide ones, and words.
struct CopyRows : ThroughStream<CopyRows> {
  static constexpr const char* name = "copy rows";
  using ThroughStream::ThroughStream;
  void carry_out(const Model&, Runtime& runtime) const {
    const std::array<unsigned char, 6> from = {1, 2, 3, 4, 5, 6};
    std::array<unsigned char, 8> to{};
    const aclrtStream used = runtime.streams.at(stream);
    void* memory = nullptr;
    RC_ASSERT(aclrtMalloc(&memory, to.size(), ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemsetD32Async(memory, to.size(), 0, 2, used) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemsetD32Async(memory, to.size(), 0, 3, used) != ACL_SUCCESS);
    RC_ASSERT(aclrtMemcpy2dAsync(memory, 4, from.data(), 3, 2, 2, ACL_MEMCPY_HOST_TO_DEVICE,
                                 used) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemcpy2dAsync(memory, 4, from.data(), 3, 4, 2, ACL_MEMCPY_HOST_TO_DEVICE,
                                 used) != ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemcpy(to.data(), to.size(), memory, to.size(), ACL_MEMCPY_DEVICE_TO_HOST) ==
              ACL_SUCCESS);
    RC_ASSERT((to == std::array<unsigned char, 8>{1, 2, 0, 0, 4, 5, 0, 0}));
    RC_ASSERT(aclrtFreeWithDevSync(memory) == ACL_SUCCESS);
    RC_ASSERT(aclrtFreeWithDevSync(memory) != ACL_SUCCESS);
  }
};

/// A sum in memory, and one of a type that has none.
struct Reduce : ThroughStream<Reduce> {
  static constexpr const char* name = "reduce";
  using ThroughStream::ThroughStream;
  void carry_out(const Model&, Runtime& runtime) const {
    const std::array<float, 4> values = {1, 2, 30, 40};
    constexpr std::size_t half = sizeof values / 2;
    const aclrtStream used = runtime.streams.at(stream);
    const auto sum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
    void* memory = nullptr;
    std::array<float, 2> result{};
    RC_ASSERT(aclrtMalloc(&memory, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemcpy(memory, sizeof values, values.data(), sizeof values,
                          ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
    char* const second = static_cast<char*>(memory) + half;
    RC_ASSERT(aclrtReduceAsync(memory, second, half, sum, ACL_FLOAT, used, nullptr) == ACL_SUCCESS);
    RC_ASSERT(aclrtReduceAsync(memory, second, half, sum, ACL_INT64, used, nullptr) != ACL_SUCCESS);
    RC_ASSERT(aclrtSynchronizeStream(used) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemcpy(result.data(), half, memory, half, ACL_MEMCPY_DEVICE_TO_HOST) ==
              ACL_SUCCESS);
    RC_ASSERT((result == std::array<float, 2>{31, 42}));
    RC_ASSERT(aclrtFree(memory) == ACL_SUCCESS);
  }
};

/// Memory offered to other processes: this one may not take it, and the key ends with it.
struct ExportMemory : ThroughStream<ExportMemory> {
  static constexpr const char* name = "export memory";
  using ThroughStream::ThroughStream;
  void apply(Model&) const override {}
  void carry_out(const Model&, Runtime&) const {
    std::array<char, 65> key{}, second{};
    void *memory = nullptr, *imported = nullptr;
    constexpr std::uint64_t any_process = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
    RC_ASSERT(aclrtMalloc(&memory, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemGetExportKey(memory, block_bytes, key.data(), 64, any_process) !=
              ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemGetExportKey(memory, block_bytes, key.data(), key.size(), any_process) ==
              ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemImportByKey(&imported, key.data(), 0) != ACL_SUCCESS);
    RC_ASSERT(aclrtMemset(memory, block_bytes, 3, block_bytes) == ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemClose(key.data()) == ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemClose(key.data()) != ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemGetExportKey(memory, block_bytes, second.data(), second.size(),
                                      any_process) == ACL_SUCCESS);
    RC_ASSERT(aclrtFree(memory) == ACL_SUCCESS);
    RC_ASSERT(aclrtIpcMemClose(second.data()) != ACL_SUCCESS);
  }
};

/// Asks the device for its properties, and for those of a device that is not there.
struct AskDevice : ThroughStream<AskDevice> {
  static constexpr const char* name = "ask a device";
  using ThroughStream::ThroughStream;
  void apply(Model&) const override {}
  void carry_out(const Model&, Runtime&) const {
    aclrtUuid uuid{};
    aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
    std::array<char, 16> bus{};
    std::int32_t device = -1, version = 0;
    std::uint64_t interval = 0;
    char package[] = "runtime";
    RC_ASSERT(aclrtDeviceGetUuid(0, &uuid) == ACL_SUCCESS);
    RC_ASSERT(aclrtDeviceGetUuid(99, &uuid) == ACL_ERROR_RT_INVALID_DEVICEID);
    RC_ASSERT(aclrtQueryDeviceStatus(0, &status) == ACL_SUCCESS);
    RC_ASSERT(status == ACL_RT_DEVICE_STATUS_NORMAL);
    RC_ASSERT(aclrtDeviceGetPCIBusId(0, bus.data(), 12) != ACL_SUCCESS);
    RC_ASSERT(aclrtDeviceGetPCIBusId(0, bus.data(), 16) == ACL_SUCCESS);
    RC_ASSERT(aclrtDeviceGetByPCIBusId(bus.data(), &device) == ACL_SUCCESS && device == 0);
    RC_ASSERT(aclrtDeviceEnablePeerAccess(0, 0) != ACL_SUCCESS);
    RC_ASSERT(aclrtGetOpTimeOutInterval(&interval) == ACL_SUCCESS);
    RC_ASSERT(aclsysGetVersionNum(package, nullptr) != ACL_SUCCESS);
    aclsysGetVersionNum(package, &version);  // 100003 where nothing is installed
    aclDataBuffer* const buffer = aclCreateDataBuffer(&uuid, sizeof uuid);
    RC_ASSERT(aclGetDataBufferSizeV2(buffer) == sizeof uuid);
    RC_ASSERT(aclDestroyDataBuffer(buffer) == ACL_SUCCESS);
    RC_ASSERT(aclDestroyDataBuffer(nullptr) != ACL_SUCCESS);
  }
};

}  // namespace gradproof::fuzz::runtime
