#ifndef GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_H
#define GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_H

#include <cstdint>

#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "lib/conv_backprop/conv_backprop_tiling_setters.h"

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
  using ConvBackpropTilingSetters::ConvBackpropTilingSetters;
  virtual ~Conv3dBpFilterTilingBase() = default;

  /// Returns 0, or -1 with the reason in aclGetRecentErrMsg and `tiling` as it was.
  virtual int64_t GetTiling(optiling::Conv3DBackpropFilterTilingData& tiling) = 0;
  virtual int64_t GetTiling(AscendC::tiling::Conv3DBackpropFilterTilingData& tiling) = 0;

  void SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h, int64_t w) {
    tell_weight(cout, cin, d, h, w);
  }
  void SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    tell_input(n, c, d, h, w);
  }
  void SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    tell_grad_output(n, c, d, h, w);
  }
};

/// Works out how Conv3DBackpropFilter is cut into tiles and cores (gradient with respect to the
/// weight).
class Conv3dBpFilterTiling : public Conv3dBpFilterTilingBase {
 public:
  using Conv3dBpFilterTilingBase::Conv3dBpFilterTilingBase;

  int64_t GetTiling(optiling::Conv3DBackpropFilterTilingData& tiling) override;
  int64_t GetTiling(AscendC::tiling::Conv3DBackpropFilterTilingData& tiling) override;
};

}  // namespace ConvBackpropApi

#endif
