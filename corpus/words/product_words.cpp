#include <algorithm>
#include <iterator>

#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {
namespace {

struct BoardRow {
  std::string_view name;  ///< in plain spelling
  Product product;
};

// Series of products as the operator's page assigns them to chips; which boards a series has, as
// CANN's installation guide groups them.
constexpr BoardRow boards[] = {
    {"atlas_200_300_500", Product::Ascend310},
    {"atlas_200i_500_a2", Product::Ascend310B},
    {"atlas_200i_a2", Product::Ascend310B},
    {"atlas_500_a2", Product::Ascend310B},
    {"atlas_inference", Product::Ascend310P},
    {"atlas_300i_pro", Product::Ascend310P},
    {"atlas_300i_duo", Product::Ascend310P},
    {"atlas_300v", Product::Ascend310P},
    {"atlas_300v_pro", Product::Ascend310P},
    {"atlas_training", Product::Ascend910},
    {"atlas_300t", Product::Ascend910},
    {"atlas_300t_pro", Product::Ascend910},
    {"atlas_a2", Product::Ascend910B},
    {"atlas_a2_training", Product::Ascend910B},
    {"atlas_a2_inference", Product::Ascend910B},
    {"atlas_800t_a2", Product::Ascend910B},
    {"atlas_800i_a2", Product::Ascend910B},
    {"atlas_900_a2_pod", Product::Ascend910B},
    {"atlas_200t_a2_box16", Product::Ascend910B},
    {"a200i_a2_box", Product::Ascend910B},
    {"atlas_a3", Product::Ascend910_93},
    {"atlas_a3_training", Product::Ascend910_93},
    {"atlas_a3_inference", Product::Ascend910_93},
};

/// Without what marketing adds: "Atlas A2 Training Series Products", "Atlas 200/300/500 ...".
std::string board_name(std::string plain) {
  std::ranges::replace(plain, '/', '_');
  for (const std::string_view added : {"_products", "_product", "_series", "_server", "_card"}) {
    if (plain.ends_with(added)) plain.resize(plain.size() - added.size());
  }
  return plain;
}

/// As far as the case of letters and the separators go: "Ascend910ProB" is found as
/// "ascend910prob".
std::optional<Product> product_or_device(std::string_view plain) {
  for (const Product product : products()) {
    if (plain_spelling(name_of(product)) == plain) return product;
  }
  for (const std::string_view device : device_names()) {
    if (plain_spelling(device) == plain) return product_of_device(device);
  }
  const bool is_950 = plain.starts_with("ascend950pr_") || plain.starts_with("ascend950dt_");
  return is_950 ? std::optional(Product::Ascend950) : std::nullopt;
}

}  // namespace

Meaning<Product> product_from_words(std::string_view words) {
  if (const auto named = product_named(words)) return *named;
  const std::string plain = plain_spelling(words);
  const std::string_view chip = without_prefix(plain, {"ascend_", "ascend"});
  if (const auto found = product_or_device("ascend" + std::string(chip))) return *found;
  const auto* board = std::ranges::find(boards, board_name(plain), &BoardRow::name);
  if (board != std::end(boards)) return board->product;
  std::vector<std::string> allowed;
  for (const Product product : products()) allowed.emplace_back(name_of(product));
  return tl::unexpected(
      unknown_word(words, "product", allowed) +
      "; or a device's name such as Ascend910B3, or a board's such as Atlas 800T A2");
}

}  // namespace gradproof::corpus
