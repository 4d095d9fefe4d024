// What devices are told and tell: peers, states, limits of cores and of time, versions, small
// things.

#include "acl/acl.h"
#include "tests/support/stream_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "kernel/device/device.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

class DeviceSettings : public OnDevice {
 protected:
  void SetUp() override { open({{"GRADPROOF_DEVICES", "Ascend910B1,Ascend910B1"}}); }
};

TEST_F(DeviceSettings, PeersAreEnabledInOneDirection) {
  std::int32_t value = -1;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&value, 0, 1), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&value, 1, 1), ACL_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 0, 1), 100000);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&value, 0, 2), 107001);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 1), 100000);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), 107000);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(2, 0), 107001);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS) << "not enabled";
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS) << "again";
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(1, 0, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0);
}

TEST_F(DeviceSettings, CopiesBetweenDevicesAreRemarkedOnWithoutPeerAccess) {
  void* const here = device_memory(64);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  void* const there = device_memory(64);
  error_text();
  EXPECT_EQ(aclrtMemcpy(there, 64, here, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_THAT(error_text(), HasSubstr("without aclrtDeviceEnablePeerAccess"));
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(there, 64, here, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(error_text(), "");
}

TEST_F(DeviceSettings, StatusIsAbnormalFromAFailureToTheReset) {
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
  aclrtErrorInfo info{};
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  ASSERT_EQ(device::enqueue(nullptr, failing(507015, "EE1001: it failed")), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 507015);
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_ABNORMAL);
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.errorType, ACL_RT_ERROR_AICORE);
  EXPECT_EQ(aclrtRepairError(0, &info), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(aclrtQueryDeviceStatus(2, &status), 107001);
  EXPECT_EQ(aclrtQueryDeviceStatus(0, nullptr), 100000);
}

TEST_F(DeviceSettings, AnswersAboutThemselves) {
  aclrtUtilizationInfo use{};
  use.cubeUtilization = 7;
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &use), ACL_SUCCESS);
  EXPECT_EQ(use.cubeUtilization, 0);
  std::int32_t value = -1, active = -1;
  EXPECT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value),
            ACL_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtGetDeviceCapability(0, static_cast<aclrtDevFeatureType>(2), &value), 107000);
  aclrtUuid first{}, second{};
  EXPECT_EQ(aclrtDeviceGetUuid(0, &first), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceGetUuid(1, &second), ACL_SUCCESS);
  EXPECT_NE(std::memcmp(&first, &second, sizeof first), 0);
  std::array<char, 16> bus{};
  EXPECT_EQ(aclrtDeviceGetPCIBusId(1, bus.data(), 12), 107000);
  EXPECT_EQ(aclrtDeviceGetPCIBusId(1, bus.data(), 13), ACL_SUCCESS);
  EXPECT_STREQ(bus.data(), "0000:01:00.0");
  EXPECT_EQ(aclrtDeviceGetByPCIBusId(bus.data(), &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtDeviceGetByPCIBusId("0000:02:00.0", &value), 107000);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(aclrtGetPrimaryCtxState(1, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 0);
  std::uint64_t topology = 0;
  EXPECT_EQ(aclrtGetDevicesTopo(0, 1, &topology), ACL_SUCCESS);
  EXPECT_EQ(topology, ACL_RT_DEVS_TOPOLOGY_HCCS);
  EXPECT_EQ(aclrtGetDevicesTopo(1, 1, &topology), 107000);
  EXPECT_EQ(aclrtGetPhyDevIdByUserDevId(1, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtGetLogicDevIdByPhyDevId(5, &value), 107001);
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_RESERVED), 100000);
  aclrtMemUceInfo uce{};
  std::size_t count = 9;
  EXPECT_EQ(aclrtGetMemUceInfo(0, &uce, 1, &count), ACL_SUCCESS);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(aclrtMemUceRepair(0, &uce, 129), 107000);
  EXPECT_EQ(aclrtMemUceRepair(0, &uce, 1), ACL_SUCCESS);
}

TEST_F(DeviceSettings, LimitsAreStoredWhereTheChipHasThem) {
  std::size_t value = 9;
  EXPECT_EQ(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0U);
  EXPECT_EQ(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 4096), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 4096U);
  EXPECT_EQ(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, 1), 207000);
  EXPECT_EQ(aclrtDeviceSetLimit(static_cast<aclrtDeviceLimit>(5), 1), 100000);
  EXPECT_EQ(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, std::size_t{1} << 32), 100000);
  open({{"GRADPROOF_DEVICES", "Ascend950PR_9589"}});
  EXPECT_EQ(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, 1), ACL_SUCCESS);
}

std::uint32_t cores_here() {
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &value), ACL_SUCCESS);
  EXPECT_EQ(device::current_device_state()->core_count, static_cast<int>(value))
      << "operators take it into account";
  return value;
}

