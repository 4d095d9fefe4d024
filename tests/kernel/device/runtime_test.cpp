#include "tests/support/runtime_fixture.h"

#include "acl/acl.h"
#include "kernel/device/device.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <string>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

// ---- Options

constexpr aclSysParamOpt all_options[] = {ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL,
                                          ACL_OPT_STRONG_CONSISTENCY,
                                          ACL_OPT_ENABLE_KERNEL_EARLY_START};

/// Options of the process outlive aclFinalize: each test puts them back.
class SystemOptions : public OnDevice {
 protected:
  void TearDown() override {
    for (const auto option : all_options) aclrtSetSysParamOpt(option, 0);
    OnDevice::TearDown();
  }
  static std::int64_t level() { return device::current_device_state()->deterministic; }
};

TEST_F(SystemOptions, AreZeroForTheProcessAndUnsetForAContext) {
  for (const auto option : all_options) {
    std::int64_t value = -1;
    EXPECT_EQ(aclrtGetSysParamOpt(option, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(aclrtCtxGetSysParamOpt(option, &value), 107021);
  }
}

TEST_F(SystemOptions, TakeTheDocumentedValuesOnly) {
  for (const auto option : all_options) {
    const std::int64_t largest = option == ACL_OPT_DETERMINISTIC ? 3 : 1;
    for (std::int64_t value = -1; value <= 4; ++value) {
      const bool is_allowed = value >= 0 && value <= largest;
      EXPECT_EQ(aclrtSetSysParamOpt(option, value), is_allowed ? 0 : 107000)
          << option << " " << value;
      const bool is_batch = option == ACL_OPT_DETERMINISTIC && value == 3;
      EXPECT_EQ(aclrtCtxSetSysParamOpt(option, value), is_batch     ? 100000
                                                       : is_allowed ? 0
                                                                    : 107000)
          << option << " " << value;
    }
  }
  for (const int unknown : {-1, 4}) {
    const auto option = static_cast<aclSysParamOpt>(unknown);
    std::int64_t value = 0;
    EXPECT_EQ(aclrtSetSysParamOpt(option, 0), 100000);
    EXPECT_EQ(aclrtGetSysParamOpt(option, &value), 100000);
    EXPECT_EQ(aclrtCtxSetSysParamOpt(option, 0), 100000);
    EXPECT_EQ(aclrtCtxGetSysParamOpt(option, &value), 100000);
  }
}

TEST_F(SystemOptions, OfAContextAreWrittenToTheProcessAsWell) {
  std::int64_t value = -1;
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 2) << "what the context answers does not change with the process";
}

TEST_F(SystemOptions, DeterminismIsTheContextsElseTheProcesss) {
  EXPECT_EQ(level(), 0);
  aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 3);
  EXPECT_EQ(level(), 3);
  aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1);
  EXPECT_EQ(level(), 1);
  aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0);
  EXPECT_EQ(level(), 1);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), ACL_SUCCESS);
  EXPECT_EQ(level(), 0);
}

TEST_F(SystemOptions, DeterminismIsTheProcesssInProfileReleased) {
  open({{"GRADPROOF_PROFILE", "released"}});
  aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1);
  EXPECT_EQ(level(), 1) << "the context's setter wrote the process's value";
  aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0);
  EXPECT_EQ(level(), 0);
}

TEST_F(SystemOptions, DeprecatedStrongConsistencyRaisesLevelOneToTwo) {
  aclrtSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 1);
  EXPECT_EQ(level(), 0) << "alone it does nothing";
  aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1);
  EXPECT_EQ(level(), 2);
  aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 3);
  EXPECT_EQ(level(), 3);
}

// ---- Null pointers

