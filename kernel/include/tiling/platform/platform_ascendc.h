#ifndef GRADPROOF_TILING_PLATFORM_ASCENDC_H
#define GRADPROOF_TILING_PLATFORM_ASCENDC_H

#include <cstdint>

namespace platform_ascendc {

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  RESERVED_VERSION = 99999,
};

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

/// One core of a chip. CANN makes it from its own description of platforms; here the family names
/// it, and an unknown one has no memory.
class PlatformAscendC {
 public:
  explicit PlatformAscendC(SocVersion version) : version_(version) {}

  SocVersion GetSocVersion() const { return version_; }

  /// Bytes of one core's buffer that an operator may use: on Ascend910B and Ascend910_93, 256 of L1
  /// and of UB are the framework's. 0 for memory that does not belong to a core.
  void GetCoreMemSize(const CoreMemType& memory, uint64_t& size) const;

 private:
  SocVersion version_;
};

}  // namespace platform_ascendc

#endif
