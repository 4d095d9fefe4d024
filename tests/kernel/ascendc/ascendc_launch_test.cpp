// Kernels on the simulated cores: blocks, global memory and its bounds, streams, failures.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel_launcher.h"
#include "kernel_operator.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::ascendc {
namespace {

using AscendC::GetBlockIdx;
using AscendC::GetBlockNum;
using AscendC::GlobalTensor;

extern "C" __global__ __aicore__ void note_block(GM_ADDR seen, int32_t base) {
  GlobalTensor<int32_t> blocks;
  blocks.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(seen), GetBlockNum());
  blocks.SetValue(GetBlockIdx(), base + static_cast<int32_t>(GetBlockIdx()));
}

// The qualifiers of kernels, in any order; here they say nothing.
__global__ __vector__ __aicore__ void of_vectors(GM_ADDR seen) { note_block(seen, 1); }
__cube__ __global__ __aicore__ void of_cubes(GM_ADDR seen) { note_block(seen, 2); }
__global__ __aicore__ __mix__(1, 2) void of_both(GM_ADDR seen) { note_block(seen, 3); }
__mix__(1, 0) __schedmode__(1) __global__ __aicore__ void scheduled(GM_ADDR seen) {
  note_block(seen, 4);
}

class Launch : public OnDevice {
 protected:
  uint8_t* memory(std::size_t bytes) { return static_cast<uint8_t*>(device_memory(bytes)); }

  template <typename T>
  std::vector<T> values(const void* from, std::size_t count) {
    std::vector<T> read(count);
    EXPECT_EQ(aclrtMemcpy(read.data(), count * sizeof(T), from, count * sizeof(T),
                          ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return read;
  }

  // Launches what must fail, and expects each of the words in its text.
  void expect_refusal(aclError code, std::vector<std::string> words, void (*kernel)(GM_ADDR),
                      uint8_t* argument, uint32_t blocks = 1) {
    error_text();
    EXPECT_EQ(launch(kernel, blocks, argument), code);
    const std::string text = error_text();
    for (const std::string& word : words) {
      EXPECT_NE(text.find(word), std::string::npos) << word << "\nin: " << text;
    }
  }
};

std::vector<int32_t> counted(int32_t base, int32_t count) {
  std::vector<int32_t> expected;
  for (int32_t i = 0; i < count; ++i) expected.push_back(base + i);
  return expected;
}

TEST_F(Launch, GivesEachBlockItsIndexAndTheArguments) {
  for (const int32_t count : {1, 2, 24, 300}) {
    uint8_t* seen = memory(static_cast<std::size_t>(count) * 4);
    ASSERT_EQ(launch(note_block, static_cast<uint32_t>(count), seen, 7), 0) << error_text();
    EXPECT_EQ(values<int32_t>(seen, static_cast<std::size_t>(count)), counted(7, count));
  }
}

// In the style of plain C, as in CANN runtime's examples.
extern "C" __global__ __aicore__ void add_by_pointer(GM_ADDR values) {
  reinterpret_cast<__gm__ int32_t*>(values)[GetBlockIdx()] += 1;
}

TEST_F(Launch, SaysWhichKernelTouchesDeviceMemoryByAPlainPointer) {
  uint8_t* values = memory(64);
  expect_refusal(507015,
                 {"by a plain pointer", "core 0 of 1", "the start of allocation", "DataCopy"},
                 add_by_pointer, values);
  aclrtStream stream = new_stream();
  ASSERT_EQ(launch_on(stream, add_by_pointer, 1, values), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015) << "the process continues";
  EXPECT_EQ(launch(note_block, 2, values, 7), 0) << "and so does the device";
}

TEST(LaunchDeathTest, LeavesOtherFaultsToTheProgram) {
  const auto run = [] {
    if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0) return;
    run_blocks(1, [] { *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1; });
  };
  EXPECT_DEATH(run(), "");
}

TEST_F(Launch, RunsInTheOrderOfItsStreamAndOnlyWhenItIsWaitedFor) {
  uint8_t* seen = memory(32);
  aclrtStream stream = new_stream();
  ASSERT_EQ(launch_on(stream, note_block, 8, seen, 10), 0);
  ASSERT_EQ(launch_on(stream, note_block, 4, seen, 20), 0);
  EXPECT_EQ(values<int32_t>(seen, 1), (std::vector<int32_t>{-1})) << "poison until then";
  ASSERT_EQ(aclrtSynchronizeStream(stream), 0) << error_text();
  EXPECT_EQ(values<int32_t>(seen, 8), (std::vector<int32_t>{20, 21, 22, 23, 14, 15, 16, 17}));
}

TEST_F(Launch, ReportsAStreamsFailureAtItsSynchronisationWithItsText) {
  uint8_t* seen = memory(4);
  aclrtStream stream = new_stream();
  ASSERT_EQ(launch_on(stream, note_block, 2, seen, 0), 0);
  error_text();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW);
  const std::string text = error_text();
  EXPECT_NE(text.find("core 1 of 2: GlobalTensor::SetValue"), std::string::npos) << text;
}

