#include "properties/targets/tiling/tiling_classes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

// A library of its own: it links the classes, which the program only loads. It uses nothing but
// what CANN's headers have, too.

namespace gradproof::targets {
namespace {

using ConvBackpropApi::Conv3dBpFilterTiling;
using ConvBackpropApi::Conv3DBpInputTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

/// The setters of the filter's class do not answer.
template <typename Tiling, typename Setter>
bool tell_shape(Tiling& tiling, const TilingOperand& of, Setter setter) {
  if (!of.has_shape) return true;
  const auto& [n, c, d, h, w] = of.shape;
  if constexpr (std::is_void_v<decltype((tiling.*setter)(n, c, d, h, w))>) {
    (tiling.*setter)(n, c, d, h, w);
    return true;
  } else {
    return (tiling.*setter)(n, c, d, h, w);
  }
}

template <typename Tiling>
bool tell_shapes(Tiling& tiling, const TilingQuestion& it) {
  bool accepted = tell_shape(tiling, it.weight, &Tiling::SetWeightShape);
  accepted &= tell_shape(tiling, it.grad_output, &Tiling::SetGradOutputShape);
  accepted &= tell_shape(tiling, it.input, &Tiling::SetInputShape);
  return accepted;
}

template <typename Tiling>
void tell_types(Tiling& tiling, const TilingQuestion& it, TPosition of_input) {
  const auto format = [](const TilingOperand& of) { return static_cast<ConvFormat>(of.format); };
  const auto dtype = [](const TilingOperand& of) { return static_cast<ConvDtype>(of.dtype); };
  tiling.SetWeightType(TPosition::GM, format(it.weight), dtype(it.weight));
  tiling.SetGradOutputType(TPosition::GM, format(it.grad_output), dtype(it.grad_output));
  tiling.SetInputType(of_input, format(it.input), dtype(it.input));
}

template <typename Tiling>
void tell_attributes(Tiling& tiling, const TilingQuestion& it) {
  tiling.SetPadding(it.pads[0], it.pads[1], it.pads[2], it.pads[3], it.pads[4], it.pads[5]);
  tiling.SetStride(it.strides[0], it.strides[1], it.strides[2]);
  tiling.SetDilation(it.dilations[0], it.dilations[1], it.dilations[2]);
}

/// Tells the class a question; false where a setter refuses.
bool tell(Conv3DBpInputTiling& tiling, const TilingQuestion& it) {
  bool accepted = tell_shapes(tiling, it);
  tell_types(tiling, it, TPosition::CO1);
  tell_attributes(tiling, it);
  if (!it.has_output_padding) return accepted;
  const auto [d, h, w] = it.output_padding;
  accepted &= tiling.SetOutputPadding(d, h, w);
  return accepted;
}

bool tell(Conv3dBpFilterTiling& tiling, const TilingQuestion& it) {
  const bool accepted = tell_shapes(tiling, it);
  tell_types(tiling, it, TPosition::GM);
  tell_attributes(tiling, it);
  return accepted;
}

/// The structure's fields and nothing between them.
template <typename Plain>
TilingAnswer fields_of(const Plain& data) {
  TilingAnswer answer;
  note_fields(data, answer);
  return answer;
}

/// Reads the fields of the flavour behind accessors, as a host hands them on.
template <typename Plain, typename Accessors>
requires requires(Accessors data) { data.GetDataSize(); }
TilingAnswer fields_of(const Accessors& data) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  std::array<unsigned char, sizeof(Plain)> bytes{};
  Accessors copy = data;  // the framework's SaveToBuffer is not const
  if (copy.GetDataSize() == bytes.size()) copy.SaveToBuffer(bytes.data(), bytes.size());
  Plain plain{};
  std::memcpy(&plain, bytes.data(), bytes.size());
  return fields_of(plain);
}

bool same_fields(const TilingAnswer& left, const TilingAnswer& right) {
  return std::ranges::equal(left.filled(), right.filled(), {}, &NamedField::value,
                            &NamedField::value);
}

template <typename Tiling, typename Data>
std::int64_t fill(const TilingQuestion& question, Data& data) {
  Tiling tiling;
  return tell(tiling, question) ? tiling.GetTiling(data) : -1;
}

/// GetTiling on a fresh object: its status, whether a refusal left the structure as it was, and
/// what stands in the structure then.
template <typename Tiling, typename Plain, typename Data>
TilingAnswer ask(const TilingQuestion& question) {
  Data data{};
  const TilingAnswer before = fields_of<Plain>(data);
  const std::int64_t status = fill<Tiling>(question, data);
  TilingAnswer answer = fields_of<Plain>(data);
  answer.status = status;
  answer.untouched = status == 0 || same_fields(answer, before);
  return answer;
}

template <typename Tiling, typename Plain, typename Accessors>
TilingAnswer ask_twice(const TilingQuestion& question) {
  TilingAnswer answer = ask<Tiling, Plain, Plain>(question);
  const TilingAnswer other = ask<Tiling, Plain, Accessors>(question);
  answer.flavours_agree = other.status == answer.status && same_fields(answer, other);
  answer.untouched &= other.untouched;
  if (answer.status != 0) answer.field_count = 0;
  return answer;
}

}  // namespace

std::int64_t get_tiling(const TilingQuestion& question,
                        AscendC::tiling::Conv3DBackpropInputTilingData& data) {
  return fill<Conv3DBpInputTiling>(question, data);
}

std::int64_t get_tiling(const TilingQuestion& question,
                        AscendC::tiling::Conv3DBackpropFilterTilingData& data) {
  return fill<Conv3dBpFilterTiling>(question, data);
}

void gradproofConv3DBpInputTiling(const TilingQuestion* question, TilingAnswer* answer) {
  *answer = ask_twice<Conv3DBpInputTiling, AscendC::tiling::Conv3DBackpropInputTilingData,
                      optiling::Conv3DBackpropInputTilingData>(*question);
}

void gradproofConv3dBpFilterTiling(const TilingQuestion* question, TilingAnswer* answer) {
  *answer = ask_twice<Conv3dBpFilterTiling, AscendC::tiling::Conv3DBackpropFilterTilingData,
                      optiling::Conv3DBackpropFilterTilingData>(*question);
}

}  // namespace gradproof::targets
