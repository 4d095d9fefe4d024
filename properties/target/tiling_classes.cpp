#include "properties/target/tiling_classes.h"

#include <cstring>
#include <vector>

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

// A library of its own: it links the simulated backend's classes, which the program only loads.

namespace gradproof::properties {
namespace {

using ConvBackpropApi::Conv3DBpInputTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

ConvFormat format(std::int32_t value) { return static_cast<ConvFormat>(value); }

/// False where a setter refuses.
bool tell(Conv3DBpInputTiling& tiling, const TilingQuestion& it) {
  const auto dtype = static_cast<ConvDtype>(it.dtype);
  const auto shape = [&](const std::array<std::int64_t, 5>& of, auto setter) {
    return (tiling.*setter)(of[0], of[1], of[2], of[3], of[4]);
  };
  bool accepted = true;
  if (it.has_weight) accepted &= shape(it.weight, &Conv3DBpInputTiling::SetWeightShape);
  if (it.has_grad_output) {
    accepted &= shape(it.grad_output, &Conv3DBpInputTiling::SetGradOutputShape);
  }
  if (it.has_input) accepted &= shape(it.input, &Conv3DBpInputTiling::SetInputShape);
  tiling.SetWeightType(TPosition::GM, format(it.weight_format), dtype);
  tiling.SetGradOutputType(TPosition::GM, format(it.grad_output_format), dtype);
  tiling.SetInputType(TPosition::CO1, format(it.input_format), dtype);
  tiling.SetPadding(it.pads[0], it.pads[1], it.pads[2], it.pads[3], it.pads[4], it.pads[5]);
  tiling.SetStride(it.strides[0], it.strides[1], it.strides[2]);
  tiling.SetDilation(it.dilations[0], it.dilations[1], it.dilations[2]);
  if (it.has_output_padding) {
    const auto& extra = it.output_padding;
    accepted &= tiling.SetOutputPadding(extra[0], extra[1], extra[2]);
  }
  return accepted;
}

using Bytes = std::vector<unsigned char>;

template <typename Data>
Bytes bytes_of(const Data& data) {
  static_assert(std::is_trivially_copyable_v<Data>);
  Bytes bytes(sizeof data);
  std::memcpy(bytes.data(), &data, sizeof data);
  return bytes;
}

/// GetTiling on a fresh object; the bytes of what it fills in.
template <typename Data>
std::int64_t ask(const TilingQuestion& question, Data& data, TilingAnswer& answer) {
  Conv3DBpInputTiling tiling;
  if (!tell(tiling, question)) return -1;
  const Bytes before = bytes_of(data);
  const std::int64_t status = tiling.GetTiling(data);
  if (status != 0 && bytes_of(data) != before) answer.untouched = false;
  return status;
}

}  // namespace

void gradproof_ask_input_tiling(const TilingQuestion* question, TilingAnswer* answer) {
  AscendC::tiling::Conv3DBackpropInputTilingData plain{};
  optiling::Conv3DBackpropInputTilingData accessors{};
  answer->status = ask(*question, plain, *answer);
  const std::int64_t other = ask(*question, accessors, *answer);
  answer->flavours_agree = other == answer->status && bytes_of(plain) == bytes_of(accessors);
}

}  // namespace gradproof::properties
