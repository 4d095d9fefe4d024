#include "corpus/element_values.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstring>
#include <limits>
#include <span>

#include "corpus/element_encoder.h"

namespace gradproof::corpus {
namespace {

/// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that mixes all bits.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;

constexpr std::uint64_t chained(std::uint64_t hash, std::int64_t coordinate) {
  return mixed(hash + golden * (static_cast<std::uint64_t>(coordinate) + 1));
}

double real_from(std::uint64_t sign_and_fraction, int exponent) {
  const std::uint64_t biased = static_cast<std::uint64_t>(exponent + 1023) << 52;
  return std::bit_cast<double>((sign_and_fraction & ~(std::uint64_t{0x7FF} << 52)) | biased);
}

/// Draws the elements of one tensor from their hashes.
template <typename Encode>
class Draw {
 public:
  Draw(const DataRecipe& recipe, InputRole role, DataType dtype, Encode encode)
      : recipe_(recipe), sign_(std::uint64_t{1} << (size_bytes(dtype) * 8 - 1)), encode_(encode) {
    if (recipe.fills) fill_ = (*recipe.fills)[static_cast<std::size_t>(role)];
    magnitude_ = static_cast<std::uint64_t>(std::max<std::int64_t>(fill_.magnitude, 1));
    binades_ =
        static_cast<std::uint64_t>(std::max(fill_.exponent_high - fill_.exponent_low, 0)) + 1;
    unit_ = __builtin_ldexp(1, fill_.exponent);
  }

  /// Whether the element is drawn at all; the others are +0.
  bool is_drawn(std::uint64_t hash) const { return (hash & 0xFFFF) < fill_.density; }

  std::uint64_t uniform(std::uint64_t hash) const {
    const double unit = static_cast<double>(mixed(hash + golden) >> 11) * 0x1p-53;
    return encode_(recipe_.range_low + (recipe_.range_high - recipe_.range_low) * unit);
  }

  /// A non-zero integer of at most `magnitude`, times 2^exponent.
  std::uint64_t grid_point(std::uint64_t hash) const {
    const std::uint64_t draw = mixed(hash + golden);
    const auto integer =
        static_cast<std::int64_t>((static_cast<unsigned __int128>(draw) * magnitude_) >> 64) + 1;
    const auto signed_integer = static_cast<double>((hash >> 16 & 1U) != 0 ? -integer : integer);
    return encode_(signed_integer * unit_);
  }

  std::uint64_t full_mantissa(std::uint64_t hash) const {
    const auto binade = static_cast<int>((hash >> 16 & 0xFFFFFF) * binades_ >> 24);
    return encode_(real_from(mixed(hash + golden), fill_.exponent_low + binade));
  }