TEST_F(OnDevice, NullPointersAre100000) {
  std::size_t size = 0;
  std::int64_t number = 0;
  char byte = 0;
  const std::pair<const char*, std::function<aclError()>> calls[] = {
      {"aclrtGetDevice", [] { return aclrtGetDevice(nullptr); }},
      {"aclrtGetDeviceCount", [] { return aclrtGetDeviceCount(nullptr); }},
      {"aclrtGetDeviceInfo", [] { return aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, nullptr); }},
      {"aclGetDeviceCapability",
       [] { return aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, nullptr); }},
      {"aclGetCannAttribute", [] { return aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr); }},
      {"aclGetCannAttributeList", [&] { return aclGetCannAttributeList(nullptr, &size); }},
      {"aclrtGetDeviceSatMode", [] { return aclrtGetDeviceSatMode(nullptr); }},
      {"aclrtGetResInCurrentThread",
       [] { return aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, nullptr); }},
      {"aclrtCreateContext", [] { return aclrtCreateContext(nullptr, 0); }},
      {"aclrtDestroyContext", [] { return aclrtDestroyContext(nullptr); }},
      {"aclrtSetCurrentContext", [] { return aclrtSetCurrentContext(nullptr); }},
      {"aclrtGetCurrentContext", [] { return aclrtGetCurrentContext(nullptr); }},
      {"aclrtCtxGetCurrentDefaultStream", [] { return aclrtCtxGetCurrentDefaultStream(nullptr); }},
      {"aclrtCtxGetSysParamOpt",
       [] { return aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr); }},
      {"aclrtGetSysParamOpt", [] { return aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr); }},
      {"aclrtCreateStream", [] { return aclrtCreateStream(nullptr); }},
      {"aclrtCreateStreamWithConfig", [] { return aclrtCreateStreamWithConfig(nullptr, 0, 0); }},
      {"aclrtDestroyStream", [] { return aclrtDestroyStream(nullptr); }},
      {"aclrtDestroyStreamForce", [] { return aclrtDestroyStreamForce(nullptr); }},
      {"aclrtStreamQuery", [] { return aclrtStreamQuery(nullptr, nullptr); }},
      {"aclrtStreamWaitEvent", [] { return aclrtStreamWaitEvent(nullptr, nullptr); }},
      {"aclrtCreateEvent", [] { return aclrtCreateEvent(nullptr); }},
      {"aclrtCreateEventWithFlag",
       [] { return aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC); }},
      {"aclrtCreateEventExWithFlag",
       [] { return aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC); }},
      {"aclrtDestroyEvent", [] { return aclrtDestroyEvent(nullptr); }},
      {"aclrtRecordEvent", [] { return aclrtRecordEvent(nullptr, nullptr); }},
      {"aclrtResetEvent", [] { return aclrtResetEvent(nullptr, nullptr); }},
      {"aclrtQueryEvent", [] { return aclrtQueryEvent(nullptr, nullptr); }},
      {"aclrtQueryEventStatus", [] { return aclrtQueryEventStatus(nullptr, nullptr); }},
      {"aclrtQueryEventWaitStatus", [] { return aclrtQueryEventWaitStatus(nullptr, nullptr); }},
      {"aclrtSynchronizeEvent", [] { return aclrtSynchronizeEvent(nullptr); }},
      {"aclrtEventElapsedTime", [] { return aclrtEventElapsedTime(nullptr, nullptr, nullptr); }},
      {"aclrtMalloc", [] { return aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST); }},
      {"aclrtMallocAlign32",
       [] { return aclrtMallocAlign32(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST); }},
      {"aclrtMallocCached",
       [] { return aclrtMallocCached(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST); }},
      {"aclrtFree", [] { return aclrtFree(nullptr); }},
      {"aclrtMallocHost", [] { return aclrtMallocHost(nullptr, 8); }},
      {"aclrtFreeHost", [] { return aclrtFreeHost(nullptr); }},
      {"aclrtMemcpy dst",
       [&] { return aclrtMemcpy(nullptr, 1, &byte, 1, ACL_MEMCPY_HOST_TO_DEVICE); }},
      {"aclrtMemcpy src",
       [&] { return aclrtMemcpy(&byte, 1, nullptr, 1, ACL_MEMCPY_DEVICE_TO_HOST); }},
      {"aclrtMemcpyAsync",
       [&] { return aclrtMemcpyAsync(nullptr, 1, &byte, 1, ACL_MEMCPY_HOST_TO_DEVICE, nullptr); }},
      {"aclrtMemcpy2d",
       [&] { return aclrtMemcpy2d(nullptr, 1, &byte, 1, 1, 1, ACL_MEMCPY_HOST_TO_DEVICE); }},
      {"aclrtMemset", [] { return aclrtMemset(nullptr, 1, 0, 1); }},
      {"aclrtMemsetAsync", [] { return aclrtMemsetAsync(nullptr, 1, 0, 1, nullptr); }},
      {"aclrtGetMemInfo", [&] { return aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &size); }},
      {"aclrtPointerGetAttributes", [&] { return aclrtPointerGetAttributes(&number, nullptr); }},
      {"aclrtGetOverflowStatus", [] { return aclrtGetOverflowStatus(nullptr, 8, nullptr); }},
      {"aclrtLaunchHostFunc", [] { return aclrtLaunchHostFunc(nullptr, nullptr, nullptr); }},
      {"aclDestroyDataBuffer", [] { return aclDestroyDataBuffer(nullptr); }},
      {"aclUpdateDataBuffer", [] { return aclUpdateDataBuffer(nullptr, nullptr, 0); }},
  };
  for (const auto& [name, call] : calls) {
    error_text();
    EXPECT_EQ(call(), 100000) << name;
    EXPECT_THAT(error_text(), HasSubstr("is null")) << name;
  }
}

