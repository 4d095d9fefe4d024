#include "corpus/element_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "corpus/element_draw.h"
#include "corpus/element_encoder.h"
#include "corpus/element_hash.h"
#include "corpus/shared_places.h"

namespace gradproof::corpus {
namespace {

/// Stores `bits(hash)` of every element; `is_drawn(hash)` false: +0, which is there already.
template <typename Element, typename IsDrawn, typename Bits>
void store_drawn(std::span<std::byte> bytes, const std::vector<std::int64_t>& shape,
                 std::uint64_t seed, IsDrawn is_drawn, Bits bits) {
  std::byte* const begin = bytes.data();
  for_each_hash(shape, seed, [&](std::int64_t index, std::uint64_t hash) {
    if (!is_drawn(hash)) return;
    const auto element = static_cast<Element>(bits(hash));
    std::memcpy(begin + to_size(index) * sizeof element, &element, sizeof element);
  });
}

/// Draws one tensor of an encodable type, whose elements are unsigned integers of this width.
template <typename Element, typename Encode>
void draw_elements(std::span<std::byte> bytes, const Case& test_case, InputRole role,
                   std::uint64_t seed, Encode encode) {
  const auto& described = *tensor(test_case, role);
  const auto& recipe = *test_case.data;
  const Draw<Encode> draw(DrawLimits(recipe, role), described.dtype, encode);
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
      store(bytes, to_size(index), size_bytes(tensor.dtype), element.bits);
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

std::uint64_t seed_of(const Case& test_case, InputRole role) {
  return chained(test_case.data->seed, static_cast<std::int64_t>(role));
}

/// Draws every element for itself, as if none shared its place.
void draw_tensor(std::vector<std::byte>& bytes, const Case& test_case, InputRole role,
                 Lanes lanes) {
  const auto& described = *tensor(test_case, role);
  const std::uint64_t seed = seed_of(test_case, role);
  if (draw_in_lanes(bytes, test_case, role, seed, lanes)) return;
  switch (described.dtype) {
    case DataType::Float:
      draw_elements<std::uint32_t>(bytes, test_case, role, seed,
                                   InterchangeEncoder<float_format>{});
      break;
    case DataType::Float16:
      draw_elements<std::uint16_t>(bytes, test_case, role, seed,
                                   InterchangeEncoder<float16_format>{});
      break;
    case DataType::BFloat16:
      draw_elements<std::uint16_t>(bytes, test_case, role, seed,
                                   InterchangeEncoder<bfloat16_format>{});
      break;
    case DataType::Double:
      draw_elements<std::uint64_t>(bytes, test_case, role, seed, DoubleEncoder{});
      break;
    default:
      if (is_8_bit_float(described.dtype)) {
        return draw_elements<std::uint8_t>(
            bytes, test_case, role, seed,
            [&table = EightBitEncoder::of(described.dtype)](double value) { return table(value); });
      }
      for_each_hash(described.shape, seed, [&](std::int64_t index, std::uint64_t hash) {
        store(bytes, to_size(index), size_bytes(described.dtype), mixed(hash));
      });
  }
}

}  // namespace

std::vector<std::byte> element_values(const Case& test_case, InputRole role) {
  return element_values(test_case, role, widest_lanes());
}

std::vector<std::byte> element_values(const Case& test_case, InputRole role, Lanes lanes) {
  const auto& described = *tensor(test_case, role);
  const auto count = to_size(element_count(described.shape).value_or(0));
  std::vector<std::byte> bytes(count * size_bytes(described.dtype));
  const bool is_listed = test_case.data->distribution == Distribution::Listed;
  if (is_listed) {
    store_listed(bytes, described, test_case.data->listed[role]);
  } else {
    draw_tensor(bytes, test_case, role, lanes);
  }
  settle_shared_places(bytes, described, is_listed ? PlaceValue::Only : PlaceValue::First);
  return bytes;
}

bool draw_entries(std::span<std::byte> bytes, const Case& test_case, InputRole role,
                  Entries entries) {
  const auto& described = *tensor(test_case, role);
  if (may_share_places(described)) return false;
  return draw_in_lanes(bytes, test_case, role, seed_of(test_case, role), widest_lanes(), entries);
}

std::uint64_t non_zero_count(const Case& test_case) {
  std::uint64_t count = 0;
  if (!test_case.data) return count;
  for (const InputRole role : input_roles) {
    if (!tensor(test_case, role)) continue;
    const auto bytes = element_values(test_case, role);
    const DataType dtype = tensor(test_case, role)->dtype;
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

DataRecipe as_listed(const Case& test_case) {
  DataRecipe listed;
  listed.distribution = Distribution::Listed;
  if (!test_case.data) return listed;
  listed.seed = test_case.data->seed;
  for (const InputRole role : input_roles) {
    if (!tensor(test_case, role)) continue;
    const auto& described = *tensor(test_case, role);
    const auto bytes = element_values(test_case, role);
    const std::size_t size = size_bytes(described.dtype);
    for (std::size_t element = 0; element < bytes.size() / size; ++element) {
      const std::uint64_t bits = load(bytes, element, size);
      if (bits == 0) continue;
      listed.listed[role].push_back(
          {coordinate_of(static_cast<std::int64_t>(element), described.shape), bits});
    }
  }
  return listed;
}

}  // namespace gradproof::corpus
