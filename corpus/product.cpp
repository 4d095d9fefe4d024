#include "corpus/product.h"

#include <algorithm>

#include "corpus/product_row.h"

namespace gradproof::corpus {

std::vector<Product> products() {
  std::vector<Product> all;
  all.reserve(product_rows.size());
  for (const ProductRow& row : product_rows) all.push_back(row.product);
  std::ranges::sort(all);
  return all;
}

std::string_view name_of(Product product) { return row_of(product).name; }

std::optional<Product> product_named(std::string_view name) {
  const auto* row = std::ranges::find(product_rows, name, &ProductRow::name);
  if (row == product_rows.end()) return std::nullopt;
  return row->product;
}

namespace {

bool stands_for(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

}  // namespace

std::optional<Product> product_of_device(std::string_view soc_name) {
  for (const ProductRow& row : product_rows) {
    const auto is_it = [&](std::string_view device) { return stands_for(device, soc_name); };
    if (any_word(row.devices, is_it)) return row.product;
  }
  return std::nullopt;
}

}  // namespace gradproof::corpus
