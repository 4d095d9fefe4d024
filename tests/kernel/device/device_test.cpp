#include "tests/support/runtime_fixture.h"

#include "acl/acl.h"
#include "kernel/device/device.h"

#include <gmock/gmock.h>

#include <functional>
#include <thread>

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

// ---- Devices

TEST_F(Initialised, DeviceOutOfRangeIs107001) {
  EXPECT_EQ(aclrtSetDevice(-1), 107001);
  EXPECT_EQ(aclrtSetDevice(1), 107001);
  EXPECT_THAT(error_text(), HasSubstr("deviceId is 1; this machine has devices 0 to 0"));
  EXPECT_EQ(aclrtResetDevice(-1), 107001);
  EXPECT_EQ(aclrtResetDevice(1), 107001);
  EXPECT_EQ(aclrtResetDeviceForce(1), 107001);
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(&context, 5), 107001);
  EXPECT_EQ(context, nullptr);
}

TEST_F(Initialised, DeviceIsResetAsOftenAsItWasSet) {
  EXPECT_EQ(aclrtResetDevice(0), 507007) << "never set";
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::int32_t current = -1;
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&current), ACL_SUCCESS);
  EXPECT_EQ(current, 0);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&current), 107002) << "its context is gone";
  EXPECT_EQ(aclrtResetDevice(0), 507007);
}

TEST_F(Initialised, ForcedResetEndsEveryReference) {
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), 507007);
  EXPECT_EQ(aclrtResetDeviceForce(0), 507007);
}

TEST_F(Initialised, SettingAnotherDeviceSwitchesTheThread) {
  initialise({{"GRADPROOF_DEVICES", "Ascend910B1,Ascend310P3"}});
  std::uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 2U);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
  std::int32_t current = -1;
  EXPECT_EQ(aclrtGetDevice(&current), ACL_SUCCESS);
  EXPECT_EQ(current, 0);
}

/// A call of a function that gives one value.
template <typename Value>
std::function<aclError()> giving(aclError (*function)(Value*)) {
  return [function] {
    Value value;
    return function(&value);
  };
}

/// Calls that need a current context, by name.
std::vector<std::pair<const char*, std::function<aclError()>>> calls_on_a_context() {
  return {
      {"aclrtGetDevice", giving(aclrtGetDevice)},
      {"aclrtCreateStream", giving(aclrtCreateStream)},
      {"aclrtCreateEvent", giving(aclrtCreateEvent)},
      {"aclrtMalloc",
       [] {
         void* v;
         return aclrtMalloc(&v, 8, ACL_MEM_MALLOC_HUGE_FIRST);
       }},
      {"aclrtSynchronizeDevice", aclrtSynchronizeDevice},
      {"aclrtSynchronizeStream(null)", [] { return aclrtSynchronizeStream(nullptr); }},
      {"aclrtGetCurrentContext", giving(aclrtGetCurrentContext)},
      {"aclrtCtxGetCurrentDefaultStream", giving(aclrtCtxGetCurrentDefaultStream)},
      {"aclrtCtxSetSysParamOpt", [] { return aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1); }},
      {"aclrtCtxGetSysParamOpt",
       [] {
         std::int64_t v;
         return aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &v);
       }},
      {"aclrtSetDeviceSatMode", [] { return aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN); }},
      {"aclrtGetDeviceSatMode", giving(aclrtGetDeviceSatMode)},
  };
}

/// The same for memory and for resources.
std::vector<std::pair<const char*, std::function<aclError()>>> memory_calls_on_a_context() {
  return {
      {"aclrtGetMemInfo",
       [] {
         std::size_t f, t;
         return aclrtGetMemInfo(ACL_HBM_MEM, &f, &t);
       }},
      {"aclrtGetResInCurrentThread",
       [] {
         std::uint32_t v;
         return aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &v);
       }},
      {"aclrtMemcpy",
       [] {
         char a = 0, b = 0;
         return aclrtMemcpy(&a, 1, &b, 1, ACL_MEMCPY_HOST_TO_HOST);
       }},
      {"aclrtMemset",
       [] {
         char a = 0;
         return aclrtMemset(&a, 1, 0, 1);
       }},
  };
}

TEST_F(Initialised, NoCurrentContextIs107002) {
  for (const auto& [name, call] : calls_on_a_context()) EXPECT_EQ(call(), 107002) << name;
  for (const auto& [name, call] : memory_calls_on_a_context()) EXPECT_EQ(call(), 107002) << name;
  EXPECT_FALSE(device::current_device_state().has_value());
}

TEST_F(OnDevice, DefaultContextIsSharedByThreadsThatSetTheDevice) {
  aclrtContext mine = nullptr, theirs = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&mine), ACL_SUCCESS);
  std::thread([&theirs] {
    aclrtContext inherited = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&inherited), 107002) << "a new thread inherits no context";
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtGetCurrentContext(&theirs), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  }).join();
  EXPECT_EQ(mine, theirs);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << "the first reference still holds";
}

TEST_F(OnDevice, CapabilitiesFollowTheChip) {
  std::int64_t value = 0;
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 24);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 48);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 192 << 20);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetDeviceCapability(7, ACL_DEVICE_INFO_L2_SIZE, &value), 107001);
  EXPECT_EQ(aclrtGetDeviceInfo(7, ACL_DEV_ATTR_L2_CACHE_SIZE, &value), 107001);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_WARP_SIZE, &value), 207000);
  EXPECT_EQ(value, 192 << 20) << "untouched by failures";
  std::uint32_t cores = 0;
  EXPECT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 24U);
  EXPECT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 48U);
  EXPECT_EQ(aclrtGetResInCurrentThread(static_cast<aclrtDevResLimitType>(9), &cores), 107000);
}

