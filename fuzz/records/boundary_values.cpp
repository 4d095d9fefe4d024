#include "fuzz/records/boundary_values.h"

#include <array>
#include <limits>

namespace gradproof::fuzz {
namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();

/// Zero and its neighbours; fractals of 8, 16 and 32 elements; the ends of the ranges of strides
/// (63), of kernels, paddings and dilations (255), of groups (65535) and of depths (1'000'000);
/// sizes whose products and sums leave 32 and 64 bits.
constexpr std::array<std::int64_t, 44> values{0,
                                              1,
                                              2,
                                              3,
                                              4,
                                              5,
                                              6,
                                              7,
                                              8,
                                              15,
                                              16,
                                              17,
                                              31,
                                              32,
                                              33,
                                              62,
                                              63,
                                              64,
                                              65,
                                              127,
                                              128,
                                              254,
                                              255,
                                              256,
                                              257,
                                              511,
                                              512,
                                              65534,
                                              65535,
                                              65536,
                                              999'999,
                                              1'000'000,
                                              1'000'001,
                                              int32_max,
                                              int32_max + 1,
                                              std::int64_t{1} << 32,
                                              std::int64_t{3'037'000'500},  // squared: beyond int64
                                              std::int64_t{1} << 40,
                                              int64_max / 2,
                                              int64_max - 1,
                                              int64_max,
                                              -1,
                                              int32_min,
                                              int64_min};

constexpr std::array<std::int64_t, 9> sizes{-1, 0, 1, 2, 3, 4, 5, 6, 8};
constexpr std::array<std::int64_t, 10> modes{0, 1, 2, 3, 4, 5, -1, -2, 127, -128};
constexpr std::array<std::int64_t, 18> places{0, 1,  2,  3,  4,  5,  6,  7,  8,
                                              9, 10, 11, 12, 13, 14, 15, 16, 17};
constexpr std::array<std::int64_t, 2> truth{0, 1};

}  // namespace

std::span<const std::int64_t> boundary_values() { return values; }

std::span<const std::int64_t> boundary_values(FieldKind kind) {
  switch (kind) {
    case FieldKind::Rank:
    case FieldKind::HasStrides:
    case FieldKind::StorageRank:
    case FieldKind::ArraySize:
    case FieldKind::MaskSize:
      return sizes;
    case FieldKind::ElementType:
    case FieldKind::TensorFormat:
      return places;
    case FieldKind::MaskElement:
      return truth;
    case FieldKind::CubeMathType:
      return modes;
    default:
      return values;
  }
}

}  // namespace gradproof::fuzz
