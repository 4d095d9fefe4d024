#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#include "corpus/case.h"
#include "corpus/element_hash.h"

namespace gradproof::corpus {

/// The number of this exponent with the sign and fraction of these bits.
inline double real_from(std::uint64_t sign_and_fraction, int exponent) {
  const std::uint64_t biased = static_cast<std::uint64_t>(exponent + 1023) << 52;
  return std::bit_cast<double>((sign_and_fraction & ~(std::uint64_t{0x7FF} << 52)) | biased);
}

/// Numbers that the elements of one tensor are drawn from: a recipe's, in the form that drawing
/// takes.
struct DrawLimits {
  double range_low, range_width;
  std::uint64_t density;    ///< elements drawn, of 65536
  std::uint64_t magnitude;  ///< at least 1
  double unit;              ///< normal: planned exponents stay far from double's ends
  std::int32_t exponent_low;
  std::uint64_t binades;  ///< at least 1

  DrawLimits(const DataRecipe& recipe, InputRole role)
      : range_low(recipe.range_low), range_width(recipe.range_high - recipe.range_low) {
    const TensorFill fill =
        recipe.fills ? (*recipe.fills)[static_cast<std::size_t>(role)] : TensorFill{};
    density = fill.density;
    magnitude = static_cast<std::uint64_t>(std::max<std::int64_t>(fill.magnitude, 1));
    unit = __builtin_ldexp(1, fill.exponent);
    exponent_low = fill.exponent_low;
    binades = static_cast<std::uint64_t>(std::max(fill.exponent_high - fill.exponent_low, 0)) + 1;
  }
};

/// Draws the elements of one tensor from their hashes, one by one: what each distribution is.
template <typename Encode>
class Draw {
 public:
  Draw(const DrawLimits& limits, DataType dtype, Encode encode)
      : limits_(limits), sign_(std::uint64_t{1} << (size_bytes(dtype) * 8 - 1)), encode_(encode) {}

  /// True if the element is drawn at all; the others are +0.
  bool is_drawn(std::uint64_t hash) const { return (hash & 0xFFFF) < limits_.density; }

  std::uint64_t uniform(std::uint64_t hash) const {
    const double unit = static_cast<double>(mixed(hash + golden) >> 11) * 0x1p-53;
    return encode_(limits_.range_low + limits_.range_width * unit);
  }

  /// A non-zero integer of at most `magnitude`, times 2^exponent.
  std::uint64_t grid_point(std::uint64_t hash) const {
    const std::uint64_t draw = mixed(hash + golden);
    const auto integer = static_cast<std::int64_t>(
                             (static_cast<unsigned __int128>(draw) * limits_.magnitude) >> 64) +
                         1;
    const auto signed_integer = static_cast<double>((hash >> 16 & 1U) != 0 ? -integer : integer);
    return encode_(signed_integer * limits_.unit);
  }

  std::uint64_t full_mantissa(std::uint64_t hash) const {
    const auto binade = static_cast<int>((hash >> 16 & 0xFFFFFF) * limits_.binades >> 24);
    return encode_(real_from(mixed(hash + golden), limits_.exponent_low + binade));
  }

  /// One of three drawn elements is a special value.
  std::uint64_t special(std::uint64_t hash) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::uint64_t sign_drawn = (hash >> 16 & 1U) * sign_;
    switch (mixed(hash ^ golden) % 18) {
      case 0:
        return encode_(std::numeric_limits<double>::quiet_NaN());
      case 1:
        return encode_(sign_drawn != 0 ? -infinity : infinity);
      case 2:
        return sign_;  // -0, except in HIFLOAT8, whose NaN it is
      case 3:
        return encode_(sign_drawn != 0 ? -DBL_MAX : DBL_MAX);  // the dtype's largest
      case 4:
        return sign_drawn | 1U;  // the smallest
      case 5:
        return encode_(sign_drawn != 0 ? -1.0 : 1.0);
      default:
        return full_mantissa(hash);
    }
  }

  std::uint64_t almost_one(std::uint64_t hash) const {
    const std::uint64_t draw = mixed(hash + golden);
    const double above = 1 + static_cast<double>(draw >> 11) * 0x1p-59;
    return encode_((hash >> 16 & 1U) != 0 ? -above : above);
  }

 private:
  DrawLimits limits_;
  std::uint64_t sign_;
  Encode encode_;
};

}  // namespace gradproof::corpus