TEST_F(OnDevice, CannAttributesFollowTheChip) {
  const auto attribute = [](aclCannAttr which) {
    std::int32_t value = -1;
    EXPECT_EQ(aclGetCannAttribute(which, &value), ACL_SUCCESS);
    return value;
  };
  EXPECT_EQ(attribute(ACL_CANN_ATTR_INF_NAN), 1);
  EXPECT_EQ(attribute(ACL_CANN_ATTR_BF16), 1);
  EXPECT_EQ(attribute(ACL_CANN_ATTR_JIT_COMPILE), 0);
  open({{"GRADPROOF_DEVICES", "Ascend310P3"}});
  EXPECT_EQ(attribute(ACL_CANN_ATTR_INF_NAN), 0);
  EXPECT_EQ(attribute(ACL_CANN_ATTR_BF16), 0);
  std::int32_t value = -1;
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value), ACL_ERROR_INVALID_PARAM);
  const aclCannAttr* list = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(aclGetCannAttributeList(&list, &count), ACL_SUCCESS);
  EXPECT_EQ(count, 0U) << "what the chip lacks is not listed";
  open({});
  EXPECT_EQ(aclGetCannAttributeList(&list, &count), ACL_SUCCESS);
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(list[1], ACL_CANN_ATTR_BF16);
}

struct OverflowModes {
  const char* soc;
  aclError saturation, infnan;
  aclrtFloatOverflowMode usual;
};

TEST_F(OnDevice, OverflowModesAreThoseOfTheChip) {
  const OverflowModes chips[] = {
      {"Ascend910B1", 0, 0, ACL_RT_OVERFLOW_MODE_INFNAN},
      {"Ascend910_9362", 0, 0, ACL_RT_OVERFLOW_MODE_INFNAN},
      {"Ascend310P3", 0, 207000, ACL_RT_OVERFLOW_MODE_SATURATION},
      {"Ascend910A", 0, 207000, ACL_RT_OVERFLOW_MODE_SATURATION},
      {"Ascend950PR_9579", 207000, 0, ACL_RT_OVERFLOW_MODE_INFNAN},
  };
  for (const auto& [soc, saturation, infnan, usual] : chips) {
    open({{"GRADPROOF_DEVICES", soc}});
    aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
    EXPECT_EQ(aclrtGetDeviceSatMode(&mode), ACL_SUCCESS);
    EXPECT_EQ(mode, usual) << soc;
    EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), saturation) << soc;
    if (saturation == 0) {
      EXPECT_EQ(device::current_device_state()->overflow_mode, ACL_RT_OVERFLOW_MODE_SATURATION);
    }
    EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), infnan) << soc;
    EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF), 207000) << soc;
    EXPECT_EQ(aclrtSetDeviceSatMode(static_cast<aclrtFloatOverflowMode>(3)), 100000) << soc;
  }
}

// ---- Contexts

TEST_F(OnDevice, CreatedContextBecomesCurrentAndLeavesTheDefaultOneAlone) {
  aclrtContext standard = nullptr, created = nullptr, current = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&standard), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, created);
  EXPECT_NE(created, standard);
  ASSERT_EQ(aclrtSetCurrentContext(standard), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(created), 107017);
  EXPECT_EQ(aclrtSetCurrentContext(created), 107017);
  EXPECT_THAT(error_text(), HasSubstr("was destroyed already"));
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, standard);
  EXPECT_EQ(aclrtDestroyContext(standard), 107000) << "the default one ends with its device";
}

TEST_F(OnDevice, DestroyingTheCurrentContextLeavesNone) {
  aclrtContext created = nullptr, current = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetCurrentContext(&current), 107002);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), 107017) << "streams end with their context";
}

TEST_F(OnDevice, StreamsOfOtherContextsAre107003) {
  aclrtStream stream = new_stream();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtContext standard = nullptr, created = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&standard), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), 107003);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 107003);
  EXPECT_EQ(aclrtRecordEvent(event, stream), 107003);
  ASSERT_EQ(aclrtSetCurrentContext(standard), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST_F(OnDevice, HandlesThatNeverWereAreErrors) {
  void* const none = garbage_handle();
  EXPECT_EQ(aclrtSetCurrentContext(none), 107017);
  EXPECT_EQ(aclrtDestroyContext(none), 107017);
  EXPECT_EQ(aclrtDestroyStream(none), 107017);
  EXPECT_EQ(aclrtDestroyStreamForce(none), 107017);
  EXPECT_EQ(aclrtSynchronizeStream(none), 107017);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(none, 5), 107017);
  aclrtStreamStatus status{};
  EXPECT_EQ(aclrtStreamQuery(none, &status), 107017);
  EXPECT_EQ(aclrtDestroyEvent(none), 107017);
  EXPECT_EQ(aclrtSynchronizeEvent(none), 107017);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, none), 107017);
  EXPECT_EQ(aclrtFree(none), 107000);
  EXPECT_EQ(aclrtFreeHost(none), 107000);
  aclrtStream stream = new_stream();
  EXPECT_EQ(aclrtDestroyEvent(stream), 107017);
  EXPECT_THAT(error_text(), HasSubstr("is a stream"));
}

}  // namespace
}  // namespace gradproof::kernel
