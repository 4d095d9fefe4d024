#include "corpus/element_values.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstring>
#include <limits>
#include <span>

#include "corpus/element_encoding.h"

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
class Draw {
 public:
  Draw(const DataRecipe& recipe, InputRole role, DataType dtype) : recipe_(recipe), dtype_(dtype) {
    if (recipe.fills) fill_ = (*recipe.fills)[static_cast<std::size_t>(role)];
  }

  std::uint64_t bits(std::uint64_t hash) const {
    if (!is_encodable(dtype_)) return mixed(hash);
    switch (recipe_.distribution) {
      case Distribution::Uniform:
        return encoded(uniform(hash));
      case Distribution::ExactGrid:
        return is_drawn(hash) ? encoded(grid_point(hash)) : 0;
      case Distribution::SparseFullMantissa:
      case Distribution::NearOverflow:
      case Distribution::NearUnderflow:
        return is_drawn(hash) ? encoded(full_mantissa(hash)) : 0;
      case Distribution::Specials:
        return is_drawn(hash) ? special(hash) : 0;
      case Distribution::Cancellation:
        return encoded(almost_one(hash));
      case Distribution::Listed:
        break;
    }
    return 0;
  }

 private:
  std::uint64_t encoded(double value) const { return *encode_towards_zero(dtype_, value); }

  bool is_drawn(std::uint64_t hash) const { return (hash & 0xFFFF) < fill_.density; }

  double uniform(std::uint64_t hash) const {
    const double unit = static_cast<double>(mixed(hash + golden) >> 11) * 0x1p-53;
    return recipe_.range_low + (recipe_.range_high - recipe_.range_low) * unit;
  }

  /// A non-zero integer of at most `magnitude`, times 2^exponent.
  double grid_point(std::uint64_t hash) const {
    const std::uint64_t draw = mixed(hash + golden);
    const auto magnitude = static_cast<std::uint64_t>(std::max<std::int64_t>(fill_.magnitude, 1));
    const auto integer =
        static_cast<std::int64_t>((static_cast<unsigned __int128>(draw) * magnitude) >> 64) + 1;
    const bool negative = (hash >> 16 & 1U) != 0;
    return __builtin_ldexp(static_cast<double>(negative ? -integer : integer), fill_.exponent);
  }

  double full_mantissa(std::uint64_t hash) const {
    const auto binades =
        static_cast<std::uint64_t>(std::max(fill_.exponent_high - fill_.exponent_low, 0) + 1);
    const auto binade = static_cast<int>((hash >> 16 & 0xFFFFFF) * binades >> 24);
    return real_from(mixed(hash + golden), fill_.exponent_low + binade);
  }

  /// One of three drawn elements is out of the ordinary.
  std::uint64_t special(std::uint64_t hash) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::uint64_t sign = std::uint64_t{1} << (size_bytes(dtype_) * 8 - 1);
    const std::uint64_t sign_drawn = (hash >> 16 & 1U) * sign;
    switch (mixed(hash ^ golden) % 18) {
      case 0:
        return encoded(std::numeric_limits<double>::quiet_NaN());
      case 1:
        return encoded(sign_drawn != 0 ? -infinity : infinity);
      case 2:
        return sign;  // -0, but for HIFLOAT8, whose NaN it is
      case 3:
        return encoded(sign_drawn != 0 ? -DBL_MAX : DBL_MAX);  // the dtype's largest
      case 4:
        return sign_drawn | 1U;  // the smallest
      case 5:
        return encoded(sign_drawn != 0 ? -1.0 : 1.0);
      default:
        return encoded(full_mantissa(hash));
    }
  }

  static double almost_one(std::uint64_t hash) {
    const std::uint64_t draw = mixed(hash + golden);
    const double above = 1 + static_cast<double>(draw >> 11) * 0x1p-59;
    return (hash >> 16 & 1U) != 0 ? -above : above;
  }

  const DataRecipe& recipe_;
  DataType dtype_;
  TensorFill fill_;
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
  std::vector<std::int64_t> at(lifted.size(), 0);
  const std::int64_t row = lifted.back();
  for (std::int64_t index = 0; index < count; index += row) {
    std::uint64_t row_hash = mixed(seed);
    for (std::size_t axis = 0; axis + 1 < at.size(); ++axis) {
      row_hash = chained(row_hash, at[axis]);
    }
    for (std::int64_t last = 0; last < row; ++last) visit(index + last, chained(row_hash, last));
    for (std::size_t axis = at.size() - 1; axis-- > 0;) {
      if (++at[axis] < lifted[axis]) break;
      at[axis] = 0;
    }
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
  const Draw draw(recipe, role, described.dtype);
  const std::uint64_t tensor_seed = chained(recipe.seed, static_cast<std::int64_t>(role));
  for_each_hash(described.shape, tensor_seed, [&](std::int64_t index, std::uint64_t hash) {
    store(bytes, static_cast<std::size_t>(index), size, draw.bits(hash));
  });
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
