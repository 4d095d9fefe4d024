#ifndef GRADPROOF_LIB_CONV3D_BP_INPUT_TILING_DATA_H
#define GRADPROOF_LIB_CONV3D_BP_INPUT_TILING_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lib/conv_backprop/conv_backprop_tiling_data_fields.h"

#define GRADPROOF_CONV3D_BP_INPUT_TILING_FIELDS(FIELD) \
  FIELD(uint32_t, batch)                               \
  FIELD(uint32_t, cin)                                 \
  FIELD(uint32_t, cout)                                \
  FIELD(uint32_t, cout1)                               \
  FIELD(uint32_t, cin1)                                \
  FIELD(uint32_t, cout1G)                              \
  FIELD(uint32_t, cin1G)                               \
  FIELD(uint32_t, c0)                                  \
  FIELD(uint32_t, c0Bits)                              \
  GRADPROOF_TILING_GEOMETRY_FIELDS(FIELD)              \
  FIELD(uint32_t, backpropPadTail)                     \
  FIELD(uint32_t, backpropPadUp)                       \
  FIELD(uint32_t, backpropPadDown)                     \
  FIELD(uint32_t, backpropPadLeft)                     \
  FIELD(uint32_t, backpropPadRight)                    \
  FIELD(uint32_t, dilationD)                           \
  FIELD(uint32_t, dilationH)                           \
  FIELD(uint32_t, dilationW)                           \
  FIELD(uint32_t, al0Pbuffer)                          \
  FIELD(uint32_t, bl0Pbuffer)                          \
  FIELD(uint32_t, cl0Pbuffer)                          \
  FIELD(uint32_t, al1Pbuffer)                          \
  FIELD(uint32_t, bl1Pbuffer)                          \
  FIELD(uint32_t, singleCoreGroup)                     \
  FIELD(uint32_t, singleCoreCout)                      \
  FIELD(uint32_t, singleCoreCout1)                     \
  FIELD(uint32_t, singleCoreCin1)                      \
  FIELD(uint32_t, singleCoreDin)                       \
  FIELD(uint32_t, singleCoreHo)                        \
  FIELD(uint32_t, baseM)                               \
  FIELD(uint32_t, baseK)                               \
  FIELD(uint32_t, baseN)                               \
  FIELD(uint32_t, baseD)                               \
  FIELD(uint32_t, baseBatch)                           \
  FIELD(uint32_t, baseGroup)                           \
  FIELD(uint32_t, stepM)                               \
  FIELD(uint32_t, stepN)                               \
  FIELD(uint32_t, stepKa)                              \
  FIELD(uint32_t, stepKb)                              \
  FIELD(uint32_t, stepBatch)                           \
  FIELD(uint32_t, stepGroup)                           \
  FIELD(uint32_t, iterateOrder)                        \
  FIELD(int32_t, hf32Flag)                             \
  FIELD(int32_t, initOutputFlag)                       \
  FIELD(int32_t, reserved)                             \
  FIELD(uint64_t, singleCoreBatch)                     \
  FIELD(uint64_t, singleCoreM)                         \
  FIELD(uint64_t, singleCoreCin)

namespace AscendC {
namespace tiling {

/// Decisions of GetTiling that a kernel's Init reads. Field order is the memory layout.
struct TConv3DBackpropInputTiling {
  GRADPROOF_CONV3D_BP_INPUT_TILING_FIELDS(GRADPROOF_TILING_MEMBER)
};

/// All that an input gradient's kernel is handed by its host.
struct Conv3DBackpropInputTilingData {
  TConv3DBackpropInputTiling conv3DDxTiling;
};

}  // namespace tiling
}  // namespace AscendC

namespace optiling {

/// Holds the same bytes behind accessors get_x() and set_x(), for hosts that hand tiling data on as
/// a buffer.
class TConv3DBackpropInputTiling {
  GRADPROOF_TILING_CLASS_BODY(AscendC::tiling::TConv3DBackpropInputTiling,
                              GRADPROOF_CONV3D_BP_INPUT_TILING_FIELDS)

 public:
  size_t GetDataSize() const { return sizeof(fields_); }

  /// Writes nothing where `capacity` is too small.
  void SaveToBuffer(void* data, size_t capacity) const {
    if (data != nullptr && capacity >= sizeof(fields_))
      std::memcpy(data, &fields_, sizeof(fields_));
  }
};

/// AscendC::tiling::Conv3DBackpropInputTilingData behind accessors.
class Conv3DBackpropInputTilingData {
 public:
  TConv3DBackpropInputTiling conv3DDxTiling;

  size_t GetDataSize() const { return conv3DDxTiling.GetDataSize(); }
  void SaveToBuffer(void* data, size_t capacity) const {
    conv3DDxTiling.SaveToBuffer(data, capacity);
  }
};

}  // namespace optiling

#endif
