#ifndef GRADPROOF_LIB_CONV_BACKPROP_TILING_SETTERS_H
#define GRADPROOF_LIB_CONV_BACKPROP_TILING_SETTERS_H

#include <cstdint>

#include "lib/conv_backprop/conv_backprop_types.h"
#include "tiling/platform/platform_ascendc.h"

namespace ConvBackpropApi {

/// A chip by its memories (bytes), for a host that has no PlatformAscendC.
struct PlatformInfo {
  platform_ascendc::SocVersion socVersion = platform_ascendc::SocVersion::RESERVED_VERSION;
  uint64_t l1Size = 0;
  uint64_t l0CSize = 0;
  uint64_t ubSize = 0;
  uint64_t l0ASize = 0;
  uint64_t l0BSize = 0;
  uint64_t btSize = 0;
  uint64_t fbSize = 0;
};

namespace simulation {

/// Facts of a platform for tiling classes. Bias table and fixpipe buffer are the same for all.
PlatformInfo info_of(const platform_ascendc::PlatformAscendC& platform);

/// Platform of a class made without one: Ascend910B.
PlatformInfo default_platform();

}  // namespace simulation

/// Setters that both tiling classes have. `Request` has batch, cin and cout, operands weight, input
/// and gradOutput, and axes d, h and w.
template <typename Request>
class ConvBackpropTilingSetters {
 public:
  ConvBackpropTilingSetters() : platform_(simulation::default_platform()) {}
  explicit ConvBackpropTilingSetters(const platform_ascendc::PlatformAscendC& platform)
      : platform_(simulation::info_of(platform)) {}
  explicit ConvBackpropTilingSetters(const PlatformInfo& platform) : platform_(platform) {}

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

  void tell_weight(int64_t cout, int64_t cin, int64_t d, int64_t h, int64_t w) {
    request_.cout = cout;
    request_.cin = cin;
    request_.d.kernel = d;
    request_.h.kernel = h;
    request_.w.kernel = w;
  }
  void tell_input(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    request_.batch = n;
    request_.cin = c;
    request_.d.input = d;
    request_.h.input = h;
    request_.w.input = w;
  }
  void tell_grad_output(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    request_.batch = n;
    request_.cout = c;
    request_.d.output = d;
    request_.h.output = h;
    request_.w.output = w;
  }

  Request request_;
  PlatformInfo platform_;
};

}  // namespace ConvBackpropApi

#endif
