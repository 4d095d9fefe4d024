#ifndef GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_DATA_H
#define GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lib/conv_backprop/conv_backprop_tiling_data_fields.h"

#define GRADPROOF_CONV3D_BP_FILTER_PARAMS_FIELDS(FIELD) FIELD(uint32_t, totalL1Size)

#define GRADPROOF_CONV3D_BP_FILTER_TILING_FIELDS(FIELD) \
  FIELD(uint32_t, batch)                                \
  FIELD(uint32_t, cin)                                  \
  FIELD(uint32_t, cout)                                 \
  FIELD(uint32_t, cin1G)                                \
  FIELD(uint32_t, cout1G)                               \
  GRADPROOF_TILING_GEOMETRY_FIELDS(FIELD)               \
  FIELD(uint32_t, dilationD)                            \
  FIELD(uint32_t, dilationH)                            \
  FIELD(uint32_t, dilationW)                            \
  FIELD(uint32_t, channelSize)                          \
  FIELD(uint32_t, al0Pbuffer)                           \
  FIELD(uint32_t, bl0Pbuffer)                           \
  FIELD(uint32_t, cl0Pbuffer)                           \
  FIELD(uint32_t, al1Pbuffer)                           \
  FIELD(uint32_t, bl1Pbuffer)                           \
  FIELD(uint32_t, baseM)                                \
  FIELD(uint32_t, baseK)                                \
  FIELD(uint32_t, baseN)                                \
  FIELD(uint32_t, m0)                                   \
  FIELD(uint32_t, k0)                                   \
  FIELD(uint32_t, n0)                                   \
  FIELD(uint32_t, stepM)                                \
  FIELD(uint32_t, stepN)                                \
  FIELD(uint32_t, stepKa)                               \
  FIELD(uint32_t, stepKb)                               \
  FIELD(uint32_t, iterateOrder)                         \
  FIELD(uint32_t, bl1Bound)                             \
  FIELD(uint32_t, hf32Flag)                             \
  FIELD(uint32_t, singleCoreDk)                         \
  FIELD(uint32_t, singleCoreGroup)                      \
  FIELD(uint32_t, singleCoreCout)                       \
  FIELD(uint32_t, singleCoreHo)                         \
  FIELD(uint64_t, singleCoreBatch)                      \
  FIELD(uint64_t, singleCoreCin)

#define GRADPROOF_CONV3D_BP_FILTER_BASIC_BLOCK_FIELDS(FIELD) \
  FIELD(uint32_t, singleCoreM)                               \
  FIELD(uint32_t, singleCoreN)                               \
  FIELD(uint32_t, singleCoreK)

namespace AscendC {
namespace tiling {

/// Facts that the host tells the kernel in addition to the tiling.
struct Conv3DBackpropFilterParams {
  GRADPROOF_CONV3D_BP_FILTER_PARAMS_FIELDS(GRADPROOF_TILING_MEMBER)
};

/// Decisions of GetTiling that a kernel's Init reads. Field order is the memory layout.
struct TConv3DBpFilterTiling {
  GRADPROOF_CONV3D_BP_FILTER_TILING_FIELDS(GRADPROOF_TILING_MEMBER)
};

/// One core's share of the product, in elements.
struct TConv3DBpFilterBasicBlockTiling {
  GRADPROOF_CONV3D_BP_FILTER_BASIC_BLOCK_FIELDS(GRADPROOF_TILING_MEMBER)
};

/// All that a filter gradient's kernel is handed by its host.
struct Conv3DBackpropFilterTilingData {
  Conv3DBackpropFilterParams params;
  TConv3DBpFilterTiling dwTiling;
  TConv3DBpFilterBasicBlockTiling basicBlockTiling;
};

}  // namespace tiling
}  // namespace AscendC

namespace optiling {

// The same values behind accessors get_x() and set_x(), for hosts that hand tiling data on as a
// buffer.

/// AscendC::tiling::Conv3DBackpropFilterParams behind accessors.
class Conv3DBackpropFilterParams {
  GRADPROOF_TILING_CLASS_BODY(AscendC::tiling::Conv3DBackpropFilterParams,
                              GRADPROOF_CONV3D_BP_FILTER_PARAMS_FIELDS)
};

/// AscendC::tiling::TConv3DBpFilterTiling behind accessors.
class TConv3DBpFilterTiling {
  GRADPROOF_TILING_CLASS_BODY(AscendC::tiling::TConv3DBpFilterTiling,
                              GRADPROOF_CONV3D_BP_FILTER_TILING_FIELDS)
};

/// AscendC::tiling::TConv3DBpFilterBasicBlockTiling behind accessors.
class TConv3DBpFilterBasicBlockTiling {
  GRADPROOF_TILING_CLASS_BODY(AscendC::tiling::TConv3DBpFilterBasicBlockTiling,
                              GRADPROOF_CONV3D_BP_FILTER_BASIC_BLOCK_FIELDS)
};

/// AscendC::tiling::Conv3DBackpropFilterTilingData behind accessors.
class Conv3DBackpropFilterTilingData {
 public:
  Conv3DBackpropFilterParams params;
  TConv3DBpFilterTiling dwTiling;
  TConv3DBpFilterBasicBlockTiling basicBlockTiling;

  size_t GetDataSize() const { return sizeof(AscendC::tiling::Conv3DBackpropFilterTilingData); }

  /// Writes the plain flavour's bytes. Writes nothing where `capacity` is too small.
  void SaveToBuffer(void* data, size_t capacity) const {
    if (data == nullptr || capacity < GetDataSize()) return;
    const AscendC::tiling::Conv3DBackpropFilterTilingData plain{params.plain(), dwTiling.plain(),
                                                                basicBlockTiling.plain()};
    std::memcpy(data, &plain, sizeof(plain));
  }
};

}  // namespace optiling

#endif
