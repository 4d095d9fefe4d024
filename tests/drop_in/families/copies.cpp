// Copies of rows, by descriptors, in batches, from offsets; words to fill with.

#include "family.h"

static void rows() {
  const unsigned char host[] = {1, 2, 3, 4, 5, 6};
  const Memory memory(8);
  CHECK(aclrtMemcpy2d(memory, 4, host, 3, 2, 2, ACL_MEMCPY_HOST_TO_DEVICE));
  for (std::size_t i = 0; i < 8; ++i) std::printf("%d%s", byte_at(memory, i), i == 7 ? "\n" : " ");
  std::printf("too wide: %d\n", aclrtMemcpy2d(memory, 4, host, 3, 5, 2, ACL_MEMCPY_HOST_TO_DEVICE));
}

static void with_descriptor(aclrtStream stream) {
  const Memory from(64, 7), to(64);
  std::size_t bytes = 0;
  CHECK(aclrtGetMemcpyDescSize(ACL_MEMCPY_DEVICE_TO_DEVICE, &bytes));
  const Memory descriptor(bytes);
  CHECK(aclrtSetMemcpyDesc(descriptor, ACL_MEMCPY_DEVICE_TO_DEVICE, from, to, 64, nullptr));
  CHECK(aclrtMemcpyAsyncWithDesc(descriptor, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("by a descriptor: %d\n", byte_at(to, 63));
}

static void in_batches() {
  const Memory first(8), second(8);
  unsigned char values[2] = {8, 9};
  void *to[] = {first, second}, *from[] = {&values[0], &values[1]};
  std::size_t room[] = {8, 8}, sizes[] = {1, 1}, index[] = {0}, failed = 0;
  aclrtMemcpyBatchAttr attributes = {};
  attributes.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attributes.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  CHECK(aclrtMemcpyBatch(to, room, from, sizes, 2, &attributes, index, 1, &failed));
  std::printf("in a batch: %d %d\n", byte_at(first), byte_at(second));
}

int main() {
  const Device device;
  const Stream stream;
  rows();
  with_descriptor(stream);
  in_batches();
  const Memory from(16, 3), to(16);
  const void* source = from;
  void* target = to;
  CHECK(aclrtMemcpyAsyncWithOffset(&target, 16, 8, &source, 4, 4, ACL_MEMCPY_DEVICE_TO_DEVICE,
                                   stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("from an offset: %d %d %d\n", byte_at(to, 7), byte_at(to, 8), byte_at(to, 12));
  CHECK(aclrtMemsetD32(to, 16, 0x01020304, 4));
  std::printf("words: %d %d\n", byte_at(to, 0), byte_at(to, 15));
  return failures;
}
