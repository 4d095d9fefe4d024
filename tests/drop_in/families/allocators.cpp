// An allocator of the program's own, registered for a stream.
#include "family.h"

static void* take(aclrtAllocator, std::size_t) { return nullptr; }
static void give_back(aclrtAllocator, aclrtAllocatorBlock) {}
static void* address_of(aclrtAllocatorBlock block) { return block; }

int main() {
  const Device device;
  const Stream stream;
  int pool = 0;
  const aclrtAllocatorDesc description = aclrtAllocatorCreateDesc();
  CHECK(aclrtAllocatorSetObjToDesc(description, &pool));
  CHECK(aclrtAllocatorSetAllocFuncToDesc(description, take));
  std::printf("incomplete: %d\n", aclrtAllocatorRegister(stream, description));
  CHECK(aclrtAllocatorSetFreeFuncToDesc(description, give_back));
  CHECK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, address_of));
  CHECK(aclrtAllocatorRegister(stream, description));
  CHECK(aclrtAllocatorDestroyDesc(description));
  aclrtAllocatorDesc found = nullptr;
  aclrtAllocator allocator = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  CHECK(
      aclrtAllocatorGetByStream(stream, &found, &allocator, &allocate, nullptr, nullptr, nullptr));
  std::printf("the program's: %d %d\n", allocator == &pool, allocate == take);
  CHECK(aclrtAllocatorUnregister(stream));
  std::printf("none: %d\n", aclrtAllocatorGetByStream(stream, &found, &allocator, nullptr, nullptr,
                                                      nullptr, nullptr));
  return failures;
}
