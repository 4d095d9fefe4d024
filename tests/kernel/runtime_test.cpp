#include "tests/kernel/runtime_fixture.h"

#include "acl/acl.h"
#include "kernel/device/device.h"
#include "kernel/device/machine.h"
#include "kernel/device/product.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
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
  EXPECT_EQ(aclrtGetSocName(), nullptr);
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

// ---- The machine

/// A machine from variables given as pairs, and from a file.
tl::expected<device::Machine, device::ConfigurationError> machine_of(const Variables& variables,
                                                                     const char* path = nullptr) {
  return device::read_machine(path, [&](const char* name) -> const char* {
    for (const auto& [variable, value] : variables) {
      if (variable == name) return value.c_str();
    }
    return nullptr;
  });
}

std::string file_with(const std::string& text) {
  std::string path = testing::TempDir() + "gradproof_machine_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << text;
  return path;
}

TEST(Machine, IsOneAscend910B1ByDefault) {
  const auto machine = machine_of({});
  ASSERT_TRUE(machine.has_value());
  ASSERT_EQ(machine->devices.size(), 1U);
  EXPECT_EQ(machine->devices[0]->name, "Ascend910B1");
  EXPECT_EQ(machine->profile, device::Profile::Documented);
  EXPECT_EQ(machine->hf32_rounding, device::Hf32Rounding::NearestEven);
  EXPECT_EQ(machine->float_products, device::FloatProducts::Rounded);
  EXPECT_EQ(machine->default_overflow_mode(0), ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_EQ(machine->cube_cores(0), 24);
  EXPECT_EQ(machine->vector_cores(0), 48);
  EXPECT_EQ(machine->schedule_seed, std::nullopt);
  EXPECT_EQ(machine->path, device::OperatorPath::Device);
  EXPECT_GE(machine->threads(), 1);
}

TEST(Machine, IsDescribedByTheEnvironment) {
  const auto machine = machine_of({{"GRADPROOF_DEVICES", "Ascend310P3,Ascend910B,Ascend910B"},
                                   {"GRADPROOF_PROFILE", "released"},
                                   {"GRADPROOF_HF32_ROUNDING", "away"},
                                   {"GRADPROOF_FLOAT_PRODUCTS", "fused"},
                                   {"GRADPROOF_OVERFLOW_MODE", "saturation"},
                                   {"GRADPROOF_SCHEDULE_SEED", "18446744073709551615"},
                                   {"GRADPROOF_CORES", "3"},
                                   {"GRADPROOF_CHECKS", "1"},
                                   {"GRADPROOF_STREAMS", "eager"},
                                   {"GRADPROOF_PATH", "plain"},
                                   {"GRADPROOF_HOST_THREADS", "7"}});
  ASSERT_TRUE(machine.has_value()) << machine.error().problem;
  ASSERT_EQ(machine->devices.size(), 3U);
  EXPECT_EQ(machine->devices[0]->product, device::Product::Ascend310P);
  EXPECT_EQ(machine->devices[1]->product, device::Product::Ascend910) << "the original Ascend910B";
  EXPECT_EQ(machine->profile, device::Profile::Released);
  EXPECT_EQ(machine->hf32_rounding, device::Hf32Rounding::NearestAway);
  EXPECT_EQ(machine->float_products, device::FloatProducts::Fused);
  EXPECT_EQ(machine->default_overflow_mode(2), ACL_RT_OVERFLOW_MODE_SATURATION);
  EXPECT_EQ(machine->schedule_seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(machine->cube_cores(0), 3);
  EXPECT_EQ(machine->vector_cores(0), 7) << "of a chip whose vector cores stand by themselves";
  EXPECT_EQ(machine->vector_cores(1), 3) << "fused";
  EXPECT_EQ(machine->checks, device::CheckLevel::Cheap);
  EXPECT_EQ(machine->pace, device::StreamPace::Eager);
  EXPECT_EQ(machine->path, device::OperatorPath::Plain);
  EXPECT_EQ(machine->threads(), 7);
}

TEST(Machine, IsDescribedByTheFileAndTheEnvironmentWins) {
  const std::string path = file_with(R"({"dump": {"dump_mode": "all"}, "gradproof": {
      "devices": ["Ascend950PR_9589", "Ascend910B4-1"], "profile": "released", "cores": 5,
      "schedule_seed": 12, "hf32_rounding": "away"}})");
  const auto machine = machine_of({{"GRADPROOF_PROFILE", "documented"}}, path.c_str());
  ASSERT_TRUE(machine.has_value()) << machine.error().problem;
  ASSERT_EQ(machine->devices.size(), 2U);
  EXPECT_EQ(machine->devices[0]->product, device::Product::Ascend950);
  EXPECT_EQ(machine->devices[1]->l2_bytes, std::int64_t{168} << 20);
  EXPECT_EQ(machine->profile, device::Profile::Documented);
  EXPECT_EQ(machine->cube_cores(1), 5);
  EXPECT_EQ(machine->vector_cores(1), 10);
  EXPECT_EQ(machine->schedule_seed, 12U);
}