  /// One of three drawn elements is out of the ordinary.
  std::uint64_t special(std::uint64_t hash) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::uint64_t sign_drawn = (hash >> 16 & 1U) * sign_;
    switch (mixed(hash ^ golden) % 18) {
      case 0:
        return encode_(std::numeric_limits<double>::quiet_NaN());
      case 1:
        return encode_(sign_drawn != 0 ? -infinity : infinity);
      case 2:
        return sign_;  // -0, but for HIFLOAT8, whose NaN it is
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
  const DataRecipe& recipe_;
  std::uint64_t sign_;
  Encode encode_;
  TensorFill fill_;
  std::uint64_t magnitude_, binades_;
  double unit_;  ///< normal: planned exponents are those of types narrower than double
};

/// Visits every element of a shape in row-major order as (linear index, hash of the coordinate).
///
/// The coordinate is taken as (n, c, d, h, w); shapes of fewer than 3 or more than 5 axes use their
/// own axes.
template <typename Visit>
void for_each_hash(const std::vector<std::int64_t>& shape, std::uint64_t seed, Visit visit) {
  const std::int64_t count = element_count(shape).value_or(0);
  if (count == 0) return;
  std::vector<std::int64_t> lifted = shape;
  while (lifted.size() >= 3 && lifted.size() < 5) lifted.insert(lifted.begin() + 2, 1);
  if (lifted.empty()) lifted.push_back(1);
  const std::size_t outer = lifted.size() - 1;
  const std::int64_t row = lifted.back();
  std::vector<std::int64_t> at(outer, 0);
  // Of the first so many coordinates: rows in a row share all but the last ones.
  std::vector<std::uint64_t> hashes(outer + 1, mixed(seed));
  std::size_t changed = 0;
  for (std::int64_t index = 0; index < count; index += row) {
    for (std::size_t axis = changed; axis < outer; ++axis) {
      hashes[axis + 1] = chained(hashes[axis], at[axis]);
    }
    const std::uint64_t row_hash = hashes[outer];
    for (std::int64_t last = 0; last < row; ++last) visit(index + last, chained(row_hash, last));
    for (changed = outer; changed-- > 0;) {
      if (++at[changed] < lifted[changed]) break;
      at[changed] = 0;
    }
  }
}

/// Stores `bits(hash)` of every element; `is_drawn(hash)` false: +0, which is there already.
template <typename Element, typename IsDrawn, typename Bits>
void store_drawn(std::span<std::byte> bytes, const std::vector<std::int64_t>& shape,
                 std::uint64_t seed, IsDrawn is_drawn, Bits bits) {
  std::byte* const begin = bytes.data();
  for_each_hash(shape, seed, [&](std::int64_t index, std::uint64_t hash) {
    if (!is_drawn(hash)) return;
    const auto element = static_cast<Element>(bits(hash));
    std::memcpy(begin + static_cast<std::size_t>(index) * sizeof element, &element, sizeof element);
  });
}

/// One tensor of a type that can be encoded, whose elements are unsigned integers of this width.
template <typename Element, typename Encode>
void draw_elements(std::span<std::byte> bytes, const Case& problem, InputRole role,
                   std::uint64_t seed, Encode encode) {
  const auto& described = *tensor(problem, role);
  const auto& recipe = *problem.data;
  const Draw<Encode> draw(recipe, role, described.dtype, encode);
  const auto all = [](std::uint64_t) { return true; };
  const auto drawn = [&](std::uint64_t hash) { return draw.is_drawn(hash); };
  const auto fill = [&](auto is_drawn, auto bits) {
    store_drawn<Element>(bytes, described.shape, seed, is_drawn, bits);
  };
  switch (recipe.distribution) {
    case Distribution::Uniform:
      return fill(all, [&](std::uint64_t hash) { return draw.uniform(hash); });
    case Distribution::ExactGrid:
      return fill(drawn, [&](std::uint64_t hash) { return draw.grid_point(hash); });
    case Distribution::SparseFullMantissa:
    case Distribution::NearOverflow:
    case Distribution::NearUnderflow:
      return fill(drawn, [&](std::uint64_t hash) { return draw.full_mantissa(hash); });
    case Distribution::Specials:
      return fill(drawn, [&](std::uint64_t hash) { return draw.special(hash); });
    case Distribution::Cancellation:
      return fill(all, [&](std::uint64_t hash) { return draw.almost_one(hash); });
    case Distribution::Listed:
      break;
  }
}

void store(std::span<std::byte> bytes, std::size_t element, std::size_t size, std::uint64_t bits) {
  static_assert(std::endian::native == std::endian::little, "elements are stored little-endian");
  std::memcpy(bytes.data() + element * size, &bits, std::min(size, sizeof bits));
}

std::uint64_t load(std::span<const std::byte> bytes, std::size_t element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + element * size, std::min(size, sizeof bits));
  return bits;
}

void store_listed(std::span<std::byte> bytes, const TensorCase& tensor,
                  const std::vector<ListedElement>& elements) {
  const auto strides = row_major_strides(tensor.shape);
  for (const auto& element : elements) {
    if (element.at.size() != tensor.shape.size()) continue;
    std::int64_t index = 0;
    bool inside = true;
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      inside = inside && element.at[axis] >= 0 && element.at[axis] < tensor.shape[axis];
      index += inside ? element.at[axis] * strides[axis] : 0;
    }
    if (inside) {
      store(bytes, static_cast<std::size_t>(index), size_bytes(tensor.dtype), element.bits);
    }
  }
}

std::vector<std::int64_t> coordinate_of(std::int64_t index,
                                        const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return at;
}

}  // namespace