TEST_F(Launch, TakesKernelsOfEveryKind) {
  uint8_t* const seen = memory(3 * sizeof(int32_t));
  int32_t base = 0;
  for (void (*kernel)(GM_ADDR) : {of_vectors, of_cubes, of_both, scheduled}) {
    ASSERT_EQ(launch(kernel, 3, seen), 0) << error_text();
    EXPECT_EQ(values<int32_t>(seen, 3), counted(++base, 3));
  }
}

TEST_F(Launch, RefusesWhatIsNoLaunch) {
  uint8_t* seen = memory(4);
  EXPECT_EQ(launch(note_block, 0, seen, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(error_text().find("blockCount is 0"), std::string::npos);
  EXPECT_EQ(launch(note_block, 65536, seen, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch(static_cast<void (*)(GM_ADDR, int32_t)>(nullptr), 1, seen, 0),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(error_text().find("kernel is null"), std::string::npos);
  EXPECT_EQ(launch_on(garbage_handle(), note_block, 1, seen, 0), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Launch, RefusesAKernelThatLaunches) {
  error_text();
  std::atomic<aclError> inner = 0;
  ASSERT_EQ(run_blocks(1, [&] { inner = run_blocks(1, [] {}); }), 0);
  EXPECT_EQ(inner, ACL_ERROR_RT_PARAM_INVALID);
}

TEST(LaunchWithoutADevice, IsRefused) {
  EXPECT_EQ(launch(note_block, 1, nullptr, 0), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST(CallsOutsideOfAKernel, ThrowWhatTheyNeed) {
  try {
    GetBlockIdx();
    FAIL() << "GetBlockIdx answered";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("GetBlockIdx: called outside of a kernel"),
              std::string::npos);
  }
}

// Each kernel gets 8 elements of 4 bytes.
GlobalTensor<int32_t> tensor_of(GM_ADDR memory, uint64_t size) {
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(memory), size);
  return tensor;
}

TEST_F(Launch, EndsTheBlockThatLeavesTheBoundsOfItsTensor) {
  uint8_t* eight = memory(32);
  expect_refusal(
      507042, {"core 0 of 1", "GetValue", "element 4", "4 elements"},
      [](GM_ADDR at) { tensor_of(at, 4).GetValue(4); }, eight);
  expect_refusal(
      507043, {"SetValue", "element -1"},
      [](GM_ADDR at) { tensor_of(at, 4)[1].SetValue(UINT64_MAX - 1, 0); }, eight);
  expect_refusal(
      507043, {"SetValue", "outside of device memory at element 8", "32 bytes"},
      [](GM_ADDR at) { tensor_of(at, 9).SetValue(8, 0); }, eight);
  expect_refusal(
      507042, {"GetValue", "outside of device memory"},
      [](GM_ADDR at) { tensor_of(at, 0).GetValue(uint64_t{1} << 62); }, eight);
  expect_refusal(
      507042, {"GetValue", "is no memory of a device"},
      [](GM_ADDR) {
        std::array<int32_t, 4> host{};
        GlobalTensor<int32_t> tensor;
        tensor.SetGlobalBuffer(host.data(), host.size());
        tensor.GetValue(0);
      },
      eight);
  expect_refusal(
      507042, {"no buffer", "SetGlobalBuffer"},
      [](GM_ADDR) { GlobalTensor<int32_t>().GetValue(0); }, eight);
  expect_refusal(
      507042, {"not aligned"}, [](GM_ADDR at) { tensor_of(at + 1, 0).GetValue(0); }, eight);
}

TEST_F(Launch, KeepsItsArgumentsFromBeingFreedAndRefusesFreedOnes) {
  uint8_t* eight = memory(32);
  aclrtStream stream = new_stream();
  ASSERT_EQ(launch_on(stream, note_block, 8, eight, 0), 0);
  EXPECT_EQ(aclrtFree(eight), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtSynchronizeStream(stream), 0);
  ASSERT_EQ(aclrtFree(eight), 0);
  error_text();
  EXPECT_EQ(launch_on(stream, note_block, 8, eight, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(error_text().find("which was freed already"), std::string::npos);
  EXPECT_EQ(launch(note_block, 8, eight, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Launch, FindsFreedMemoryThatIsNoArgument) {
  struct Pointer {
    GM_ADDR value;
  } hidden{memory(32)};
  ASSERT_EQ(aclrtFree(hidden.value), 0);
  const auto kernel = [](Pointer pointer) { tensor_of(pointer.value, 8).GetValue(0); };
  error_text();
  EXPECT_EQ(launch(+kernel, 1, hidden), 507042);
  EXPECT_NE(error_text().find("which was freed already"), std::string::npos);
}

TEST_F(Launch, ReadsAndWritesElementsOfEverySize) {
  struct Triple {
    int32_t a, b, c;
  };
  uint8_t* at = memory(64);
  const auto kernel = [](GM_ADDR address) {
    const auto round_trip = [&](auto value) {
      using T = decltype(value);
      GlobalTensor<T> tensor;
      tensor.SetGlobalBuffer(reinterpret_cast<T*>(address));
      tensor[1].SetValue(1, value);
      return tensor.GetValue(2);
    };
    if (round_trip(uint8_t{200}) != 200) throw std::logic_error("1 byte");
    if (round_trip(half(1.5F)) != 1.5F) throw std::logic_error("half");
    if (round_trip(bfloat16_t(-3.0F)) != -3.0F) throw std::logic_error("bfloat16_t");
    if (round_trip(0.1F) != 0.1F) throw std::logic_error("float");
    if (round_trip(uint64_t{1} << 40) != uint64_t{1} << 40) throw std::logic_error("8 bytes");
    if (round_trip(Triple{1, 2, 3}).c != 3) throw std::logic_error("12 bytes");
  };
  EXPECT_EQ(run_blocks(1, [&] { kernel(at); }), 0) << error_text();
}

TEST_F(Launch, NamesTheEarliestCoreThatFailedWhateverTheThreadsDo) {
  ASSERT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), 0);
  for (int repeat = 0; repeat < 50; ++repeat) {
    expect_refusal(
        507016, {"core 5 of 24: kernel: it let an exception out: too much"},
        [](GM_ADDR) {
          if (GetBlockIdx() >= 5) throw std::runtime_error("too much");
        },
        nullptr, 24);
  }
}

TEST_F(Launch, FailsAKernelThatSwallowsItsDiagnostic) {
  expect_refusal(
      507042, {"GetValue"},
      [](GM_ADDR) {
        try {
          GlobalTensor<int32_t>().GetValue(0);
        } catch (...) {
        }
      },
      nullptr);
}

TEST(GlobalTensorSize, IsWhatIsLeftOfTheBuffer) {
  GlobalTensor<half> tensor;
  EXPECT_EQ(tensor.GetSize(), 0U);
  tensor.SetGlobalBuffer(nullptr, 10);
  EXPECT_EQ(tensor.GetSize(), 10U);
  EXPECT_EQ(tensor[3].GetSize(), 7U);
  EXPECT_EQ(tensor[11].GetSize(), 0U);
}

TEST(ScalarTypes, RoundToNearestEven) {
  EXPECT_EQ(half(1.0F + 0x1p-11F).bits, 0x3C00);
  EXPECT_EQ(half(1.0F + 0x3p-11F).bits, 0x3C02);
  EXPECT_EQ(half(70000.0F).bits, 0x7C00);
  EXPECT_EQ(bfloat16_t(1.0F + 0x1p-8F).bits, 0x3F80);
  EXPECT_EQ(static_cast<float>(bfloat16_t(0x1p-130F)), 0x1p-130F);
  EXPECT_EQ(half(2) * half(3) + 1, 7.0F);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