TEST_F(OnDevice, WhatIsNotSimulatedSaysSo) {
  std::uint32_t model = 0;
  EXPECT_EQ(aclmdlLoadFromFile("model.om", &model), 200001);
  EXPECT_EQ(aclmdlUnload(model), 200001);
  EXPECT_THAT(error_text(), HasSubstr("aclmdlLoadFromFile: not part of what is simulated"));
}

// ---- Data

TEST(DataType, SizesAreThoseOfTheirElements) {
  const std::pair<aclDataType, std::size_t> sizes[] = {
      {ACL_FLOAT, 4},        {ACL_FLOAT16, 2},       {ACL_INT8, 1},
      {ACL_INT32, 4},        {ACL_UINT8, 1},         {ACL_INT16, 2},
      {ACL_UINT16, 2},       {ACL_UINT32, 4},        {ACL_INT64, 8},
      {ACL_UINT64, 8},       {ACL_DOUBLE, 8},        {ACL_BOOL, 1},
      {ACL_STRING, 0},       {ACL_COMPLEX64, 8},     {ACL_COMPLEX128, 16},
      {ACL_COMPLEX32, 4},    {ACL_BF16, 2},          {ACL_HIFLOAT8, 1},
      {ACL_FLOAT8_E5M2, 1},  {ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1},
      {ACL_DT_UNDEFINED, 0}, {ACL_INT4, 0},          {static_cast<aclDataType>(1000), 0}};
  for (const auto& [type, size] : sizes) EXPECT_EQ(aclDataTypeSize(type), size) << type;
}

TEST(HalfHelpers, SaturateWhereTheOperatorsDoNot) {
  EXPECT_EQ(aclFloatToFloat16(1.0F), 0x3C00);
  EXPECT_EQ(aclFloatToFloat16(-2.0F), 0xC000);
  EXPECT_EQ(aclFloatToFloat16(65504.0F), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520.0F), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::infinity()), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-std::numeric_limits<float>::infinity()), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(std::nanf("")), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-std::nanf("")), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(0x1p-24F), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(0x1p-25F), 0x0000) << "a tie, to even";
  EXPECT_EQ(aclFloatToFloat16(0x1.8p-24F), 0x0002) << "a tie, to even";
  EXPECT_EQ(aclFloatToFloat16(0x1.002p0F), 0x3C00) << "a tie, to even";
  EXPECT_EQ(aclFloatToFloat16(0x1.006p0F), 0x3C02) << "a tie, to even";
  EXPECT_EQ(aclFloatToFloat16(-0.0F), 0x8000);
  EXPECT_EQ(aclFloat16ToFloat(0x7C00), 65536.0F);
  EXPECT_EQ(aclFloat16ToFloat(0xFC00), -65536.0F);
  EXPECT_EQ(aclFloat16ToFloat(0x7E00), 98304.0F);
}

TEST(HalfHelpers, RoundTripEveryFiniteNumber) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7C00U) == 0x7C00U) continue;
    const auto half = static_cast<aclFloat16>(bits);
    ASSERT_EQ(aclFloatToFloat16(aclFloat16ToFloat(half)), half) << std::hex << bits;
  }
}

TEST(DataBuffer, HoldsAnAddressAndASize) {
  int datum = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&datum, sizeof datum);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &datum);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof datum);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, 99), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 99U);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), 107017);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, 1), 107017);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(garbage_handle<aclDataBuffer*>()), 0U);
}

TEST(AppLog, WritesErrorsAndCutsLongMessages) {
  const Environment environment(Variables{{"ASCEND_SLOG_PRINT_TO_STDOUT", "0"}});
  testing::internal::CaptureStderr();
  ACL_APP_LOG(ACL_INFO, "not this one %d", 1);
  ACL_APP_LOG(ACL_ERROR, "code %d", 507015);
  aclAppLog(ACL_ERROR, nullptr, nullptr, 0, "%s", std::string(5000, 'x').c_str());
  aclAppLog(ACL_ERROR, "f", "g", 0, nullptr);
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, testing::Not(HasSubstr("not this one")));
  EXPECT_THAT(written, HasSubstr("code 507015"));
  EXPECT_THAT(written, HasSubstr("x...[truncated]\n"));
  EXPECT_LT(written.size(), 1500U);
}

TEST(AppLog, WritesWhatTheLevelAsksForToStandardOutput) {
  const Environment environment(
      Variables{{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}, {"ASCEND_GLOBAL_LOG_LEVEL", "1"}});
  testing::internal::CaptureStdout();
  ACL_APP_LOG(ACL_DEBUG, "quiet");
  ACL_APP_LOG(ACL_INFO, "told");
  const std::string written = testing::internal::GetCapturedStdout();
  EXPECT_THAT(written, HasSubstr("[INFO]"));
  EXPECT_THAT(written, HasSubstr("told"));
  EXPECT_THAT(written, testing::Not(HasSubstr("quiet")));
}

}  // namespace
}  // namespace gradproof::kernel
