// Words of device memory that streams write and wait for, and sums in memory.
#include "family.h"

int main() {
  const Device device;
  const Stream first, second;
  const Memory word(8), memory(64);
  CHECK(aclrtValueWait(word, 3, ACL_STREAM_WAIT_VALUE_GEQ, second));
  CHECK(aclrtMemsetAsync(memory, 64, 2, 64, second));
  CHECK(aclrtMemsetAsync(memory, 64, 1, 64, first));
  CHECK(aclrtValueWrite(word, 4, 0, first));
  CHECK(aclrtSynchronizeStream(second));
  std::printf("word %d, written last: %d\n", byte_at(word), byte_at(memory));
  const float a[] = {1, 20}, b[] = {3, 4};
  float sum[] = {0, 0};
  Memory to(sizeof a), from(sizeof b);
  to.write(a);
  from.write(b);
  CHECK(aclrtReduceAsync(to, from, sizeof a, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, first,
                         nullptr));
  CHECK(aclrtReduceAsync(to, from, sizeof a, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_FLOAT, first,
                         nullptr));
  CHECK(aclrtSynchronizeStream(first));
  to.read(sum);
  std::printf("reduced: %g %g\n", sum[0], sum[1]);
  std::printf("of int64: %d\n", aclrtReduceAsync(to, from, 8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                                                 ACL_INT64, first, nullptr));
  return failures;
}
