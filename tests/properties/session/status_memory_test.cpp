#include "properties/targets/session/status_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/valid_case.h"
#include "tests/support/fake_cann.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;

Case strided_case() {
  cases::Convolution sizes;
  sizes.small_channels_per_group = 2;
  sizes.big_channels_per_group = 3;
  sizes.axes = {{.big = 5, .kernel = 2}};
  Case test_case = cases::plain_case(sizes, cases::Frame{});
  test_case.input->strides = {{30, 10, 2}};
  test_case.input->storage_shape = {{1, 3, 10}};
  return test_case;
}

/// What is seen of each of the six tensors' memory: whether anything changed.
std::array<bool, 6> changed(const Observation& seen) {
  std::array<bool, 6> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& output = seen.outputs.at(i);
    result.at(i) = seen.input_changed_byte.at(i).has_value();
    result.at(i + 3) = output.bits != output.before || output.overwritten_byte.has_value();
  }
  return result;
}

/// What one byte, `offset` bytes from where a tensor begins, shows when it is written over.
Observation seen_of_byte(const StatusMemory& memory, std::size_t tensor, std::int64_t offset) {
  auto* const byte = static_cast<std::byte*>(memory.addresses().at(tensor)) + offset;
  const std::byte before = *byte;
  *byte = ~before;
  Observation seen;
  EXPECT_FALSE(memory.observe(seen));
  *byte = before;
  return seen;
}

TEST(StatusMemory, ShowsNothingOfMemoryThatStaysAsItWas) {
  const CannApi api = fake_api();
  const Case test_case = strided_case();
  const auto memory = StatusMemory::of_tensors(api, test_case, 0);
  ASSERT_TRUE(memory) << memory.error();
  Observation seen;
  EXPECT_FALSE(memory->observe(seen));
  EXPECT_EQ(changed(seen), (std::array<bool, 6>{}));
}

TEST(StatusMemory, ShowsAByteOfEachTensorAndOfNoOther) {
  const CannApi api = fake_api();
  const Case test_case = strided_case();
  const auto memory = StatusMemory::of_tensors(api, test_case, 64);
  ASSERT_TRUE(memory) << memory.error();
  for (std::size_t tensor = 0; tensor < 6; ++tensor) {
    std::array<bool, 6> only{};
    only.at(tensor) = true;
    EXPECT_EQ(changed(seen_of_byte(*memory, tensor, 0)), only) << tensor;
    EXPECT_EQ(changed(seen_of_byte(*memory, tensor, 5)), only) << tensor;
  }
  EXPECT_EQ(seen_of_byte(*memory, 0, 5).input_changed_byte[0], 5);
}

TEST(StatusMemory, ShowsAByteNextToATensor) {
  const CannApi api = fake_api();
  const Case test_case = strided_case();
  const auto memory = StatusMemory::of_tensors(api, test_case, 0);
  ASSERT_TRUE(memory) << memory.error();
  const Observation before_first = seen_of_byte(*memory, 0, -1);
  EXPECT_EQ(before_first.input_changed_byte[0], -1);
  const auto output_bytes = static_cast<std::int64_t>(4 * test_case.grad_bias->shape[0]);
  const Observation behind_last = seen_of_byte(*memory, 5, output_bytes);
  EXPECT_EQ(behind_last.outputs[2].overwritten_byte, output_bytes);
  // Of a view with gaps: the second element lies two places behind the first.
  EXPECT_TRUE(seen_of_byte(*memory, 1, 4).input_changed_byte[1]);
}

TEST(StatusMemory, GivesStandInsAddressesOfTheirOwn) {
  const CannApi api = fake_api();
  const auto memory = StatusMemory::of_stand_ins(api, 0);
  ASSERT_TRUE(memory) << memory.error();
  auto addresses = memory->addresses();
  std::ranges::sort(addresses);
  EXPECT_EQ(std::ranges::adjacent_find(addresses), addresses.end());
  for (std::size_t tensor = 0; tensor < 6; ++tensor) {
    std::array<bool, 6> only{};
    only.at(tensor) = true;
    EXPECT_EQ(changed(seen_of_byte(*memory, tensor, 0)), only) << tensor;
  }
}

TEST(StatusMemory, LeavesNullTensorsNull) {
  const CannApi api = fake_api();
  Case test_case = strided_case();
  test_case.weight.reset();
  test_case.grad_bias.reset();
  const auto memory = StatusMemory::of_tensors(api, test_case, 0);
  ASSERT_TRUE(memory) << memory.error();
  const auto addresses = memory->addresses();
  for (std::size_t tensor = 0; tensor < 6; ++tensor) {
    EXPECT_EQ(addresses.at(tensor) == nullptr, tensor == 2 || tensor == 5) << tensor;
  }
}

}  // namespace
}  // namespace gradproof::targets