TEST_F(DeviceSettings, CoreLimitsOfAStreamGoBeforeTheDevices) {
  const auto cube = ACL_RT_DEV_RES_CUBE_CORE;
  const aclrtStream stream = new_stream();
  EXPECT_EQ(cores_here(), 24U);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, cube, 10), ACL_SUCCESS);
  EXPECT_EQ(cores_here(), 10U);
  EXPECT_EQ(aclrtSetStreamResLimit(stream, cube, 4), ACL_SUCCESS);
  EXPECT_EQ(cores_here(), 10U) << "this thread does not use the stream";
  EXPECT_EQ(aclrtUseStreamResInCurrentThread(stream), ACL_SUCCESS);
  EXPECT_EQ(cores_here(), 4U);
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetStreamResLimit(stream, cube, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 4U);
  EXPECT_EQ(aclrtResetStreamResLimit(stream), ACL_SUCCESS);
  EXPECT_EQ(cores_here(), 10U);
  EXPECT_EQ(aclrtUnuseStreamResInCurrentThread(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDeviceResLimit(0, cube, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 10U);
  EXPECT_EQ(aclrtResetDeviceResLimit(0), ACL_SUCCESS);
  EXPECT_EQ(cores_here(), 24U);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, cube, 25), 107000);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, cube, 0), 107000);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, static_cast<aclrtDevResLimitType>(2), 1), 107000);
  EXPECT_EQ(aclrtSetDeviceResLimit(3, cube, 1), 107001);
  EXPECT_EQ(aclrtSetStreamResLimit(garbage_handle(), cube, 1), 107017);
}

/// Limits are counted in steps, up, at most 254 of them.
TEST_F(DeviceSettings, TimeLimitsAreWholeStepsAndGivenBack) {
  std::uint64_t step = 0, microseconds = 0;
  std::uint32_t milliseconds = 0;
  EXPECT_EQ(aclrtGetOpTimeOutInterval(&step), ACL_SUCCESS);
  ASSERT_GT(step, 1U);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> asked_and_steps{
      {1, 1}, {step, 1}, {step + 1, 2}, {300 * step, 254}, {0, 254}};
  for (const auto& [asked, steps] : asked_and_steps) {
    EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(asked, &microseconds), ACL_SUCCESS);
    EXPECT_EQ(microseconds, steps * step) << asked;
  }
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(2), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetOpExecuteTimeout(&milliseconds), ACL_SUCCESS);
  EXPECT_EQ(milliseconds, step / 1000);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutWithMs(5000), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetOpExecuteTimeout(&milliseconds), ACL_SUCCESS);
  EXPECT_EQ(milliseconds, 2 * step / 1000);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(7000, nullptr), 100000);
  EXPECT_EQ(aclrtSetOpWaitTimeout(3), ACL_SUCCESS);
}

TEST(Versions, AreTakenFromThePackages) {
  const std::string root = testing::TempDir() + "/ascend_home";
  std::filesystem::create_directories(root + "/share/info/ops-legacy");
  std::ofstream(root + "/share/info/ops-legacy/version.info") << "a=b\nVersion=9.1.2-beta.3\n";
  const Environment environment({{"ASCEND_HOME_PATH", root}});
  std::array<char, 128> text{};
  std::int32_t number = 0;
  char package[] = "ops_legacy", own[] = "runtime", absent[] = "no_such", outside[] = "../runtime";
  EXPECT_EQ(aclsysGetVersionStr(package, text.data()), ACL_SUCCESS)
      << "- and _ stand for each other";
  EXPECT_STREQ(text.data(), "9.1.2-beta.3");
  EXPECT_EQ(aclsysGetVersionNum(package, &number), ACL_SUCCESS);
  EXPECT_EQ(number, 90'102'000 - 200 + 3);
  EXPECT_EQ(aclsysGetVersionNum(own, &number), ACL_SUCCESS);
  EXPECT_EQ(aclsysGetVersionStr(absent, text.data()), 100003);
  EXPECT_EQ(aclsysGetVersionStr(outside, text.data()), 100003);
  EXPECT_EQ(aclsysGetVersionStr(nullptr, text.data()), 100000);
  std::ofstream(root + "/share/info/ops-legacy/version.info") << "Version=nine\n";
  EXPECT_EQ(aclsysGetVersionNum(package, &number), 500000);
  aclCANNPackageVersion version{};
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_DRIVER, &version), ACL_SUCCESS);
  EXPECT_STRNE(version.majorVersion, "");
  EXPECT_EQ(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(8), &version), 100000);
  std::filesystem::remove_all(root);
}

TEST_F(DeviceSettings, SmallThingsAnswer) {
  std::int32_t compatible = -1;
  EXPECT_EQ(aclrtCheckArchCompatibility("Ascend910_9391", &compatible), ACL_SUCCESS);
  EXPECT_EQ(compatible, 1);
  EXPECT_EQ(aclrtCheckArchCompatibility("Ascend310P3", &compatible), ACL_SUCCESS);
  EXPECT_EQ(compatible, 0);
  void* address = nullptr;
  EXPECT_EQ(aclrtCtxGetFloatOverflowAddr(&address), 207000);
  EXPECT_EQ(aclmdlInitDump(), ACL_SUCCESS);
  EXPECT_EQ(aclmdlSetDump("/no/such/file"), 100003);
  EXPECT_EQ(aclmdlSetDump(nullptr), 100000);
  EXPECT_EQ(aclmdlFinalizeDump(), ACL_SUCCESS);
  EXPECT_EQ(aclrtNpuClearFloatOverFlowStatus(1, nullptr), 107000);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo(nullptr, 0), 100000);
  open({{"GRADPROOF_OVERFLOW_MODE", "saturation"}});
  ASSERT_EQ(aclrtCtxGetFloatOverflowAddr(&address), ACL_SUCCESS);
  EXPECT_EQ(read(address, 64), std::vector<unsigned char>(64, 0));
  EXPECT_EQ(aclrtFree(address), 107000) << "it is the device's own";
  EXPECT_EQ(aclrtNpuGetFloatOverFlowStatus(device_memory(64), 64, 0, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetFloatOverflowStatus(nullptr), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::kernel
