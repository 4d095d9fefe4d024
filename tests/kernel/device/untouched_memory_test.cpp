#include "tests/support/memory_fixture.h"

#include "acl/acl.h"
#include "kernel/device/memory/heap.h"
#include "kernel/device/memory/memory.h"

#include <gmock/gmock.h>

#include <utility>

// Memory of which no view was given out is still full of poison, and is not filled again.

namespace gradproof::kernel {
namespace {

using testing::IsEmpty;

TEST_F(DeviceMemory, IsUntouchedUntilSomebodyHasAViewOfIt) {
  const std::pair<const char*, void (*)(void*)> touches[] = {
      {"view", [](void* memory) { device::host_view(memory, 1); }},
      {"held view", [](void* memory) { device::held_view(memory, 1); }},
      {"held allocation", [](void* memory) { device::hold_allocation(memory); }},
      {"fill", [](void* memory) { aclrtMemset(memory, 100, 7, 1); }},
      {"copy",
       [](void* memory) {
         const char byte = 0;
         aclrtMemcpy(memory, 100, &byte, 1, ACL_MEMCPY_HOST_TO_DEVICE);
       }},
  };
  for (const auto& [name, touch] : touches) {
    void* memory = device_memory(100);
    EXPECT_TRUE(device::is_untouched(memory, 100)) << name;
    EXPECT_TRUE(device::is_untouched(at(memory, 60), 40)) << name;
    EXPECT_FALSE(device::is_untouched(at(memory, 60), 41)) << name;
    touch(memory);
    EXPECT_FALSE(device::is_untouched(memory, 100)) << name;
    ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
    EXPECT_FALSE(device::is_untouched(memory, 100)) << name;
  }
}

TEST_F(DeviceMemory, IsFilledWithPoisonWhereItIsTouched) {
  for (const bool is_touched : {false, true}) {
    void* memory = device_memory(1000);
    if (is_touched) {
      ASSERT_EQ(aclrtMemset(memory, 1000, 3, 1000), ACL_SUCCESS);
    }
    ASSERT_EQ(aclrtMemset(at(memory, 10), 990, 0xFF, 980), ACL_SUCCESS);
    EXPECT_TRUE(is_all(read(at(memory, 10), 980), 0xFF)) << is_touched;
    EXPECT_TRUE(is_all(read(memory, 10), is_touched ? 3 : 0xFF)) << is_touched;
    EXPECT_TRUE(is_all(read(at(memory, 990), 10), is_touched ? 3 : 0xFF)) << is_touched;
    ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  }
}

TEST_F(DeviceMemory, UntouchedIsFilledWithOtherBytesThanPoison) {
  void* memory = device_memory(1000);
  ASSERT_EQ(aclrtMemset(memory, 1000, 0xFE, 1000), ACL_SUCCESS);
  EXPECT_TRUE(is_all(read(memory, 1000), 0xFE));
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(DeviceMemory, FreedUntouchedIsPoisonToItsEnd) {
  error_text();
  // One size class: the guard zones of the short ones lie where the long ones have their bytes.
  constexpr std::size_t shorter = 70'000, longer = 80'000;
  for (std::size_t freed = 0; freed < 3 * device::Heap::quarantine_bytes; freed += shorter) {
    void* memory = device_memory(shorter);
    ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  }
  EXPECT_THAT(error_text(), IsEmpty()) << "nothing was written to after it had been freed";
  for (int i = 0; i < 20; ++i) {
    void* memory = device_memory(longer);
    ASSERT_TRUE(is_all(read(memory, longer), 0xFF)) << i;
    ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  }
}

TEST_F(DeviceMemory, UsedAgainWithoutChecksIsFilledWithPoisonWhenItIsAskedFor) {
  open({{"GRADPROOF_CHECKS", "0"}});
  constexpr std::size_t size = 70'000;
  for (std::size_t freed = 0; freed < 3 * device::Heap::quarantine_bytes; freed += size) {
    void* memory = device_memory(size);
    ASSERT_EQ(aclrtMemset(memory, size, 3, size), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  }
  void* memory = device_memory(size);
  ASSERT_EQ(aclrtMemset(memory, size, 0xFF, size), ACL_SUCCESS);
  EXPECT_TRUE(is_all(read(memory, size), 0xFF));
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(DeviceMemory, HeldTogetherIsFreedWhenAllHoldsHaveEnded) {
  void* first = device_memory(64);
  void* second = device_memory(64);
  const int host = 0;
  const void* const addresses[] = {second, &host, first, second};
  auto holds = device::hold_each(addresses);
  ASSERT_EQ(holds.size(), 4U);
  EXPECT_TRUE(holds[0] && holds[2] && holds[3]);
  EXPECT_FALSE(holds[1]);
  EXPECT_EQ(aclrtFree(first), 107000);
  EXPECT_EQ(aclrtFree(second), 107000);
  holds.pop_back();
  EXPECT_EQ(aclrtFree(second), 107000) << "the first hold is still there";
  device::end_holds(holds);
  EXPECT_THAT(holds, IsEmpty());
  EXPECT_EQ(aclrtFree(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(second), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
