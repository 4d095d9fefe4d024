#pragma once

// What a test tells Conv3DBpInputTiling, and what it reads from the answer.

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>

#include "acl/acl.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {

using ConvBackpropApi::Conv3DBpInputTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Data = AscendC::tiling::Conv3DBackpropInputTilingData;
using Plain = AscendC::tiling::TConv3DBackpropInputTiling;
using Five = std::array<std::int64_t, 5>;
using Six = std::array<std::int64_t, 6>;

/// What a kernel reads: the words as they lie in memory.
template <typename Tiling>
std::array<std::byte, sizeof(Tiling)> bytes_of(const Tiling& tiling) {
  return std::bit_cast<std::array<std::byte, sizeof(Tiling)>>(tiling);
}

struct Request {
  Five weight, input, grad_output;
  Six pads{};
  ConvDtype dtype = ConvDtype::FLOAT16;
};

inline void tell(Conv3DBpInputTiling& tiling, const Request& request) {
  const auto& [co, ci, kd, kh, kw] = request.weight;
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, request.dtype);
  tiling.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, request.dtype);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, request.dtype);
  EXPECT_TRUE(tiling.SetWeightShape(co, ci, kd, kh, kw));
  const auto& x = request.input;
  EXPECT_TRUE(tiling.SetInputShape(x[0], x[1], x[2], x[3], x[4]));
  const auto& dy = request.grad_output;
  EXPECT_TRUE(tiling.SetGradOutputShape(dy[0], dy[1], dy[2], dy[3], dy[4]));
  const auto& p = request.pads;
  tiling.SetPadding(p[0], p[1], p[2], p[3], p[4], p[5]);
  tiling.SetStride(1, 1, 1);
  tiling.SetDilation(1, 1, 1);
}

// Both flavours of the data, which must hold the same bytes.
inline Plain tiling_of(Conv3DBpInputTiling& tiling) {
  Data plain;
  optiling::Conv3DBackpropInputTilingData accessed;
  EXPECT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(tiling.GetTiling(accessed), 0);
  std::array<std::byte, sizeof(Plain)> saved{};
  EXPECT_EQ(accessed.GetDataSize(), saved.size());
  accessed.SaveToBuffer(saved.data(), saved.size());
  EXPECT_EQ(saved, bytes_of(plain));
  EXPECT_EQ(accessed.conv3DDxTiling.get_baseM(), plain.conv3DDxTiling.baseM);
  return plain.conv3DDxTiling;
}

inline void tell_transposed(Conv3DBpInputTiling& tiling) {
  EXPECT_TRUE(tiling.SetWeightShape(44, 4, 2, 3, 2));
  EXPECT_TRUE(tiling.SetGradOutputShape(1, 44, 17, 5, 77));
  tiling.SetStride(1, 2, 1);
  EXPECT_TRUE(tiling.SetOutputPadding(0, 1, 0));
}

inline Request small() { return {{8, 8, 3, 3, 3}, {1, 8, 4, 4, 4}, {1, 8, 2, 2, 2}}; }

inline std::string reason() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

}  // namespace gradproof::kernel::ascendc::tiling