struct BadSetting {
  const char* variable;
  const char* value;
  const char* allowed;
};

TEST(Machine, RefusesWhatIsNotAllowedAndSaysWhatIs) {
  const BadSetting bad[] = {
      {"GRADPROOF_DEVICES", "Ascend910B5", "Ascend910B4-1"},
      {"GRADPROOF_DEVICES", "", "Ascend910B1"},
      {"GRADPROOF_DEVICES", "Ascend910B1,", "Ascend910B1"},
      {"GRADPROOF_DEVICES", "Ascend910B1 ,Ascend910B2", "Ascend910B1"},
      {"GRADPROOF_PROFILE", "Documented", "documented, released"},
      {"GRADPROOF_HF32_ROUNDING", "nearest", "even, away"},
      {"GRADPROOF_FLOAT_PRODUCTS", "exact", "rounded, fused"},
      {"GRADPROOF_OVERFLOW_MODE", "inf", "infnan, saturation"},
      {"GRADPROOF_SCHEDULE_SEED", "-1", "an integer of 64 bits"},
      {"GRADPROOF_SCHEDULE_SEED", "18446744073709551616", "an integer of 64 bits"},
      {"GRADPROOF_CORES", "0", "from 1 to 1024"},
      {"GRADPROOF_CORES", "12cores", "from 1 to 1024"},
      {"GRADPROOF_CHECKS", "3", "0, 1, 2"},
      {"GRADPROOF_STREAMS", "lazy", "deferred, eager"},
      {"GRADPROOF_PATH", "fast", "device, scalar, plain"},
      {"GRADPROOF_HOST_THREADS", "0", "from 1 to 64"},
  };
  for (const auto& [variable, value, allowed] : bad) {
    const auto machine = machine_of({{variable, value}});
    ASSERT_FALSE(machine.has_value()) << variable << "=" << value;
    EXPECT_EQ(machine.error().code, ACL_ERROR_FILE_ATTR_INVALID);
    EXPECT_THAT(machine.error().problem, HasSubstr(variable));
    EXPECT_THAT(machine.error().problem, HasSubstr(std::string("\"") + value + "\""));
    EXPECT_THAT(machine.error().problem, HasSubstr(allowed));
  }
}

TEST(Machine, RefusesMoreThan64Devices) {
  std::string many = "Ascend910B1";
  for (int device = 1; device < 64; ++device) many += ",Ascend910B1";
  EXPECT_TRUE(machine_of({{"GRADPROOF_DEVICES", many}}).has_value());
  EXPECT_FALSE(machine_of({{"GRADPROOF_DEVICES", many + ",Ascend910B1"}}).has_value());
}

TEST(Machine, RefusesAnOverflowModeThatADeviceLacks) {
  const auto infnan = machine_of(
      {{"GRADPROOF_DEVICES", "Ascend910B1,Ascend310P3"}, {"GRADPROOF_OVERFLOW_MODE", "infnan"}});
  ASSERT_FALSE(infnan.has_value());
  EXPECT_THAT(infnan.error().problem, HasSubstr("Ascend310P3"));
  const auto saturation = machine_of(
      {{"GRADPROOF_DEVICES", "Ascend950PR_9579"}, {"GRADPROOF_OVERFLOW_MODE", "saturation"}});
  EXPECT_FALSE(saturation.has_value());
}

