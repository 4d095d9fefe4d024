#include "lib/conv_backprop/conv_backprop_tiling_setters.h"

namespace ConvBackpropApi::simulation {
namespace {

using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;

constexpr uint64_t bias_table_bytes = 1024;
constexpr uint64_t fixpipe_buffer_bytes = 2048;

}  // namespace

PlatformInfo info_of(const PlatformAscendC& platform) {
  PlatformInfo info{.socVersion = platform.GetSocVersion()};
  platform.GetCoreMemSize(CoreMemType::L1, info.l1Size);
  platform.GetCoreMemSize(CoreMemType::L0_C, info.l0CSize);
  platform.GetCoreMemSize(CoreMemType::UB, info.ubSize);
  platform.GetCoreMemSize(CoreMemType::L0_A, info.l0ASize);
  platform.GetCoreMemSize(CoreMemType::L0_B, info.l0BSize);
  info.btSize = bias_table_bytes;
  info.fbSize = fixpipe_buffer_bytes;
  return info;
}

// The default platform's L1 is the whole one, which that chip's object does not report; its UB is
// larger than any.
PlatformInfo default_platform() {
  PlatformInfo info = info_of(PlatformAscendC(platform_ascendc::SocVersion::ASCEND910B));
  info.l1Size = 524288;
  info.ubSize = 262144;
  return info;
}

}  // namespace ConvBackpropApi::simulation
