#ifndef GRADPROOF_LIB_CONV_BACKPROP_TYPES_H
#define GRADPROOF_LIB_CONV_BACKPROP_TYPES_H

#include <cstdint>

namespace AscendC {

enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX,
};

}  // namespace AscendC

namespace ConvCommonApi {

/// One type for host and device, so that a program may include the headers of both.
using AscendC::TPosition;

enum class ConvFormat {
  ND = 0,
  NCHW,
  NHWC,
  HWCN,
  DHWNC,
  DHWCN,
  NDHWC,
  NCDHW,
  NC1HWC0,
  NDC1HWC0,
  FRACTAL_Z_3D,
};

enum class ConvDtype { FLOAT16 = 0, FLOAT32, BF16, INT4, INT8, UINT8, INT32, INT64, UINT64 };

}  // namespace ConvCommonApi

namespace ConvBackpropApi {

/// One tensor of a kernel: where it lies, its format, its element.
template <AscendC::TPosition POSITION, ConvCommonApi::ConvFormat FORMAT, typename T>
struct ConvType {
  constexpr static AscendC::TPosition pos = POSITION;
  constexpr static ConvCommonApi::ConvFormat format = FORMAT;
  using Type = T;
};

}  // namespace ConvBackpropApi

#endif
