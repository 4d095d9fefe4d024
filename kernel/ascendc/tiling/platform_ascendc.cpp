#include "tiling/platform/platform_ascendc.h"

#include <algorithm>
#include <iterator>

namespace platform_ascendc {
namespace {

struct Core {
  SocVersion version;
  uint64_t l1, l0a, l0b, l0c, ub;
};

/// What the framework keeps of L1 and UB for itself on Ascend910B and Ascend910_93.
constexpr uint64_t reserved_bytes = 256;

// Source: NPU architecture pages and platform configurations.
constexpr Core cores[] = {
    {SocVersion::ASCEND910, 1048576, 65536, 65536, 262144, 262144},
    {SocVersion::ASCEND910B, 524288 - reserved_bytes, 65536, 65536, 131072,
     196608 - reserved_bytes},
    {SocVersion::ASCEND310P, 1048576, 65536, 65536, 262144, 262144},
    {SocVersion::ASCEND310B, 1048576, 65536, 65536, 131072, 253952},
};

}  // namespace

void PlatformAscendC::GetCoreMemSize(const CoreMemType& memory, uint64_t& size) const {
  size = 0;
  const auto* const core = std::find_if(std::begin(cores), std::end(cores),
                                        [&](const Core& row) { return row.version == version_; });
  if (core == std::end(cores)) return;
  switch (memory) {
    case CoreMemType::L0_A:
      size = core->l0a;
      return;
    case CoreMemType::L0_B:
      size = core->l0b;
      return;
    case CoreMemType::L0_C:
      size = core->l0c;
      return;
    case CoreMemType::L1:
      size = core->l1;
      return;
    case CoreMemType::UB:
      size = core->ub;
      return;
    default:
      return;
  }
}

}  // namespace platform_ascendc
