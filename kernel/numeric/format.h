#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/numeric/bfloat16.h"
#include "kernel/numeric/binary32.h"
#include "kernel/numeric/float8.h"
#include "kernel/numeric/half.h"
#include "kernel/numeric/hifloat8.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::numeric {

/// The formats a gradient's tensors can have.
enum class Format : std::uint8_t { Binary32, Half, BFloat16, Float8E4M3, HiFloat8 };

/// Calls `visit` with the codec of `format`: a type with Bits, decode and encode.
template <typename Visit>
decltype(auto) with_codec(Format format, Visit&& visit) {
  switch (format) {
    case Format::Half:
      return visit(Half{});
    case Format::BFloat16:
      return visit(BFloat16{});
    case Format::Float8E4M3:
      return visit(Float8E4M3{});
    case Format::HiFloat8:
      return visit(HiFloat8{});
    case Format::Binary32:
      break;
  }
  return visit(Binary32{});
}

/// Bytes of one element.
inline std::size_t size_of(Format format) {
  return with_codec(format, [](auto codec) { return sizeof(typename decltype(codec)::Bits); });
}

/// Element number `index` of an array in memory, which need not be aligned.
template <typename Codec>
float load(const std::byte* elements, std::int64_t index) {
  typename Codec::Bits bits;
  std::memcpy(&bits, elements + index * static_cast<std::int64_t>(sizeof bits), sizeof bits);
  return Codec::decode(bits);
}

template <typename Codec>
void store(float value, OverflowMode mode, std::byte* elements, std::int64_t index) {
  const typename Codec::Bits bits = Codec::encode(value, mode);
  std::memcpy(elements + index * static_cast<std::int64_t>(sizeof bits), &bits, sizeof bits);
}

/// The value after a trip through `format`.
inline float rounded(float value, Format format, OverflowMode mode) {
  return with_codec(format, [&](auto codec) {
    return decltype(codec)::decode(decltype(codec)::encode(value, mode));
  });
}

}  // namespace gradproof::kernel::numeric
