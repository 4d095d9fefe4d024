#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"

namespace gradproof::targets {

/// One of a tiling class's three tensors. Lengths by N C D H W.
struct TilingOperand {
  bool has_shape = false;  ///< else its shape is not told
  std::array<std::int64_t, 5> shape{};
  /// Values of ConvCommonApi's enumerations ConvFormat and ConvDtype.
  std::int32_t format = 0, dtype = 0;
};

/// Input of a tiling class, as plain data; arrays by D H W.
struct TilingQuestion {
  TilingOperand weight, input, grad_output;
  std::array<std::int64_t, 6> pads{};
  std::array<std::int64_t, 3> strides{1, 1, 1}, dilations{1, 1, 1}, output_padding{};
  bool has_output_padding = false;
};

/// A field of the structure that GetTiling fills, by its name there.
struct NamedField {
  const char* name = nullptr;
  std::int64_t value = 0;
};

/// Answer of a tiling class.
struct TilingAnswer {
  std::int64_t status = 0;     ///< of GetTiling; -1 too where a setter refused
  bool flavours_agree = true;  ///< both structures that GetTiling fills hold the same
  bool untouched = true;       ///< after a refusal: the structures are as they were
  std::array<NamedField, 96> fields{};
  std::size_t field_count = 0;  ///< of those; 0 after a refusal

  std::span<const NamedField> filled() const { return std::span(fields).first(field_count); }
};

/// Dense elements on the host, row-major by N C D H W.
struct HostOperands {
  const void* grad_output = nullptr;
  const void* other = nullptr;  ///< weight of dx, input of dw
  void* result = nullptr;       ///< dx or dw
};

/// GetTiling of a fresh object that was told the question; -1 where a setter refuses.
std::int64_t get_tiling(const TilingQuestion& question,
                        AscendC::tiling::Conv3DBackpropInputTilingData& data);
std::int64_t get_tiling(const TilingQuestion& question,
                        AscendC::tiling::Conv3DBackpropFilterTilingData& data);

}  // namespace gradproof::targets
