// What tiling code is told of the platform.

#include "gradproof/platform.h"
#include "acl/acl_rt.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tests/support/runtime_fixture.h"
#include "tiling/platform/platform_ascendc.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace gradproof::kernel::ascendc {
namespace {

using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;
using platform_ascendc::PlatformAscendCManager;
using platform_ascendc::ReservedSize;
using platform_ascendc::SocVersion;

std::uint64_t bytes_of(const PlatformAscendC& platform, CoreMemType memory) {
  std::uint64_t bytes = 1;
  platform.GetCoreMemSize(memory, bytes);
  return bytes;
}

struct Chip {
  const char* name;
  SocVersion version;
  NpuArch architecture;
  std::uint32_t cores, cubes, vectors, separate_vectors;
  std::uint64_t l1, l0c, ub, bias_table, fixpipe, l2;
  std::uint32_t library_workspace, group_workspace, vector_register;
};

constexpr std::uint32_t none = 0xFFFFFFFF, mib = 1 << 20;

// As the pages on architectures and platforms say.
const Chip chips[] = {
    {"Ascend910A", SocVersion::ASCEND910, NpuArch::DAV_1001, 32, 32, 32, 0, 1048576, 262144, 262144,
     0, 0, 32 * mib, 2 * mib, none, 0},
    {"Ascend310P3", SocVersion::ASCEND310P, NpuArch::DAV_2002, 8, 8, 8, 7, 1048576, 262144, 262144,
     0, 0, 16 * mib, 2 * mib, none, 0},
    {"Ascend310B1", SocVersion::ASCEND310B, NpuArch::DAV_3002, 1, 1, 1, 0, 1048576, 131072, 253952,
     1024, 0, 4 * mib, 2 * mib, none, 0},
    {"Ascend910B1", SocVersion::ASCEND910B, NpuArch::DAV_2201, 48, 24, 48, 0, 524032, 131072,
     196352, 1024, 2048, 192 * mib, 16 * mib, mib, 0},
    {"Ascend910_9362", SocVersion::ASCEND910B, NpuArch::DAV_2201, 40, 20, 40, 0, 524032, 131072,
     196352, 1024, 2048, 168 * mib, 16 * mib, mib, 0},
    {"Ascend950PR_9589", SocVersion::ASCEND950, NpuArch::DAV_3510, 64, 32, 64, 0, 524288, 262144,
     253952, 4096, 4096, 128 * mib, 16 * mib, none, 256},
};

TEST(Platform, SaysOfEachChipWhatItsPageSays) {
  for (const Chip& chip : chips) {
    SCOPED_TRACE(chip.name);
    fe::PlatFormInfos* const described = gradproofPlatformInfos(chip.name);
    ASSERT_NE(described, nullptr);
    const PlatformAscendC platform(described);
    EXPECT_EQ(platform.GetSocVersion(), chip.version);
    EXPECT_EQ(platform.GetCurNpuArch(), chip.architecture);
    EXPECT_EQ(platform.GetCoreNum(), chip.cores);
    EXPECT_EQ(platform.GetCoreNumAic(), chip.cubes);
    EXPECT_EQ(platform.GetCoreNumAiv(), chip.vectors);
    EXPECT_EQ(platform.GetCoreNumVector(), chip.separate_vectors);
    EXPECT_EQ(bytes_of(platform, CoreMemType::L1), chip.l1);
    EXPECT_EQ(bytes_of(platform, CoreMemType::L0_A), 65536U);
    EXPECT_EQ(bytes_of(platform, CoreMemType::L0_B), 65536U);
    EXPECT_EQ(bytes_of(platform, CoreMemType::L0_C), chip.l0c);
    EXPECT_EQ(bytes_of(platform, CoreMemType::UB), chip.ub);
    EXPECT_EQ(bytes_of(platform, CoreMemType::BT), chip.bias_table);
    EXPECT_EQ(bytes_of(platform, CoreMemType::FB), chip.fixpipe);
    EXPECT_EQ(bytes_of(platform, CoreMemType::L2), chip.l2);
    EXPECT_GT(bytes_of(platform, CoreMemType::HBM), 0U);
    EXPECT_EQ(bytes_of(platform, CoreMemType::RESERVED), 0U);
    EXPECT_EQ(platform.GetLibApiWorkSpaceSize(), chip.library_workspace);
    EXPECT_EQ(platform.GetResCubeGroupWorkSpaceSize(), chip.group_workspace);
    EXPECT_EQ(platform.GetResGroupBarrierWorkSpaceSize(), chip.group_workspace);
    EXPECT_EQ(platform.GetVecRegLen(), chip.vector_register);
  }
}

TEST(Platform, KnowsNoOtherChip) {
  EXPECT_EQ(gradproofPlatformInfos("Ascend910B5"), nullptr);
  EXPECT_EQ(gradproofPlatformInfos(nullptr), nullptr);
}

TEST(PlatformDeathTest, IsNotMadeOfNothing) {
  fe::PlatFormInfos* const nothing = nullptr;
  EXPECT_DEATH(PlatformAscendC{nothing}, "platformInfo is null");
}

TEST(Platform, TakesWhatIsReservedOffTheUnifiedBufferOnly) {
  PlatformAscendC platform(gradproofPlatformInfos("Ascend910B1"));
  for (const auto& [size, bytes] : {std::pair(ReservedSize::RESERVED_SIZE_8K, 8192U),
                                    std::pair(ReservedSize::RESERVED_SIZE_16K, 16384U),
                                    std::pair(ReservedSize::RESERVED_SIZE_32K, 32768U)}) {
    platform.ReserveLocalMemory(size);
    EXPECT_EQ(bytes_of(platform, CoreMemType::UB), 196352 - bytes);
    EXPECT_EQ(bytes_of(platform, CoreMemType::L1), 524032U);
  }
}

TEST(Platform, CountsBlocksOfCubeAndVectorCores) {
  const PlatformAscendC platform(gradproofPlatformInfos("Ascend910B1"));
  EXPECT_EQ(platform.CalcTschNumBlocks(5, 24, 48), 3U);
  EXPECT_EQ(platform.CalcTschNumBlocks(48, 24, 48), 24U);
  EXPECT_EQ(platform.CalcTschNumBlocks(49, 24, 48), 0U);
  EXPECT_EQ(platform.CalcTschNumBlocks(49, 24, 24), 49U);
  EXPECT_EQ(platform.CalcTschNumBlocks(7, 0, 48), 7U);
  EXPECT_EQ(platform.CalcTschNumBlocks(7, 24, 0), 7U);
  EXPECT_EQ(platform.CalcTschNumBlocks(7, 48, 24), 7U);
  EXPECT_EQ(platform.CalcTschBlockDim(5, 24, 48), 3U);
}

TEST(Platform, SaysHowFastTheDeviceMemoriesAre) {
  const PlatformAscendC platform(gradproofPlatformInfos("Ascend910B1"));
  std::uint64_t of_l2 = 0, of_memory = 0, of_l1 = 1;
  platform.GetCoreMemBw(CoreMemType::L2, of_l2);
  platform.GetCoreMemBw(CoreMemType::HBM, of_memory);
  platform.GetCoreMemBw(CoreMemType::L1, of_l1);
  EXPECT_GT(of_l2, of_memory);
  EXPECT_GT(of_memory, 0U);
  EXPECT_EQ(of_l1, 0U);
}

/// The process has one platform, so that each question needs a process: 0 if it holds.
template <class Holds>
void expect_in_a_process_of_its_own(const char* devices, Holds holds) {
  EXPECT_EXIT(
      {
        ::setenv("GRADPROOF_DEVICES", devices, 1);
        std::_Exit(holds() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(PlatformDeathTest, OfTheProcessIsTheSimulatedChipBeforeAclInit) {
  expect_in_a_process_of_its_own("Ascend310P3", [] {
    PlatformAscendC* const platform = PlatformAscendCManager::GetInstance();
    return platform != nullptr && platform->GetSocVersion() == SocVersion::ASCEND310P &&
           platform == PlatformAscendCManager::GetInstance() &&
           platform == PlatformAscendCManager::GetInstance("Ascend910B1");
  });
}

TEST(PlatformDeathTest, OfTheProcessIsTheOneThatWasNamedFirst) {
  expect_in_a_process_of_its_own("Ascend310P3", [] {
    if (PlatformAscendCManager::GetInstance("Ascend1000") != nullptr) return false;
    PlatformAscendC* const platform = PlatformAscendCManager::GetInstance("Ascend950PR_9589");
    return platform != nullptr && platform->GetSocVersion() == SocVersion::ASCEND950 &&
           platform == PlatformAscendCManager::GetInstance();
  });
}

TEST(PlatformDeathTest, OfTheProcessIsNoneWhereNoChipIsConfigured) {
  expect_in_a_process_of_its_own("Ascend1000",
                                 [] { return PlatformAscendCManager::GetInstance() == nullptr; });
}

TEST(Platform, OfTheProcessServesTheTilingClasses) {
  ConvBackpropApi::Conv3dBpFilterTiling tiling(*PlatformAscendCManager::GetInstance());
  tiling.SetWeightShape(16, 16, 1, 3, 3);
  tiling.SetInputShape(1, 16, 1, 5, 5);
  tiling.SetGradOutputShape(1, 16, 1, 3, 3);
  AscendC::tiling::Conv3DBackpropFilterTilingData data;
  ASSERT_EQ(tiling.GetTiling(data), 0);
  EXPECT_EQ(data.params.totalL1Size, 524032U) << "that of Ascend910B1, less what is reserved";
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
