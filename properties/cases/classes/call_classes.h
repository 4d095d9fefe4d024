#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "corpus/case.h"
#include "corpus/data_type_row.h"
#include "corpus/product_row.h"

namespace gradproof::cases {

/// Dimensions by which calls are sorted; a call falls into exactly one class of each dimension.
enum class Dimension : std::uint8_t {
  DataType,
  Rank,
  Direction,
  Kernel,
  Groups,
  Channels,
  Stride,
  Dilation,
  Padding,
  Mask,
  CubeMathType,
  Product,
  Layout,
};
inline constexpr std::size_t dimension_count = 13;

/// One of the kinds of calls of a dimension, e.g. `transposed`.
struct CallClass {
  Dimension dimension;
  std::string_view name;  ///< unique among all classes
};

/// Parts of `call_classes`: those of dtypes and products come from their rows.
inline constexpr std::array classes_before_products{
    CallClass{Dimension::DataType, "mixed"},
    CallClass{Dimension::Rank, "rank=3"},
    CallClass{Dimension::Rank, "rank=4"},
    CallClass{Dimension::Rank, "rank=5"},
    CallClass{Dimension::Direction, "normal"},
    CallClass{Dimension::Direction, "transposed"},
    CallClass{Dimension::Kernel, "kernel=1"},
    CallClass{Dimension::Kernel, "kernel=3"},
    CallClass{Dimension::Kernel, "kernel=n"},  // another length, the same on all axes
    CallClass{Dimension::Kernel, "kernel=mixed"},
    CallClass{Dimension::Groups, "groups=1"},
    CallClass{Dimension::Groups, "depthwise"},
    CallClass{Dimension::Groups, "groups>1"},
    // Of the channels of input and gradOutput together: both, one or none are multiples.
    CallClass{Dimension::Channels, "channels=16n"},
    CallClass{Dimension::Channels, "channels=8n"},
    CallClass{Dimension::Channels, "channels=8n+r|8n"},
    CallClass{Dimension::Channels, "channels=8n+r"},
    CallClass{Dimension::Stride, "stride=1"},
    CallClass{Dimension::Stride, "stride=2"},
    CallClass{Dimension::Stride, "stride>2"},
    CallClass{Dimension::Dilation, "dilation=1"},
    CallClass{Dimension::Dilation, "dilation>1"},
    CallClass{Dimension::Padding, "padding=0"},
    CallClass{Dimension::Padding, "padding=same"},  // half of what the dilated kernel reaches over
    CallClass{Dimension::Padding, "padding=full"},  // all of it
    CallClass{Dimension::Padding, "padding=other"},
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
};

inline constexpr std::array layout_classes{
    CallClass{Dimension::Layout, "contiguous"},
    CallClass{Dimension::Layout, "strided"},
};

template <std::size_t... counts>
consteval auto joined(const std::array<CallClass, counts>&... parts) {
  std::array<CallClass, (counts + ...)> all{};
  auto place = all.begin();
  ((place = std::ranges::copy(parts, place).out), ...);
  return all;
}

/// A class for each member of a table of corpus/.
template <typename Member, std::size_t count>
consteval auto classes_of(Dimension dimension, const std::array<Member, count>& members) {
  std::array<CallClass, count> classes{};
  for (std::size_t i = 0; i < count; ++i) {
    classes.at(i) = {dimension, corpus::row_of(members.at(i)).name};
  }
  return classes;
}

/// All classes; a class is named by its index here. Classes of one dimension stand together.
inline constexpr std::array call_classes =
    joined(classes_of(Dimension::DataType, corpus::convolution_types), classes_before_products,
           classes_of(Dimension::Product, corpus::products_where<corpus::has_convolution>()),
           layout_classes);

/// One class per dimension, by Dimension.
using Classes = std::array<std::uint8_t, dimension_count>;

/// The first class of a dimension.
constexpr std::size_t first_class(Dimension dimension) {
  std::size_t index = 0;
  while (call_classes.at(index).dimension != dimension) ++index;
  return index;
}

/// Place of a class among those of its dimension, from 0 on.
constexpr std::size_t place_in_dimension(std::size_t index) {
  return index - first_class(call_classes.at(index).dimension);
}

/// The classes of a call. Stride and dilation count as above 1 only on an axis where they move
/// anything: more than one position, more than one tap; the greatest counts. nullopt for a call
/// that lies outside some dimension (a null argument, a rank of 6, an unsupported product): no
/// legal one does.
std::optional<Classes> classes_of(const corpus::Case& test_case);

}  // namespace gradproof::cases
