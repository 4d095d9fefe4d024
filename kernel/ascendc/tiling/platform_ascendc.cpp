#include "tiling/platform/platform_ascendc.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <optional>
#include <vector>

#include "acl/acl_rt.h"
#include "gradproof/platform.h"
#include "kernel/device/product.h"

namespace fe {

class PlatFormInfos {
 public:
  explicit PlatFormInfos(const gradproof::kernel::device::Soc& chip) : soc(&chip) {}
  const gradproof::kernel::device::Soc* soc;
};

}  // namespace fe

fe::PlatFormInfos* gradproofPlatformInfos(const char* socName) {
  namespace device = gradproof::kernel::device;
  static std::vector<fe::PlatFormInfos> all(device::all_socs().begin(), device::all_socs().end());
  const device::Soc* const soc = socName == nullptr ? nullptr : device::soc_named(socName);
  const auto found = std::ranges::find(all, soc, &fe::PlatFormInfos::soc);
  return found == all.end() ? nullptr : &*found;
}

namespace platform_ascendc {
namespace {

using gradproof::kernel::device::limits_of;
using gradproof::kernel::device::Product;

constexpr uint64_t kib = 1024, mib = 1024 * kib;

/// Bytes of L1 and UB that the framework keeps for itself on Ascend910B and Ascend910_93.
constexpr uint64_t kept_bytes = 256;
constexpr uint32_t none = 0xFFFFFFFF;

/// Facts of a family that only tiling code needs.
struct Family {
  SocVersion version;
  Product product;
  bool is_split;  ///< vector cores are cores of their own
  uint64_t kept, bias_table, fixpipe_buffer;
};

// A family without a row is told as the one of the same architecture. Source: NPU architecture
// pages and platform configurations.
constexpr Family families[] = {
    {SocVersion::ASCEND910, Product::Ascend910, false, 0, 0, 0},
    {SocVersion::ASCEND910B, Product::Ascend910B, true, kept_bytes, 1 * kib, 2 * kib},
    {SocVersion::ASCEND310P, Product::Ascend310P, false, 0, 0, 0},
    {SocVersion::ASCEND310B, Product::Ascend310B, false, 0, 1 * kib, 0},
    {SocVersion::ASCEND310, Product::Ascend310, false, 0, 0, 0},
    {SocVersion::ASCEND950, Product::Ascend950, true, 0, 4 * kib, 4 * kib},
};

const Family* family_of(SocVersion version) {
  const auto* const found = std::ranges::find(families, version, &Family::version);
  return found == std::end(families) ? nullptr : found;
}

const Family& family_of(const fe::PlatFormInfos& chip) {
  const Product product = chip.soc->product;
  const auto* found = std::ranges::find(families, product, &Family::product);
  if (found == std::end(families)) {
    const int architecture = limits_of(product).npu_architecture;
    found = std::ranges::find(families, architecture, [](const Family& family) {
      return limits_of(family.product).npu_architecture;
    });
  }
  return *found;
}

const fe::PlatFormInfos& required(const fe::PlatFormInfos* chip) {
  if (chip == nullptr) {
    std::fputs("PlatformAscendC: platformInfo is null\n", stderr);
    std::abort();
  }
  return *chip;
}

bool is_split(SocVersion version) {
  const Family* const family = family_of(version);
  return family != nullptr && family->is_split;
}

uint64_t bytes_of_core(const Family& family, CoreMemType memory, uint64_t reserved) {
  const gradproof::kernel::device::ProductLimits& limits = limits_of(family.product);
  const auto usable = [&](std::int64_t bytes) {
    return static_cast<uint64_t>(bytes) - family.kept;
  };
  switch (memory) {
    case CoreMemType::L0_A:
      return static_cast<uint64_t>(limits.cube_memories.l0a);
    case CoreMemType::L0_B:
      return static_cast<uint64_t>(limits.cube_memories.l0b);
    case CoreMemType::L0_C:
      return static_cast<uint64_t>(limits.cube_memories.l0c);
    case CoreMemType::L1:
      return usable(limits.cube_memories.l1);
    case CoreMemType::UB:
      return usable(limits.unified_buffer) - reserved;
    case CoreMemType::FB:
      return family.fixpipe_buffer;
    case CoreMemType::BT:
      return family.bias_table;
    default:
      return 0;
  }
}

/// The process's platform, which the first chip that is there decides.
PlatformAscendC* instance_of(const char* soc_name) {
  static std::mutex mutex;
  static std::optional<PlatformAscendC> instance;
  const std::lock_guard lock(mutex);
  if (!instance) {
    fe::PlatFormInfos* const chip = gradproofPlatformInfos(soc_name);
    if (chip == nullptr) return nullptr;
    instance.emplace(chip);
  }
  return &*instance;
}

}  // namespace

PlatformAscendC::PlatformAscendC(fe::PlatFormInfos* platformInfo)
    : version_(family_of(required(platformInfo)).version), chip_(platformInfo) {}

NpuArch PlatformAscendC::GetCurNpuArch() const {
  const Family* const family = family_of(version_);
  if (family == nullptr) return NpuArch::DAV_RESV;
  return static_cast<NpuArch>(limits_of(family->product).npu_architecture);
}

uint32_t PlatformAscendC::GetCoreNumAic() const {
  return chip_ == nullptr ? 0 : static_cast<uint32_t>(chip_->soc->cube_cores);
}

uint32_t PlatformAscendC::GetCoreNumAiv() const {
  if (!is_split(version_) || chip_ == nullptr) return GetCoreNumAic();
  return static_cast<uint32_t>(chip_->soc->vector_cores);
}

uint32_t PlatformAscendC::GetCoreNumVector() const {
  if (version_ != SocVersion::ASCEND310P || chip_ == nullptr) return 0;
  return static_cast<uint32_t>(chip_->soc->vector_cores);
}

void PlatformAscendC::GetCoreMemSize(const CoreMemType& memory, uint64_t& size) const {
  const Family* const family = family_of(version_);
  size = family == nullptr ? 0 : bytes_of_core(*family, memory, reserved_);
  if (chip_ == nullptr) return;
  if (memory == CoreMemType::L2) size = static_cast<uint64_t>(chip_->soc->l2_bytes);
  if (memory == CoreMemType::HBM) size = static_cast<uint64_t>(chip_->soc->memory_bytes);
}

void PlatformAscendC::GetCoreMemBw(const CoreMemType& memory, uint64_t& bandwidth) const {
  constexpr uint64_t of_l2 = 110, of_memory = 32;  // not published: those of Ascend910B
  bandwidth = memory == CoreMemType::L2 ? of_l2 : memory == CoreMemType::HBM ? of_memory : 0;
}

void PlatformAscendC::ReserveLocalMemory(ReservedSize size) {
  constexpr std::array<uint64_t, 3> bytes = {8 * kib, 16 * kib, 32 * kib};
  const auto index = static_cast<std::size_t>(size);
  if (index < bytes.size()) reserved_ = bytes.at(index);
}

uint32_t PlatformAscendC::CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum,
                                            uint32_t aivCoreNum) const {
  if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) return sliceNum;
  const uint32_t vectors_of_a_cube = aivCoreNum / aicCoreNum;
  const uint32_t blocks =
      sliceNum / vectors_of_a_cube + (sliceNum % vectors_of_a_cube != 0 ? 1 : 0);
  return vectors_of_a_cube == 2 && blocks > aicCoreNum ? 0 : blocks;
}

uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const {
  return static_cast<uint32_t>(is_split(version_) ? 16 * mib : 2 * mib);
}

uint32_t PlatformAscendC::GetResCubeGroupWorkSpaceSize() const {
  return version_ == SocVersion::ASCEND910B ? static_cast<uint32_t>(mib) : none;
}

uint32_t PlatformAscendC::GetResGroupBarrierWorkSpaceSize() const {
  return GetResCubeGroupWorkSpaceSize();
}

uint32_t PlatformAscendC::GetVecRegLen() const {
  return version_ == SocVersion::ASCEND950 ? 256 : 0;
}

PlatformAscendC* PlatformAscendCManager::GetInstance() { return instance_of(aclrtGetSocName()); }

PlatformAscendC* PlatformAscendCManager::GetInstance(const char* customSocVersion) {
  return instance_of(customSocVersion);
}

}  // namespace platform_ascendc
