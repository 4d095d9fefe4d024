#include <algorithm>

#include "corpus/product_row.h"
#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {
namespace {

/// Returns the name without what marketing adds: "Atlas A2 Training Series Products", "Atlas
/// 200/300/500 ...", or in Chinese "Atlas A2 训练系列产品", "Atlas 800T A2 训练服务器".
std::string board_name(std::string plain) {
  std::ranges::replace(plain, '/', '_');
  for (const std::string_view added : {"_products", "_product", "_series", "_server", "_card",
                                       "产品", "系列", "服务器", "加速卡"}) {
    if (plain.ends_with(added)) plain.resize(plain.size() - added.size());
  }
  return plain;
}

std::optional<Product> product_of_board(std::string_view board) {
  for (const ProductRow& row : product_rows) {
    if (any_word(row.boards, [&](std::string_view known) { return known == board; })) {
      return row.product;
    }
  }
  return std::nullopt;
}

/// A series' purpose is part of some boards' names: "Atlas 推理" is "atlas_inference".
std::optional<Product> product_of_use(std::string_view board) {
  struct Use {
    std::string_view chinese, english;
  };
  for (const Use use : {Use{"训练", "training"}, Use{"推理", "inference"}}) {
    if (!board.ends_with(use.chinese)) continue;
    std::string series(board.substr(0, board.size() - use.chinese.size()));
    if (series.ends_with('_')) series.pop_back();
    const auto found = product_of_board(series + "_" + std::string(use.english));
    return found ? found : product_of_board(series);
  }
  return std::nullopt;
}

/// Finds the product; the case of letters and the separators do not matter: "Ascend910ProB" is
/// found as "ascend910prob".
std::optional<Product> product_or_device(std::string_view plain) {
  const auto is_it = [&](std::string_view device) {
    const bool is_family = device.ends_with('*');
    const std::string known = plain_spelling(device.substr(0, device.size() - (is_family ? 1 : 0)));
    return is_family ? plain.starts_with(known) : plain == known;
  };
  for (const Product product : products()) {
    if (plain_spelling(name_of(product)) == plain) return product;
  }
  for (const ProductRow& row : product_rows) {
    if (any_word(row.devices, is_it)) return row.product;
  }
  return std::nullopt;
}

}  // namespace

Meaning<Product> product_from_words(std::string_view words) {
  if (const auto named = product_named(words)) return *named;
  const std::string plain = plain_spelling(words);
  const std::string_view chip = without_prefix(
      plain, {"ascend_", "ascend", "昇腾_", "昇腾", "华为昇腾_", "华为昇腾", "昇騰_", "昇騰"});
  if (const auto found = product_or_device("ascend" + std::string(chip))) return *found;
  const std::string board = board_name(plain);
  if (const auto found = product_of_board(board)) return *found;
  if (const auto found = product_of_use(board)) return *found;
  std::vector<std::string> allowed;
  for (const Product product : products()) allowed.emplace_back(name_of(product));
  return tl::unexpected(
      unknown_word(words, "product", allowed) +
      "; or a device's name such as Ascend910B3, or a board's such as Atlas 800T A2");
}

}  // namespace gradproof::corpus
