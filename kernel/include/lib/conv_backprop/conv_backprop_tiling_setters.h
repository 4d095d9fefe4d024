#ifndef GRADPROOF_LIB_CONV_BACKPROP_TILING_SETTERS_H
#define GRADPROOF_LIB_CONV_BACKPROP_TILING_SETTERS_H

#include <cstdint>

#include "lib/conv_backprop/conv_backprop_types.h"

namespace ConvBackpropApi {

/// What both tiling classes are told in the same way. `Request` has operands weight, input and
/// gradOutput, and axes d, h and w.
template <typename Request>
class ConvBackpropTilingSetters {
 public:
  void SetWeightType(ConvCommonApi::TPosition position, ConvCommonApi::ConvFormat format,
                     ConvCommonApi::ConvDtype dtype) {
    request_.weight = {position, format, dtype};
  }
  void SetInputType(ConvCommonApi::TPosition position, ConvCommonApi::ConvFormat format,
                    ConvCommonApi::ConvDtype dtype) {
    request_.input = {position, format, dtype};
  }
  void SetGradOutputType(ConvCommonApi::TPosition position, ConvCommonApi::ConvFormat format,
                         ConvCommonApi::ConvDtype dtype) {
    request_.gradOutput = {position, format, dtype};
  }

  void SetPadding(int64_t front, int64_t back, int64_t up, int64_t down, int64_t left,
                  int64_t right) {
    request_.d.padBefore = front;
    request_.d.padAfter = back;
    request_.h.padBefore = up;
    request_.h.padAfter = down;
    request_.w.padBefore = left;
    request_.w.padAfter = right;
  }
  void SetStride(int64_t d, int64_t h, int64_t w) {
    request_.d.stride = d;
    request_.h.stride = h;
    request_.w.stride = w;
  }
  void SetDilation(int64_t d, int64_t h, int64_t w) {
    request_.d.dilation = d;
    request_.h.dilation = h;
    request_.w.dilation = w;
  }

 protected:
  ~ConvBackpropTilingSetters() = default;

  Request request_;
};

}  // namespace ConvBackpropApi

#endif
