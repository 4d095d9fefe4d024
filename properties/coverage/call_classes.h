#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "corpus/case.h"

namespace gradproof::properties {

/// What the calls are sorted by; a call falls into exactly one class of each dimension.
enum class Dimension : std::uint8_t {
  DataType,
  Rank,
  Direction,
  Groups,
  Stride,
  Dilation,
  Padding,
  Mask,
  CubeMathType,
  Product,
  Layout,
};
inline constexpr std::size_t dimension_count = 11;

/// One of the kinds of calls of a dimension, e.g. `transposed`.
struct CallClass {
  Dimension dimension;
  std::string_view name;  ///< unique among all classes
};

/// All classes; a class is named by its index here. Classes of one dimension stand together.
inline constexpr std::array call_classes{
    CallClass{Dimension::DataType, "FLOAT"},
    CallClass{Dimension::DataType, "FLOAT16"},
    CallClass{Dimension::DataType, "BF16"},
    CallClass{Dimension::DataType, "HIFLOAT8"},
    CallClass{Dimension::DataType, "FLOAT8_E4M3FN"},
    CallClass{Dimension::DataType, "mixed"},
    CallClass{Dimension::Rank, "rank=3"},
    CallClass{Dimension::Rank, "rank=4"},
    CallClass{Dimension::Rank, "rank=5"},
    CallClass{Dimension::Direction, "normal"},
    CallClass{Dimension::Direction, "transposed"},
    CallClass{Dimension::Groups, "groups=1"},
    CallClass{Dimension::Groups, "depthwise"},
    CallClass{Dimension::Groups, "groups>1"},
    CallClass{Dimension::Stride, "stride=1"},
    CallClass{Dimension::Stride, "stride>1"},
    CallClass{Dimension::Dilation, "dilation=1"},
    CallClass{Dimension::Dilation, "dilation>1"},
    CallClass{Dimension::Padding, "padding=0"},
    CallClass{Dimension::Padding, "symmetric"},
    CallClass{Dimension::Padding, "asymmetric"},
    CallClass{Dimension::Mask, "mask=000"},
    CallClass{Dimension::Mask, "mask=001"},
    CallClass{Dimension::Mask, "mask=010"},
    CallClass{Dimension::Mask, "mask=011"},
    CallClass{Dimension::Mask, "mask=100"},
    CallClass{Dimension::Mask, "mask=101"},
    CallClass{Dimension::Mask, "mask=110"},
    CallClass{Dimension::Mask, "mask=111"},
    CallClass{Dimension::CubeMathType, "cube=0"},
    CallClass{Dimension::CubeMathType, "cube=1"},
    CallClass{Dimension::CubeMathType, "cube=2"},
    CallClass{Dimension::CubeMathType, "cube=3"},
    CallClass{Dimension::Product, "Ascend310P"},
    CallClass{Dimension::Product, "Ascend910"},
    CallClass{Dimension::Product, "Ascend910B"},
    CallClass{Dimension::Product, "Ascend910_93"},
    CallClass{Dimension::Product, "Ascend950"},
    CallClass{Dimension::Layout, "contiguous"},
    CallClass{Dimension::Layout, "strided"},
};

/// One class per dimension, by Dimension.
using Classes = std::array<std::uint8_t, dimension_count>;

/// The classes of a call. Stride and dilation count as above 1 only on an axis where they move
/// anything: more than one position, more than one tap. nullopt for a call that lies outside some
/// dimension (a null argument, a rank of 6, an unsupported product): no legal one does.
std::optional<Classes> classes_of(const corpus::Case& problem);

}  // namespace gradproof::properties