std::vector<std::byte> element_values(const Case& problem, InputRole role) {
  const auto& described = *tensor(problem, role);
  const auto& recipe = *problem.data;
  const std::size_t size = size_bytes(described.dtype);
  const auto count = static_cast<std::size_t>(element_count(described.shape).value_or(0));
  std::vector<std::byte> bytes(count * size);
  if (recipe.distribution == Distribution::Listed) {
    store_listed(bytes, described, recipe.listed[static_cast<std::size_t>(role)]);
    return bytes;
  }
  const std::uint64_t seed = chained(recipe.seed, static_cast<std::int64_t>(role));
  switch (described.dtype) {
    case DataType::Float:
      draw_elements<std::uint32_t>(bytes, problem, role, seed, InterchangeEncoder<float_format>{});
      break;
    case DataType::Float16:
      draw_elements<std::uint16_t>(bytes, problem, role, seed,
                                   InterchangeEncoder<float16_format>{});
      break;
    case DataType::BFloat16:
      draw_elements<std::uint16_t>(bytes, problem, role, seed,
                                   InterchangeEncoder<bfloat16_format>{});
      break;
    case DataType::HiFloat8:
    case DataType::Float8E4M3FN:
      draw_elements<std::uint8_t>(
          bytes, problem, role, seed,
          [&table = EightBitEncoder::of(described.dtype)](double value) { return table(value); });
      break;
    default:
      for_each_hash(described.shape, seed, [&](std::int64_t index, std::uint64_t hash) {
        store(bytes, static_cast<std::size_t>(index), size, mixed(hash));
      });
  }
  return bytes;
}

std::uint64_t non_zero_count(const Case& problem) {
  std::uint64_t count = 0;
  if (!problem.data) return count;
  for (const InputRole role : input_roles) {
    if (!tensor(problem, role)) continue;
    const auto bytes = element_values(problem, role);
    const DataType dtype = tensor(problem, role)->dtype;
    const std::size_t size = size_bytes(dtype);
    const std::uint64_t sign = std::uint64_t{1} << (std::min<std::size_t>(size, 8) * 8 - 1);
    for (std::size_t element = 0; element < bytes.size() / size; ++element) {
      const std::uint64_t bits = load(bytes, element, size);
      const bool is_negative_zero = bits == sign && dtype != DataType::HiFloat8;  // there: NaN
      count += bits != 0 && !is_negative_zero ? 1 : 0;
    }
  }
  return count;
}

DataRecipe as_listed(const Case& problem) {
  DataRecipe listed;
  listed.distribution = Distribution::Listed;
  if (!problem.data) return listed;
  listed.seed = problem.data->seed;
  for (const InputRole role : input_roles) {
    if (!tensor(problem, role)) continue;
    const auto& described = *tensor(problem, role);
    const auto bytes = element_values(problem, role);
    const std::size_t size = size_bytes(described.dtype);
    for (std::size_t element = 0; element < bytes.size() / size; ++element) {
      const std::uint64_t bits = load(bytes, element, size);
      if (bits == 0) continue;
      listed.listed[static_cast<std::size_t>(role)].push_back(
          {coordinate_of(static_cast<std::int64_t>(element), described.shape), bits});
    }
  }
  return listed;
}

}  // namespace gradproof::corpus
