#ifndef GRADPROOF_TILING_PLATFORM_ASCENDC_H
#define GRADPROOF_TILING_PLATFORM_ASCENDC_H

#include <cstdint>

#include "platform/soc_spec.h"

namespace fe {
/// A chip as the framework describes it; gradproof/platform.h gives one by its name.
class PlatFormInfos;
}  // namespace fe

namespace platform_ascendc {

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND950,
  ASCEND910_55,
  AS31XM1,
  ASCEND031,
  ASCEND035,
  ASCEND310,
  ASCEND610,
  ASCEND610Lite,
  ASCEND910_93,
  BS9SX1A,
  BS9SX2A,
  HI3796CV300CS,
  HI3796CV300ES,
  MC61AM21A,
  MC62,
  SD3403,
  KIRINX90,
  KIRIN9030,
  MC32DM11A,
  ASCEND350,
  RESERVED_VERSION = 99999,
  ASCEND910_95 = ASCEND950,
};

enum class CoreMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED
};

/// Size of the part of each UB that the framework keeps: 8, 16 or 32 KiB.
enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

/// A chip, for tiling code.
class PlatformAscendC {
 public:
  /// Ends the process with a message where there is no description.
  explicit PlatformAscendC(fe::PlatFormInfos* platformInfo);
  /// The family alone, which has cores' memories but no number of cores. CANN has no such form.
  explicit PlatformAscendC(SocVersion version) : version_(version) {}

  /// ASCEND910B for Ascend910_93 too.
  SocVersion GetSocVersion() const { return version_; }
  NpuArch GetCurNpuArch() const;

  /// Vector cores where they are cores of their own (Ascend910B and later); AI cores elsewhere.
  uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
  uint32_t GetCoreNumAic() const;
  uint32_t GetCoreNumAiv() const;
  /// Number of vector cores of Ascend310P that are no part of an AI core; 0 elsewhere.
  uint32_t GetCoreNumVector() const;

  /// Gives the bytes of one core's buffer that an operator may use, or of the device's L2 and HBM:
  /// on Ascend910B and Ascend910_93, 256 of L1 and of UB are the framework's.
  void GetCoreMemSize(const CoreMemType& memory, uint64_t& size) const;
  /// Gives the bytes per cycle of L2 and HBM, the same for every chip; 0 for memories of a core.
  void GetCoreMemBw(const CoreMemType& memory, uint64_t& bandwidth) const;
  /// Takes bytes off every UB.
  void ReserveLocalMemory(ReservedSize size);

  /// Blocks that a kernel of cube and vector cores is started with, for `sliceNum` of the latter.
  uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const;
  uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
    return CalcTschNumBlocks(sliceNum, aicCoreNum, aivCoreNum);
  }

  /// Bytes of workspace that the framework asks for; 0xFFFFFFFF where a chip has no such thing.
  uint32_t GetLibApiWorkSpaceSize() const;
  uint32_t GetResCubeGroupWorkSpaceSize() const;
  uint32_t GetResGroupBarrierWorkSpaceSize() const;
  /// Bytes of a vector register; 0 where vectors lie in UB.
  uint32_t GetVecRegLen() const;

 private:
  SocVersion version_;
  const fe::PlatFormInfos* chip_ = nullptr;
  uint64_t reserved_ = 0;
};

/// The platform of the process, made once: needs no aclInit.
class PlatformAscendCManager {
 public:
  /// Platform of the simulated device, as aclrtGetSocName names it.
  static PlatformAscendC* GetInstance();
  /// Platform of the chip of this name; once there is one, the name does not matter. Null where
  /// there is no such chip.
  static PlatformAscendC* GetInstance(const char* customSocVersion);
};

}  // namespace platform_ascendc

#endif
