#pragma once

#include <array>
#include <cstdint>

namespace gradproof::properties {

/// What a tiling class is told, as plain data: nothing here is ever null, `has_...` says what is
/// told. Arrays by N C D H W or D H W.
struct TilingQuestion {
  bool has_weight = false, has_input = false, has_grad_output = false, has_output_padding = false;
  std::array<std::int64_t, 5> weight{}, input{}, grad_output{};
  /// Values of ConvCommonApi's enumerations ConvFormat and ConvDtype.
  std::int32_t weight_format = 0, input_format = 0, grad_output_format = 0, dtype = 0;
  std::array<std::int64_t, 6> pads{};
  std::array<std::int64_t, 3> strides{1, 1, 1}, dilations{1, 1, 1}, output_padding{};
};

/// What it answered.
struct TilingAnswer {
  std::int64_t status = 0;     ///< of GetTiling; -1 too where a setter refused
  bool flavours_agree = true;  ///< both structures that GetTiling fills hold the same
  bool untouched = true;       ///< after a refusal: the structure is as it was
};

extern "C" {
/// Conv3DBpInputTiling, told and asked once for each of its two structures.
void gradproof_ask_input_tiling(const TilingQuestion* question, TilingAnswer* answer);
}

}  // namespace gradproof::properties
