#include "tests/support/memory_fixture.h"

#include "acl/acl.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

// ---- Copies

TEST_F(DeviceMemory, CopiesThereAndBack) {
  std::array<unsigned char, 100> sent{}, received{};
  for (std::size_t index = 0; index < sent.size(); ++index)
    sent[index] = static_cast<unsigned char>(index);
  void *first = device_memory(100), *second = device_memory(100);
  EXPECT_EQ(aclrtMemcpy(first, 100, sent.data(), 100, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(second, 100, first, 100, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(received.data(), 100, second, 100, ACL_MEMCPY_DEFAULT), ACL_SUCCESS);
  EXPECT_EQ(received, sent);
  received = {};
  EXPECT_EQ(aclrtMemcpy(received.data(), 100, sent.data(), 100, ACL_MEMCPY_HOST_TO_HOST),
            ACL_SUCCESS);
  EXPECT_EQ(received, sent);
  EXPECT_EQ(read(at(first, 40), 1)[0], 40) << "from inside";
  EXPECT_EQ(aclrtMemcpy(at(first, 1), 99, first, 50, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(read(first, 100)[50], 49) << "overlapping";
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(DeviceMemory, CopyOfNothingSucceedsBeforeAnyCheck) {
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(99)), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(nullptr, 0, 0, 0), ACL_SUCCESS);
}

TEST_F(DeviceMemory, CopyOntoItselfSucceeds) {
  char host = 3;
  EXPECT_EQ(aclrtMemcpy(&host, 1, &host, 1, ACL_MEMCPY_HOST_TO_HOST), ACL_SUCCESS);
}

TEST_F(DeviceMemory, CopiesCheckSizesAndKinds) {
  std::array<char, 16> host{};
  void* memory = device_memory(8);
  EXPECT_EQ(aclrtMemcpy(memory, 0, host.data(), 1, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_EQ(aclrtMemcpy(memory, 4, host.data(), 5, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_THAT(error_text(), HasSubstr("count is 5; destMax allows 4 bytes"));
  for (const int kind : {6, 7, 8, -1}) {
    EXPECT_EQ(aclrtMemcpy(memory, 8, host.data(), 8, static_cast<aclrtMemcpyKind>(kind)), 100000)
        << kind;
  }
}

TEST_F(DeviceMemory, CopiesStayInsideOneAllocation) {
  std::array<char, 64> host{};
  void* memory = device_memory(32);
  EXPECT_EQ(aclrtMemcpy(memory, 33, host.data(), 33, ACL_MEMCPY_HOST_TO_DEVICE), 107000)
      << "the padding that the product adds is not the program's";
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, at(memory, 1), 32, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is byte 1 of allocation"));
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, at(memory, -1), 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_THAT(error_text(), HasSubstr("lies 1 bytes before allocation"));
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, at(memory, 32), 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
  EXPECT_THAT(error_text(), HasSubstr("lies 0 bytes past the end of allocation"));
  EXPECT_EQ(aclrtMemcpy(memory, SIZE_MAX, host.data(), SIZE_MAX, ACL_MEMCPY_HOST_TO_DEVICE),
            107000);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000)
      << "use after free";
  EXPECT_THAT(error_text(), HasSubstr("which was freed already"));
}

TEST_F(DeviceMemory, CopiesRefusePointersThatCanNotBeMemory) {
  char host = 0;
  void* memory = device_memory(8);
  aclrtStream stream = new_stream();
  EXPECT_EQ(aclrtMemcpy(memory, 8, stream, 8, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_THAT(error_text(), HasSubstr("is no memory of a device"));
  EXPECT_EQ(aclrtMemcpy(reinterpret_cast<void*>(std::uintptr_t{16}), 1, memory, 1,
                        ACL_MEMCPY_DEVICE_TO_HOST),
            107000);
  EXPECT_EQ(
      aclrtMemcpy(&host, 1, reinterpret_cast<void*>(~std::uintptr_t{0}), 1, ACL_MEMCPY_DEFAULT),
      107000);
}

TEST_F(DeviceMemory, CopyOfAnotherKindThanItsPointersIsDoneAndDiagnosed) {
  std::array<char, 8> host{1, 2, 3, 4, 5, 6, 7, 8};
  void* memory = device_memory(8);
  EXPECT_EQ(aclrtMemcpy(memory, 8, host.data(), 8, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_THAT(error_text(),
              HasSubstr("says device to host, but src is host memory and dst is device memory"));
  EXPECT_EQ(read(memory, 8)[7], 8);
}

TEST_F(DeviceMemory, CopiesRowByRow) {
  std::array<unsigned char, 12> host{0, 1, 2, 9, 3, 4, 5, 9, 6, 7, 8, 9};
  void* memory = device_memory(15);
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 15),
              testing::ElementsAre(0, 1, 2, 255, 255, 3, 4, 5, 255, 255, 6, 7, 8, 255, 255));
  EXPECT_EQ(aclrtMemcpy2d(memory, 2, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 0, 3, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 3, 4, ACL_MEMCPY_HOST_TO_DEVICE), 107000)
      << "out of bounds";
  EXPECT_EQ(aclrtMemcpy2d(memory, 5, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_HOST), 100000);
  EXPECT_EQ(aclrtMemcpy2dAsync(memory, 5, host.data(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(DeviceMemory, IsFilledBytewise) {
  void* memory = device_memory(10);
  EXPECT_EQ(aclrtMemset(at(memory, 2), 8, 0x1A5, 4), ACL_SUCCESS);
  EXPECT_THAT(read(memory, 10),
              testing::ElementsAre(255, 255, 0xA5, 0xA5, 0xA5, 0xA5, 255, 255, 255, 255));
  EXPECT_EQ(aclrtMemset(memory, 3, 0, 4), 107000);
  EXPECT_EQ(aclrtMemset(memory, 11, 0, 11), 107000);
  char host = 0;
  EXPECT_EQ(aclrtMemset(&host, 1, 1, 1), 107000) << "neither the device's nor pinned";
}

// ---- Pinned host memory, pointers

TEST_F(DeviceMemory, PinnedHostMemoryIsTheHostsToUse) {
  void* pinned = nullptr;
  EXPECT_EQ(aclrtMallocHost(&pinned, 0), 100000);
  ASSERT_EQ(aclrtMallocHost(&pinned, 100), ACL_SUCCESS);
  std::memset(pinned, 3, 100);
  EXPECT_EQ(aclrtMemset(pinned, 100, 4, 100), ACL_SUCCESS);
  EXPECT_EQ(static_cast<char*>(pinned)[99], 4);
  EXPECT_EQ(aclrtFreeHost(at(pinned, 1)), 107000);
  EXPECT_EQ(aclrtFree(pinned), 107000);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(pinned), 107000);
  EXPECT_EQ(aclrtMallocHost(&pinned, SIZE_MAX), 207001);
}

TEST_F(DeviceMemory, PointersTellWhereTheyLive) {
  void *memory = device_memory(100), *pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 100), ACL_SUCCESS);
  int host = 0;
  const auto location = [](const void* pointer) {
    aclrtPtrAttributes attributes{};
    EXPECT_EQ(aclrtPointerGetAttributes(pointer, &attributes), ACL_SUCCESS);
    return attributes.location.type;
  };
  EXPECT_EQ(location(at(memory, 50)), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(location(at(pinned, 50)), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(location(&host), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(location(memory), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
