#ifndef GRADPROOF_LIB_CONV3D_BP_INPUT_TILING_H
#define GRADPROOF_LIB_CONV3D_BP_INPUT_TILING_H

#include <cstdint>

#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"
#include "lib/conv_backprop/conv_backprop_tiling_setters.h"
#include "lib/conv_backprop/conv_backprop_types.h"
#include "tiling/platform/platform_ascendc.h"

namespace ConvBackpropApi {

/// One axis of what the setters were told. -1: not told.
struct Conv3DBpInputAxis {
  int64_t input = -1, kernel = -1, output = -1;
  int64_t padBefore = 0, padAfter = 0, stride = 1, dilation = 1, outputPadding = 0;
};

/// Where a tensor of the kernel lies, and how its elements are laid out.
struct Conv3DBpInputOperand {
  ConvCommonApi::TPosition position;
  ConvCommonApi::ConvFormat format;
  ConvCommonApi::ConvDtype dtype;
};

/// All that the setters were told.
struct Conv3DBpInputRequest {
  int64_t batch = -1, cin = -1, cout = -1;
  Conv3DBpInputAxis d, h, w;
  bool isTransposed = true;  ///< until SetInputShape: input extents follow from the others
  Conv3DBpInputOperand weight{ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::FRACTAL_Z_3D,
                              ConvCommonApi::ConvDtype::FLOAT16};
  Conv3DBpInputOperand input{ConvCommonApi::TPosition::CO1, ConvCommonApi::ConvFormat::NCDHW,
                             ConvCommonApi::ConvDtype::FLOAT16};
  Conv3DBpInputOperand gradOutput{ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0,
                                  ConvCommonApi::ConvDtype::FLOAT16};
};

/// The setters that describe the convolution to the tiling.
class Conv3DBpInputTilingBase : public ConvBackpropTilingSetters<Conv3DBpInputRequest> {
 public:
  using ConvBackpropTilingSetters::ConvBackpropTilingSetters;
  virtual ~Conv3DBpInputTilingBase() = default;

  /// Returns 0, or -1 with the reason in aclGetRecentErrMsg and `tiling` as it was.
  virtual int64_t GetTiling(optiling::Conv3DBackpropInputTilingData& tiling) = 0;
  virtual int64_t GetTiling(AscendC::tiling::Conv3DBackpropInputTilingData& tiling) = 0;

  /// Tells a shape; false, and no change, where a length contradicts one told before.
  bool SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h, int64_t w);
  bool SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w);
  bool SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w);

  /// Sets the output padding, only for transposed convolution: false after SetInputShape.
  bool SetOutputPadding(int64_t d, int64_t h, int64_t w);
};

/// Works out how Conv3DBackpropInput is cut into tiles and cores (gradient with respect to the
/// input).
class Conv3DBpInputTiling : public Conv3DBpInputTilingBase {
 public:
  using Conv3DBpInputTilingBase::Conv3DBpInputTilingBase;

  int64_t GetTiling(optiling::Conv3DBackpropInputTilingData& tiling) override;
  int64_t GetTiling(AscendC::tiling::Conv3DBackpropInputTilingData& tiling) override;
};

}  // namespace ConvBackpropApi

#endif
