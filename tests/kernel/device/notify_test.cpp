// Notifies, words of memory and reductions: streams that wait for each other.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <vector>

namespace gradproof::kernel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Notifies : public StreamsOfBothPaces {
 protected:
  static aclrtNotify new_notify() {
    aclrtNotify notify = nullptr;
    EXPECT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), ACL_SUCCESS);
    return notify;
  }
  static device::Task noting(std::vector<int>& order, int number) {
    return [&order, number] {
      order.push_back(number);
      return aclError{0};
    };
  }
};
INSTANTIATE_TEST_SUITE_P(Pace, Notifies, testing::Values("deferred", "eager"));

TEST_P(Notifies, OrderTwoStreamsWhicheverIsQueuedFirst) {
  for (const bool waits_first : {true, false}) {
    const aclrtStream first = new_stream(), second = new_stream();
    const aclrtNotify notify = new_notify();
    std::vector<int> order;
    const auto wait = [&] {
      ASSERT_EQ(aclrtWaitAndResetNotify(notify, second, 0), ACL_SUCCESS);
      ASSERT_EQ(device::enqueue(second, noting(order, 2)), ACL_SUCCESS);
    };
    const auto record = [&] {
      ASSERT_EQ(device::enqueue(first, noting(order, 1)), ACL_SUCCESS);
      ASSERT_EQ(aclrtRecordNotify(notify, first), ACL_SUCCESS);
    };
    waits_first ? wait() : record();
    waits_first ? record() : wait();
    EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
    EXPECT_THAT(order, ElementsAre(1, 2));
    EXPECT_EQ(aclrtDestroyNotify(notify), ACL_SUCCESS);
    EXPECT_EQ(aclrtRecordNotify(notify, first), 107017);
    EXPECT_EQ(aclrtDestroyNotify(notify), 107017);
  }
}