TEST(Machine, TakesItsDefaultOverflowModeFromCannsVariableWhereThereIsAChoice) {
  EXPECT_EQ(machine_of({{"INF_NAN_MODE_ENABLE", "0"}})->default_overflow_mode(0),
            ACL_RT_OVERFLOW_MODE_SATURATION);
  EXPECT_EQ(machine_of({{"INF_NAN_MODE_ENABLE", "1"}})->default_overflow_mode(0),
            ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_EQ(machine_of({{"INF_NAN_MODE_ENABLE", "0"}, {"GRADPROOF_DEVICES", "Ascend950PR_9579"}})
                ->default_overflow_mode(0),
            ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_EQ(machine_of({{"INF_NAN_MODE_ENABLE", "0"}, {"GRADPROOF_OVERFLOW_MODE", "infnan"}})
                ->default_overflow_mode(0),
            ACL_RT_OVERFLOW_MODE_INFNAN);
}

struct BadFile {
  const char* text;
  aclError code;
  const char* problem;
};

TEST(Machine, RefusesFilesThatAreNoneOrSayWhatIsNotAllowed) {
  const BadFile bad[] = {
      {"{", ACL_ERROR_PARSE_FILE, "not JSON"},
      {"[1]", ACL_ERROR_PARSE_FILE, "not a JSON object"},
      {R"({"gradproof": 3})", ACL_ERROR_FILE_ATTR_INVALID, "gradproof is not an object"},
      {R"({"gradproof": {"device": "Ascend910B1"}})", ACL_ERROR_FILE_ATTR_INVALID,
       "gradproof.device is no key"},
      {R"({"gradproof": {"profile": "fast"}})", ACL_ERROR_FILE_ATTR_INVALID, "gradproof.profile"},
      {R"({"gradproof": {"profile": true}})", ACL_ERROR_FILE_ATTR_INVALID, "documented, released"},
      {R"({"gradproof": {"devices": []}})", ACL_ERROR_FILE_ATTR_INVALID, "gradproof.devices"},
      {R"({"gradproof": {"devices": [1]}})", ACL_ERROR_FILE_ATTR_INVALID, "gradproof.devices"},
      {R"({"gradproof": {"cores": 2.5}})", ACL_ERROR_FILE_ATTR_INVALID, "gradproof.cores"},
  };
  for (const auto& [text, code, problem] : bad) {
    const std::string path = file_with(text);
    const auto machine = machine_of({}, path.c_str());
    ASSERT_FALSE(machine.has_value()) << text;
    EXPECT_EQ(machine.error().code, code) << text;
    EXPECT_THAT(machine.error().problem, HasSubstr(problem));
    EXPECT_THAT(machine.error().problem, HasSubstr(path));
  }
  EXPECT_EQ(machine_of({}, "/nonexistent/acl.json").error().code, ACL_ERROR_INVALID_FILE);
}

TEST(Machine, StopsAclInitWhereItIsNotAllowed) {
  const Environment environment(Variables{{"GRADPROOF_PROFILE", "fast"}});
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_FILE_ATTR_INVALID);
  EXPECT_THAT(error_text(),
              HasSubstr("aclInit: environment variable GRADPROOF_PROFILE is \"fast\""));
  EXPECT_FALSE(device::is_initialised());
  EXPECT_EQ(aclInit("/nonexistent/acl.json"), 100003);
  EXPECT_FALSE(device::is_initialised());
}

TEST(Socs, HaveUniqueNamesAndEachFamilyHasOne) {
  std::set<std::string_view> names;
  std::set<device::Product> products;
  for (const device::Soc& soc : device::all_socs()) {
    EXPECT_TRUE(names.insert(soc.name).second) << soc.name;
    products.insert(soc.product);
    EXPECT_EQ(device::soc_named(soc.name), &soc);
    EXPECT_GT(soc.cube_cores, 0);
    EXPECT_GT(soc.memory_bytes, 0);
  }
  EXPECT_EQ(products.size(), 7U);
  EXPECT_EQ(device::soc_named("Ascend910"), nullptr) << "a family is no chip";
  EXPECT_EQ(device::soc_named("Ascend910B1x"), nullptr);
}

struct ChipFacts {
  const char* name;
  device::Product product;
  std::int64_t cube_cores, vector_cores, l2_mib, architecture, unified_buffer;
};

TEST(Socs, TellTheirFactsThroughTheApi) {
  const ChipFacts facts[] = {
      {"Ascend910A", device::Product::Ascend910, 32, 32, 32, 1001, 262144},
      {"Ascend910B", device::Product::Ascend910, 30, 30, 32, 1001, 262144},
      {"Ascend310P1", device::Product::Ascend310P, 10, 8, 16, 2002, 262144},
      {"Ascend310P3", device::Product::Ascend310P, 8, 7, 16, 2002, 262144},
      {"Ascend910B3", device::Product::Ascend910B, 20, 40, 192, 2201, 196608},
      {"Ascend910B4", device::Product::Ascend910B, 20, 40, 96, 2201, 196608},
      {"Ascend910_9391", device::Product::Ascend910_93, 24, 48, 192, 2201, 196608},
      {"Ascend950PR_9589", device::Product::Ascend950, 32, 64, 128, 3510, 253952},
      {"Ascend950DT_95A1", device::Product::Ascend950, 36, 72, 128, 3510, 253952},
  };
  for (const ChipFacts& fact : facts) {
    const Environment environment(Variables{{"GRADPROOF_DEVICES", fact.name}});
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    EXPECT_STREQ(aclrtGetSocName(), fact.name) << "known before a device is set";
    const auto info = [](aclrtDevAttr attribute) {
      std::int64_t value = -1;
      EXPECT_EQ(aclrtGetDeviceInfo(0, attribute, &value), ACL_SUCCESS);
      return value;
    };
    EXPECT_EQ(info(ACL_DEV_ATTR_AICORE_CORE_NUM), fact.cube_cores) << fact.name;
    EXPECT_EQ(info(ACL_DEV_ATTR_CUBE_CORE_NUM), fact.cube_cores) << fact.name;
    EXPECT_EQ(info(ACL_DEV_ATTR_VECTOR_CORE_NUM), fact.vector_cores) << fact.name;
    EXPECT_EQ(info(ACL_DEV_ATTR_L2_CACHE_SIZE), fact.l2_mib << 20) << fact.name;
    EXPECT_EQ(info(ACL_DEV_ATTR_NPU_ARCH), fact.architecture) << fact.name;
    EXPECT_EQ(info(ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE), fact.unified_buffer) << fact.name;
    EXPECT_EQ(info(ACL_DEV_ATTR_IS_VIRTUAL), 0);
    EXPECT_EQ(info(ACL_DEV_ATTR_PHY_CHIP_ID), 0);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(device::current_device_state()->product, fact.product);
    EXPECT_EQ(device::current_device_state()->core_count, fact.cube_cores);
    ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  }
}

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

TEST_F(Initialised, NoCurrentContextIs107002) {
  const std::pair<const char*, std::function<aclError()>> calls[] = {
      {"aclrtGetDevice",
       [] {
         std::int32_t v;
         return aclrtGetDevice(&v);
       }},
      {"aclrtCreateStream",
       [] {
         aclrtStream v;
         return aclrtCreateStream(&v);
       }},
      {"aclrtCreateEvent",
       [] {
         aclrtEvent v;
         return aclrtCreateEvent(&v);
       }},
      {"aclrtMalloc",
       [] {
         void* v;
         return aclrtMalloc(&v, 8, ACL_MEM_MALLOC_HUGE_FIRST);
       }},
      {"aclrtSynchronizeDevice", [] { return aclrtSynchronizeDevice(); }},
      {"aclrtSynchronizeStream(null)", [] { return aclrtSynchronizeStream(nullptr); }},
      {"aclrtGetCurrentContext",
       [] {
         aclrtContext v;
         return aclrtGetCurrentContext(&v);
       }},
      {"aclrtCtxGetCurrentDefaultStream",
       [] {
         aclrtStream v;
         return aclrtCtxGetCurrentDefaultStream(&v);
       }},
      {"aclrtCtxSetSysParamOpt", [] { return aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1); }},
      {"aclrtCtxGetSysParamOpt",
       [] {
         std::int64_t v;
         return aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &v);
       }},
      {"aclrtSetDeviceSatMode", [] { return aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN); }},
      {"aclrtGetDeviceSatMode",
       [] {
         aclrtFloatOverflowMode v;
         return aclrtGetDeviceSatMode(&v);
       }},
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
  for (const auto& [name, call] : calls) EXPECT_EQ(call(), 107002) << name;
  EXPECT_FALSE(device::current_device_state().has_value());
}

