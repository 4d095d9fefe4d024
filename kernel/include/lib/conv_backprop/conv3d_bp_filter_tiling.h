#ifndef GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_H
#define GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_H

#include <cstdint>

#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "lib/conv_backprop/conv_backprop_tiling_setters.h"
#include "tiling/platform/platform_ascendc.h"

namespace ConvBackpropApi {

/// All that the setters were told. Extents that several of them name are the last one's.
struct Conv3dBpFilterRequest {
  int64_t batch = -1, cin = -1, cout = -1;
  Conv3DBpInputAxis d, h, w;
  Conv3DBpInputOperand input{ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0,
                             ConvCommonApi::ConvDtype::FLOAT16};
  Conv3DBpInputOperand gradOutput = input;
  Conv3DBpInputOperand weight{ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::FRACTAL_Z_3D,
                              ConvCommonApi::ConvDtype::FLOAT32};
};

/// The setters that describe the convolution to the tiling.
class Conv3dBpFilterTilingBase : public ConvBackpropTilingSetters<Conv3dBpFilterRequest> {
 public:
  Conv3dBpFilterTilingBase();  ///< the platform is Ascend910B
  explicit Conv3dBpFilterTilingBase(const platform_ascendc::PlatformAscendC& platform);
  explicit Conv3dBpFilterTilingBase(const PlatformInfo& platform);
  virtual ~Conv3dBpFilterTilingBase();

  /// 0, or -1 with the reason in aclGetRecentErrMsg and `tiling` as it was.
  virtual int64_t GetTiling(optiling::Conv3DBackpropFilterTilingData& tiling) = 0;
  virtual int64_t GetTiling(AscendC::tiling::Conv3DBackpropFilterTilingData& tiling) = 0;

  void SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h, int64_t w);
  void SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w);
  void SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w);

 protected:
  PlatformInfo platform_;
};

/// Works out how Conv3DBackpropFilter is cut into tiles and cores (gradient with respect to the
/// weight).
class Conv3dBpFilterTiling : public Conv3dBpFilterTilingBase {
 public:
  Conv3dBpFilterTiling() = default;
  explicit Conv3dBpFilterTiling(const platform_ascendc::PlatformAscendC& platform)
      : Conv3dBpFilterTilingBase(platform) {}
  explicit Conv3dBpFilterTiling(const PlatformInfo& platform)
      : Conv3dBpFilterTilingBase(platform) {}

  int64_t GetTiling(optiling::Conv3DBackpropFilterTilingData& tiling) override;
  int64_t GetTiling(AscendC::tiling::Conv3DBackpropFilterTilingData& tiling) override;
};

}  // namespace ConvBackpropApi

#endif
