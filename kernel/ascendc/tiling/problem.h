#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {

/// One axis of a legal problem. Backprop pads are those of grad output, spread by the stride.
struct TilingAxis {
  std::int64_t input = 1, kernel = 1, output = 1;
  std::int64_t pad_before = 0, pad_after = 0, stride = 1, dilation = 1;
  std::int64_t backprop_pad_before = 0, backprop_pad_after = 0;
};

/// Converts an axis of a request of dx or dw.
TilingAxis axis_of(const ConvBackpropApi::Conv3DBpInputAxis& axis);

/// Lengths that GetTiling divides. They are all at least 1, and hi wi and K fit in 32 bits.
struct TilingProblem {
  std::int64_t batch = 1, cin = 1, cout = 1;
  TilingAxis d, h, w;
  std::int64_t element_bytes = 2;
  bool needs_zeroed_output = false;        ///< initOutputFlag
  std::vector<std::string> warnings = {};  ///< what is logged and tolerated

  std::int64_t c0() const { return 32 / element_bytes; }
  std::int64_t cin1() const { return (cin + c0() - 1) / c0(); }
  std::int64_t cout1() const { return (cout + c0() - 1) / c0(); }
};

/// Error: the first check of GetTiling that fails, in words.
tl::expected<TilingProblem, std::string> checked(
    const ConvBackpropApi::Conv3DBpInputRequest& request);

}  // namespace gradproof::kernel::ascendc::tiling
