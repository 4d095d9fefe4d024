#include "tests/support/runtime_fixture.h"

#include "acl/acl.h"
#include "kernel/device/device.h"
#include "kernel/device/machine.h"
#include "kernel/device/process_record.h"
#include "kernel/device/product.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <set>
#include <string>

namespace gradproof::kernel {
namespace {

using testing::HasSubstr;

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
  EXPECT_EQ(machine->float_products, device::FloatProducts::Fused);
  EXPECT_EQ(machine->default_overflow_mode(0), ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_EQ(machine->cube_cores(0), 24);
  EXPECT_EQ(machine->vector_cores(0), 48);
  EXPECT_EQ(machine->schedule_seed, std::nullopt);
  EXPECT_EQ(machine->winograd, std::nullopt);
  EXPECT_EQ(machine->path, device::OperatorPath::Device);
  EXPECT_GE(machine->threads(), 1);
}

TEST(Machine, IsDescribedByTheEnvironment) {
  const auto machine = machine_of({{"GRADPROOF_DEVICES", "Ascend310P3,Ascend910B,Ascend910B"},
                                   {"GRADPROOF_PROFILE", "released"},
                                   {"GRADPROOF_HF32_ROUNDING", "away"},
                                   {"GRADPROOF_FLOAT_PRODUCTS", "rounded"},
                                   {"GRADPROOF_OVERFLOW_MODE", "saturation"},
                                   {"GRADPROOF_SCHEDULE_SEED", "18446744073709551615"},
                                   {"GRADPROOF_CORES", "3"},
                                   {"GRADPROOF_CHECKS", "1"},
                                   {"GRADPROOF_STREAMS", "eager"},
                                   {"GRADPROOF_PATH", "plain"},
                                   {"GRADPROOF_WINOGRAD", "on"},
                                   {"GRADPROOF_HOST_THREADS", "7"}});
  ASSERT_TRUE(machine.has_value()) << machine.error().problem;
  ASSERT_EQ(machine->devices.size(), 3U);
  EXPECT_EQ(machine->devices[0]->product, device::Product::Ascend310P);
  EXPECT_EQ(machine->devices[1]->product, device::Product::Ascend910) << "the original Ascend910B";
  EXPECT_EQ(machine->profile, device::Profile::Released);
  EXPECT_EQ(machine->hf32_rounding, device::Hf32Rounding::NearestAway);
  EXPECT_EQ(machine->float_products, device::FloatProducts::Rounded);
  EXPECT_EQ(machine->default_overflow_mode(2), ACL_RT_OVERFLOW_MODE_SATURATION);
  EXPECT_EQ(machine->schedule_seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(machine->cube_cores(0), 3);
  EXPECT_EQ(machine->vector_cores(0), 7) << "of a chip whose vector cores stand by themselves";
  EXPECT_EQ(machine->vector_cores(1), 3) << "fused";
  EXPECT_EQ(machine->checks, device::CheckLevel::Cheap);
  EXPECT_EQ(machine->pace, device::StreamPace::Eager);
  EXPECT_EQ(machine->path, device::OperatorPath::Plain);
  EXPECT_EQ(machine->winograd, true);
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
      {"GRADPROOF_FLOAT_PRODUCTS", "exact", "fused, rounded"},
      {"GRADPROOF_WINOGRAD", "1", "on, off"},
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

}  // namespace
}  // namespace gradproof::kernel
