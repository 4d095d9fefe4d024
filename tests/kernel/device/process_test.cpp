#include "tests/support/runtime_fixture.h"

#include "acl/acl.h"
#include "kernel/device/process_record.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <string>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// ---- Process

TEST(Process, InitialisesOnceAndCountsFurtherCalls) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), 100002);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  std::uint64_t references = 99;
  EXPECT_EQ(aclFinalizeReference(&references), ACL_SUCCESS);
  EXPECT_EQ(references, 2U);
  EXPECT_EQ(aclFinalizeReference(nullptr), ACL_SUCCESS);
  EXPECT_TRUE(device::is_initialised());
  EXPECT_EQ(aclFinalizeReference(&references), ACL_SUCCESS);
  EXPECT_EQ(references, 0U);
  EXPECT_FALSE(device::is_initialised());
  EXPECT_EQ(aclFinalizeReference(&references), ACL_ERROR_REPEAT_FINALIZE);
}

TEST(Process, FinalisesAtOnceHoweverOftenItWasInitialised) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), 100002);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), 100037);
}

TEST(Process, CanBeginAgainAfterItsEnd) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  }
}

TEST(Process, FunctionsThatNeedInitialisationSaySo) {
  ASSERT_FALSE(device::is_initialised());
  std::uint32_t count = 0;
  std::int32_t value = 0;
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclrtCreateContext(&context, 0), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value), ACL_ERROR_UNINITIALIZE);
}

TEST(Process, TellsTheDevicesNameBeforeItIsInitialised) {
  ASSERT_FALSE(device::is_initialised());
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
  ::setenv("GRADPROOF_DEVICES", "Ascend310P3,Ascend910B1", 1);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
  ::setenv("GRADPROOF_DEVICES", "Ascend0", 1);
  EXPECT_EQ(aclrtGetSocName(), nullptr);
  ::unsetenv("GRADPROOF_DEVICES");
  EXPECT_FALSE(device::is_initialised());
}

TEST(Process, TellsTheVersionOfItsHeaders) {
  std::int32_t major = 0, minor = 0, patch = 0;
  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ((std::array{major, minor, patch}), (std::array{1, 17, 0}));
  EXPECT_EQ(aclrtGetVersion(nullptr, &minor, &patch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetVersion(&major, nullptr, &patch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetVersion(&major, &minor, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(Process, RunsOnTheHost) {
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_HOST);
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
}

// ---- Error texts

TEST(ErrorText, ComesNewestFirstAndOnce) {
  error_text();
  EXPECT_EQ(aclrtGetRunMode(nullptr), 100000);
  EXPECT_EQ(aclrtFree(nullptr), 100000);
  const std::string text = error_text();
  const auto newest = text.find("aclrtFree: devPtr is null");
  const auto oldest = text.find("aclrtGetRunMode: runMode is null");
  ASSERT_NE(newest, std::string::npos) << text;
  ASSERT_NE(oldest, std::string::npos) << text;
  EXPECT_LT(newest, oldest);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST(ErrorText, BelongsToItsThread) {
  error_text();
  std::thread([] { aclrtFree(nullptr); }).join();
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST(ErrorText, KeepsTheNewestOfManyFailures) {
  for (int failure = 0; failure < 100000; ++failure) aclrtFree(nullptr);
  aclrtGetRunMode(nullptr);
  const std::string text = error_text();
  EXPECT_THAT(text, StartsWith("EE1001: aclrtGetRunMode"));
  EXPECT_LT(text.size(), 100000U);
}

TEST(LastError, IsPeekedAtAndTaken) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  aclrtFree(nullptr);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 100000);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 100000);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtPeekAtLastError(static_cast<aclrtLastErrLevel>(7)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLastError(static_cast<aclrtLastErrLevel>(7)), ACL_ERROR_INVALID_PARAM);
}

// ---- The failure path of the documented examples

TEST(FailurePath, EndsNormallyWithEveryCleanUpCallAnError) {
  aclrtStream stream = garbage_handle();
  EXPECT_EQ(aclrtDestroyStream(stream), 107017) << "before anything began";
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  // An error: the example finalises first,
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("(64 bytes, device 0)"));
  // then its smart pointers free what the device's reset has freed,
  EXPECT_EQ(aclrtFree(memory), 107000);
  // and it finalises once more.
  EXPECT_EQ(aclrtDestroyStream(stream), 107017);
  EXPECT_EQ(aclrtResetDevice(0), 507007);
  EXPECT_EQ(aclFinalize(), 100037);
}

}  // namespace
}  // namespace gradproof::kernel
