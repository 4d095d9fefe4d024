#include "corpus/product.h"

#include <algorithm>
#include <iterator>

namespace gradproof::corpus {
namespace {

struct ProductRow {
  Product product;
  std::string_view name;
};

constexpr ProductRow product_rows[] = {
    {Product::Ascend310, "Ascend310"},   {Product::Ascend310B, "Ascend310B"},
    {Product::Ascend310P, "Ascend310P"}, {Product::Ascend910, "Ascend910"},
    {Product::Ascend910B, "Ascend910B"}, {Product::Ascend910_93, "Ascend910_93"},
    {Product::Ascend950, "Ascend950"},
};

// Device names are looked up whole: a prefix would put the original "Ascend910B" (a part of the
// Ascend910 generation) with the later Ascend910B1 to B4.
constexpr ProductRow devices[] = {
    {Product::Ascend310, "Ascend310"},         {Product::Ascend310B, "Ascend310B1"},
    {Product::Ascend310B, "Ascend310B2"},      {Product::Ascend310B, "Ascend310B3"},
    {Product::Ascend310B, "Ascend310B4"},      {Product::Ascend310P, "Ascend310P1"},
    {Product::Ascend310P, "Ascend310P3"},      {Product::Ascend310P, "Ascend310P5"},
    {Product::Ascend310P, "Ascend310P7"},      {Product::Ascend910, "Ascend910A"},
    {Product::Ascend910, "Ascend910ProA"},     {Product::Ascend910, "Ascend910PremiumA"},
    {Product::Ascend910, "Ascend910B"},        {Product::Ascend910, "Ascend910ProB"},
    {Product::Ascend910B, "Ascend910B1"},      {Product::Ascend910B, "Ascend910B2"},
    {Product::Ascend910B, "Ascend910B2C"},     {Product::Ascend910B, "Ascend910B3"},
    {Product::Ascend910B, "Ascend910B4"},      {Product::Ascend910B, "Ascend910B4-1"},
    {Product::Ascend910_93, "Ascend910_9362"}, {Product::Ascend910_93, "Ascend910_9363"},
    {Product::Ascend910_93, "Ascend910_9372"}, {Product::Ascend910_93, "Ascend910_9381"},
    {Product::Ascend910_93, "Ascend910_9382"}, {Product::Ascend910_93, "Ascend910_9391"},
    {Product::Ascend910_93, "Ascend910_9392"},
};

}  // namespace

std::vector<Product> products() {
  std::vector<Product> all;
  for (const ProductRow& row : product_rows) all.push_back(row.product);
  return all;
}

std::vector<std::string_view> device_names() {
  std::vector<std::string_view> names;
  for (const ProductRow& row : devices) names.push_back(row.name);
  return names;
}

std::string_view name_of(Product product) {
  const auto* row = std::ranges::find(product_rows, product, &ProductRow::product);
  return row == std::end(product_rows) ? std::string_view{} : row->name;
}

std::optional<Product> product_named(std::string_view name) {
  const auto* row = std::ranges::find(product_rows, name, &ProductRow::name);
  if (row == std::end(product_rows)) return std::nullopt;
  return row->product;
}

std::optional<Product> product_of_device(std::string_view soc_name) {
  // The 950 family alone is told by its prefix: its parts are many, new ones appear, and no older
  // chip's name begins like theirs.
  if (soc_name.starts_with("Ascend950PR_") || soc_name.starts_with("Ascend950DT_")) {
    return Product::Ascend950;
  }
  const auto* row = std::ranges::find(devices, soc_name, &ProductRow::name);
  if (row == std::end(devices)) return std::nullopt;
  return row->product;
}

}  // namespace gradproof::corpus