TEST_P(Notifies, AreClearedByTheWaitAndByTheBatch) {
  aclrtNotify notify = new_notify();
  ASSERT_EQ(aclrtRecordNotify(notify, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, nullptr, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, nullptr, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107019) << "the first wait has cleared it";
  ASSERT_EQ(aclrtRecordNotify(notify, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtNotifyBatchReset(&notify, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, nullptr, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107019);
  EXPECT_THAT(error_text(), HasSubstr("nothing ended the wait within 1 s"));
}

TEST_P(Notifies, RefuseWhatTheyCanNotTake) {
  aclrtNotify notify = new_notify(), other = nullptr;
  EXPECT_EQ(aclrtCreateNotify(nullptr, 0), 100000);
  EXPECT_EQ(aclrtCreateNotify(&other, 2), 107000);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(aclrtRecordNotify(nullptr, nullptr), 100000);
  EXPECT_EQ(aclrtRecordNotify(garbage_handle(), nullptr), 107017);
  EXPECT_EQ(aclrtRecordNotify(notify, garbage_handle()), 107017);
  EXPECT_EQ(aclrtNotifyBatchReset(&notify, 0), 107000);
  EXPECT_EQ(aclrtGetNotifyId(notify, nullptr), 100000);
  const aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyNotify(notify), 107000) << "a task waits for it";
  ASSERT_EQ(aclrtRecordNotify(notify, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyNotify(notify), ACL_SUCCESS);
}

TEST_P(Notifies, LetTheirStreamBeDestroyedOrAborted) {
  const aclrtNotify notify = new_notify();
  const aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(stream, [] { return aclError{507015}; }), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamAbort(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 107023);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
}

TEST(NotifyLimit, IsTheProducts) {
  const Environment chip({{"GRADPROOF_DEVICES", "Ascend910A"}, {"GRADPROOF_CHECKS", "0"}});
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtNotify notify = nullptr;
  for (int count = 0; count < 1024; ++count) ASSERT_EQ(aclrtCreateNotify(&notify, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateNotify(&notify, 0), 207009);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclrtRecordNotify(notify, nullptr), 107017) << "after aclFinalize";
}

// ---- Words

TEST_P(Notifies, WordsOfMemoryOrderStreamsAsWell) {
  void* const word = device_memory(16);
  const aclrtStream first = new_stream(), second = new_stream();
  std::vector<int> order;
  ASSERT_EQ(aclrtValueWrite(word, 4, 0, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_GEQ, second), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(second, noting(order, 2)), ACL_SUCCESS);
  ASSERT_EQ(device::enqueue(first, noting(order, 1)), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWrite(word, 7, 0, first), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST_P(Notifies, WordsAreComparedInFourWays) {
  void* const word = device_memory(8);
  const struct {
    std::uint64_t value, awaited;
    std::uint32_t flag;
  } reached[] = {{5, 5, ACL_STREAM_WAIT_VALUE_GEQ},
                 {1, ~std::uint64_t{0}, ACL_STREAM_WAIT_VALUE_GEQ},
                 {9, 9, ACL_STREAM_WAIT_VALUE_EQ},
                 {6, 2, ACL_STREAM_WAIT_VALUE_AND},
                 {6, 8, ACL_STREAM_WAIT_VALUE_NOR}};
  for (const auto& one : reached) {
    ASSERT_EQ(aclrtValueWrite(word, one.value, 0, nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtValueWait(word, one.awaited, one.flag, nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  }
  for (const std::uint32_t flag : {ACL_STREAM_WAIT_VALUE_EQ, ACL_STREAM_WAIT_VALUE_AND}) {
    const aclrtStream stream = new_stream();
    ASSERT_EQ(aclrtValueWrite(word, 1, 0, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtValueWait(word, 2, flag, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 30), 507046) << "it is not reached";
    EXPECT_EQ(aclrtStreamAbort(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), 107023);
  }
}

TEST_P(Notifies, WordsMustBeAlignedDeviceMemory) {
  auto* const word = static_cast<char*>(device_memory(16));
  std::uint64_t host = 0;
  EXPECT_EQ(aclrtValueWrite(nullptr, 0, 0, nullptr), 100000);
  EXPECT_EQ(aclrtValueWrite(word + 4, 0, 0, nullptr), 107000);
  EXPECT_EQ(aclrtValueWrite(word, 0, 1, nullptr), 107000);
  EXPECT_EQ(aclrtValueWrite(&host, 0, 0, nullptr), 107000);
  EXPECT_EQ(aclrtValueWrite(word + 16, 0, 0, nullptr), 107000);
  EXPECT_EQ(aclrtValueWait(word, 0, 4, nullptr), 107000);
  ASSERT_EQ(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(word), 107000) << "a task waits for it";
  ASSERT_EQ(aclrtStreamAbort(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107023);
}

// ---- Reductions

template <class Number, std::size_t Count>
std::vector<Number> reduced(void* to, void* from, const std::array<Number, Count>& a,
                            const std::array<Number, Count>& b, aclrtReduceKind kind,
                            aclDataType type) {
  aclrtMemcpy(to, sizeof a, a.data(), sizeof a, ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemcpy(from, sizeof b, b.data(), sizeof b, ACL_MEMCPY_HOST_TO_DEVICE);
  EXPECT_EQ(aclrtReduceAsync(to, from, sizeof a, kind, type, nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  std::vector<Number> result(Count);
  aclrtMemcpy(result.data(), sizeof a, to, sizeof a, ACL_MEMCPY_DEVICE_TO_HOST);
  return result;
}

TEST_P(Notifies, ReductionsComputeInTheTypeItself) {
  void *const to = device_memory(64), *const from = device_memory(64);
  using Floats = std::array<float, 3>;
  using Bytes = std::array<std::int8_t, 3>;
  using Halves = std::array<std::uint16_t, 2>;
  EXPECT_THAT(reduced(to, from, Floats{1, 2, 3}, Floats{4, -5, 6}, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                      ACL_FLOAT),
              ElementsAre(5, -3, 9));
  EXPECT_THAT(reduced(to, from, Floats{1, 2, 3}, Floats{4, -5, 6}, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX,
                      ACL_FLOAT),
              ElementsAre(4, 2, 6));
  EXPECT_THAT(reduced(to, from, Bytes{100, -100, 3}, Bytes{100, -100, 4},
                      ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT8),
              ElementsAre(127, -128, 7));
  EXPECT_THAT(reduced(to, from, Bytes{1, -1, 3}, Bytes{0, 5, 4}, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN,
                      ACL_INT8),
              ElementsAre(0, -1, 3));
  // 2048 + 1 in FLOAT16 is 2048; 1 + 1 is 2.
  EXPECT_THAT(reduced(to, from, Halves{0x6800, 0x3C00}, Halves{0x3C00, 0x3C00},
                      ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT16),
              ElementsAre(0x6800, 0x4000));
}

TEST_P(Notifies, ReductionsRefuseWhatTheChipLacks) {
  void *to = device_memory(64), *from = device_memory(64);
  const auto reduce = [&](aclrtReduceKind kind, aclDataType type, std::uint64_t bytes = 8) {
    return aclrtReduceAsync(to, from, bytes, kind, type, nullptr, nullptr);
  };
  EXPECT_EQ(reduce(ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT), 207000);
  EXPECT_EQ(reduce(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_UINT32), 100000);
  EXPECT_EQ(reduce(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_DOUBLE), 100000);
  EXPECT_EQ(reduce(static_cast<aclrtReduceKind>(9), ACL_FLOAT), 100000);
  EXPECT_EQ(reduce(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, 6), 107000);
  EXPECT_EQ(reduce(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, 68), 107000);
  EXPECT_EQ(aclrtReduceAsync(to, from, 8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, nullptr, to),
            100000);
  EXPECT_EQ(aclrtReduceAsync(nullptr, from, 8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, nullptr,
                             nullptr),
            100000);
  open({{"GRADPROOF_DEVICES", "Ascend910A"}});
  to = device_memory(64);
  from = device_memory(64);
  EXPECT_EQ(reduce(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT16), 100000);
}

}  // namespace
}  // namespace gradproof::kernel
