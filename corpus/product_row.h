#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "corpus/product.h"

namespace gradproof::corpus {

/// Products that the documents treat alike.
enum class Generation : std::uint8_t {
  None,      ///< no convolution backward at all
  First,     ///< 1D and 2D, no BFLOAT16, no empty tensors
  Second,    ///< 3D and BFLOAT16 too; graph operators, tiling classes and kernels in Ascend C
  EightBit,  ///< the same and 8-bit floats, but no tiling classes and no such kernels
};

/// Properties of a product by itself.
struct ProductRow {
  Product product;
  std::string_view name;  ///< of the family, in case files
  Generation generation;
  std::int64_t weight;       ///< of 100 generated calls so many; 0 without the operator
  std::string_view device;   ///< that the simulated machine has
  std::string_view devices;  ///< all names; a part before * stands for all that begin so
  std::string_view boards;   ///< series and boards, in plain spelling
};

// The products that most users have first. Devices are looked up whole where there is no *: a
// prefix would put the original "Ascend910B" (a part of the Ascend910 generation) with the later
// Ascend910B1 to B4. The Ascend950 parts are many, new ones appear, and no older chip's name begins
// like theirs. Series of products are assigned to chips as on the operator's page; which boards a
// series has, as CANN's installation guide groups them.
inline constexpr std::array product_rows{
    ProductRow{.product = Product::Ascend910B,
               .name = "Ascend910B",
               .generation = Generation::Second,
               .weight = 45,
               .device = "Ascend910B1",
               .devices = "Ascend910B1 Ascend910B2 Ascend910B2C Ascend910B3 Ascend910B4 "
                          "Ascend910B4-1",
               .boards = "atlas_a2 atlas_a2_training atlas_a2_inference atlas_800t_a2 "
                         "atlas_800i_a2 atlas_900_a2_pod atlas_200t_a2_box16 a200i_a2_box"},
    ProductRow{.product = Product::Ascend910_93,
               .name = "Ascend910_93",
               .generation = Generation::Second,
               .weight = 12,
               .device = "Ascend910_9391",
               .devices = "Ascend910_9362 Ascend910_9363 Ascend910_9372 Ascend910_9381 "
                          "Ascend910_9382 Ascend910_9391 Ascend910_9392",
               .boards = "atlas_a3 atlas_a3_training atlas_a3_inference"},
    ProductRow{.product = Product::Ascend950,
               .name = "Ascend950",
               .generation = Generation::EightBit,
               .weight = 25,
               .device = "Ascend950PR_9589",
               .devices = "Ascend950PR_* Ascend950DT_*",
               .boards = ""},
    ProductRow{.product = Product::Ascend310P,
               .name = "Ascend310P",
               .generation = Generation::First,
               .weight = 9,
               .device = "Ascend310P3",
               .devices = "Ascend310P1 Ascend310P3 Ascend310P5 Ascend310P7",
               .boards = "atlas_inference atlas_300i_pro atlas_300i_duo atlas_300v "
                         "atlas_300v_pro"},
    ProductRow{.product = Product::Ascend910,
               .name = "Ascend910",
               .generation = Generation::First,
               .weight = 9,
               .device = "Ascend910A",
               .devices = "Ascend910A Ascend910ProA Ascend910PremiumA Ascend910B Ascend910ProB",
               .boards = "atlas_training atlas_300t atlas_300t_pro atlas_800_9000 atlas_800_9010"},
    ProductRow{.product = Product::Ascend310,
               .name = "Ascend310",
               .generation = Generation::None,
               .weight = 0,
               .device = "Ascend310",
               .devices = "Ascend310",
               .boards = "atlas_200_300_500"},
    ProductRow{.product = Product::Ascend310B,
               .name = "Ascend310B",
               .generation = Generation::None,
               .weight = 0,
               .device = "Ascend310B1",
               .devices = "Ascend310B1 Ascend310B2 Ascend310B3 Ascend310B4",
               .boards = "atlas_200i_500_a2 atlas_200i_a2 atlas_500_a2"},
};

/// True if `holds` accepts one of the blank-separated words of a list.
template <typename Holds>
constexpr bool any_word(std::string_view list, Holds&& holds) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (holds(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

constexpr bool has_convolution(const ProductRow& row) { return row.generation != Generation::None; }
constexpr bool has_graph_operators(const ProductRow& row) {
  return row.generation == Generation::Second || row.generation == Generation::EightBit;
}
/// True for products with tiling classes, and kernels that call Ascend C's gradients.
constexpr bool has_ascend_c_gradients(const ProductRow& row) {
  return row.generation == Generation::Second;
}

/// The products that `holds` of their rows, in the order of the enumeration.
template <auto holds>
consteval auto products_where() {
  std::array<Product, static_cast<std::size_t>(std::ranges::count_if(product_rows, holds))> found{};
  std::size_t place = 0;
  for (const ProductRow& row : product_rows) {
    if (holds(row)) found.at(place++) = row.product;
  }
  std::ranges::sort(found);
  return found;
}

constexpr const ProductRow& row_of(Product product) {
  return *std::ranges::find(product_rows, product, &ProductRow::product);
}

}  // namespace gradproof::corpus