TEST_F(OnDevice, DefaultContextIsSharedByThreadsThatSetTheDevice) {
  aclrtContext mine = nullptr, theirs = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&mine), ACL_SUCCESS);
  std::thread([&theirs] {
    aclrtContext inherited = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&inherited), 107002) << "inherited by nobody";
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
  EXPECT_EQ(aclrtGetResInCurrentThread(static_cast<aclrtDevResLimitType>(9), &cores), 100000);
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
  ASSERT_EQ(count, 3U);
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
  EXPECT_EQ(aclrtSubscribeReport(0, nullptr), 200001);
  EXPECT_EQ(aclrtUnSubscribeReport(0, nullptr), 200001);
  EXPECT_EQ(aclrtProcessReport(1), 200001);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, nullptr), 200001);
  EXPECT_EQ(aclrtReserveMemAddress(nullptr, 0, 0, nullptr, 0), 200001);
  EXPECT_EQ(aclrtReleaseMemAddress(nullptr), 200001);
  EXPECT_EQ(aclrtIpcMemGetExportKey(nullptr, 0, nullptr, 0, 0), 200001);
  EXPECT_EQ(aclrtIpcMemClose(nullptr), 200001);
  EXPECT_EQ(aclrtAllocatorCreateDesc(), nullptr);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(nullptr), 200001);
  EXPECT_EQ(aclrtAllocatorRegister(nullptr, nullptr), 200001);
  EXPECT_EQ(aclrtAllocatorUnregister(nullptr), 200001);
  EXPECT_THAT(error_text(), HasSubstr("aclmdlLoadFromFile: not part of what is simulated"));
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
