#pragma once

#include <algorithm>

#include "properties/targets/tiling/tiling_classes.h"

namespace gradproof::fuzz {

/// True if two tilings are equal field by field. Padding bytes between and after the fields do not
/// count: copies need not keep them.
template <typename Data>
bool same_fields(const Data& one, const Data& other) {
  targets::TilingAnswer left, right;
  targets::note_fields(one, left);
  targets::note_fields(other, right);
  return std::ranges::equal(left.filled(), right.filled(), {}, &targets::NamedField::value,
                            &targets::NamedField::value);
}

inline bool same_fields(const AscendC::tiling::TConv3DBackpropInputTiling& one,
                        const AscendC::tiling::TConv3DBackpropInputTiling& other) {
  using Data = AscendC::tiling::Conv3DBackpropInputTilingData;
  Data left, right;
  left.conv3DDxTiling = one;
  right.conv3DDxTiling = other;
  return same_fields<Data>(left, right);
}

}  // namespace gradproof::fuzz
