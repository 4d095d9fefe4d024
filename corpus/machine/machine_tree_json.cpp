#include "corpus/machine/machine_tree_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace gradproof::corpus {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto family_named = enumerator_named<TreeFamily, 6>;
constexpr auto combine_named = enumerator_named<TreeCombine, 3>;

std::optional<OrderAxis> axis_named(std::string_view text) {
  OrderAxis axis;
  axis.descending = text.starts_with('-');
  if (axis.descending) text.remove_prefix(1);
  const auto mark = text.find_first_of("/%");
  const std::string_view name = text.substr(0, mark);
  static constexpr std::array<std::string_view, 8> known{"k", "kd", "kh", "kw",
                                                         "n", "od", "oh", "ow"};
  if (std::find(known.begin(), known.end(), name) == known.end()) return std::nullopt;
  axis.axis = std::string(name);
  if (mark == std::string_view::npos) return axis;
  axis.part = text[mark] == '/' ? OrderAxis::Part::Block : OrderAxis::Part::Within;
  const std::string_view digits = text.substr(mark + 1);
  const auto end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, axis.size);
  if (error != std::errc{} || stopped != end || axis.size < 1) return std::nullopt;
  return axis;
}

std::vector<TreeNode> read_nodes(JsonObject& object) {
  std::vector<TreeNode> nodes;
  for (const auto& node : object.array("nodes")) {
    TreeNode children;
    for (const auto& child : node) {
      if (child.is_number_integer()) children.push_back(child.get<std::int64_t>());
    }
    if (!node.is_array() || children.size() != node.size()) {
      object.fail(fmt::format("nodes[{}]", nodes.size()), "expected an array of integers");
      return {};
    }
    nodes.push_back(std::move(children));
  }
  return nodes;
}

}  // namespace

std::vector<std::string> read_texts(JsonObject& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const auto& element : object.array(key)) {
    if (!element.is_string()) {
      object.fail(fmt::format("{}[{}]", key, texts.size()), "expected a string");
      return {};
    }
    texts.push_back(element.get<std::string>());
  }
  return texts;
}

SummationTree read_tree(JsonObject object) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  SummationTree tree;
  tree.family = object.named("family", "tree", family_named);
  if (object.has("size")) tree.size = object.integer("size", 1, most);
  if (object.has("combine")) tree.combine = object.named("combine", "combination", combine_named);
  if (object.has("leaves")) tree.leaves = object.integer("leaves", 1, most);
  if (object.has("nodes")) tree.nodes = read_nodes(object);
  object.refuse_unread();
  return tree;
}

LeafOrder read_order(JsonObject object) {
  LeafOrder order;
  for (const std::string& text : read_texts(object, "loops")) {
    const auto axis = axis_named(text);
    if (!axis) {
      object.fail(fmt::format("loops[{}]", order.loops.size()),
                  fmt::format("\"{}\" is no loop; one is k, kd, kh, kw, n, od, oh or ow, with - "
                              "before it or /16 or %16 behind it",
                              text));
      break;
    }
    order.loops.push_back(*axis);
  }
  order.counts_absent = object.boolean("counts_absent");
  object.refuse_unread();
  return order;
}

std::vector<OtherTree> read_other_trees(JsonObject& object, std::optional<CaseError>& error) {
  std::vector<OtherTree> trees;
  for (const auto& element : object.array("elsewhere")) {
    const std::string path = object.path_of(fmt::format("elsewhere[{}]", trees.size()));
    OtherTree other;
    JsonObject read(element, path, error);
    for (const auto& position : read.array("positions")) {
      const auto is_integer = [](const auto& each) { return each.is_number_integer(); };
      if (!position.is_array() || position.size() != 3 ||
          !std::all_of(position.begin(), position.end(), is_integer)) {
        read.fail(fmt::format("positions[{}]", other.positions.size()),
                  "expected three integers, D, H and W");
        return {};
      }
      other.positions.push_back(position.get<std::array<std::int64_t, 3>>());
    }
    other.tree = read_tree(read.object("tree"));
    other.order = read_order(read.object("order"));
    read.refuse_unread();
    trees.push_back(std::move(other));
  }
  return trees;
}

Json json_of(const SummationTree& tree) {
  Json json;
  json["family"] = name_of(tree.family);
  if (tree.size != 0) json["size"] = tree.size;
  if (tree.combine != TreeCombine::Sequential) json["combine"] = name_of(tree.combine);
  if (tree.leaves != 0) json["leaves"] = tree.leaves;
  if (!tree.nodes.empty()) json["nodes"] = tree.nodes;
  return json;
}

Json json_of(const LeafOrder& order) {
  Json loops = Json::array();
  for (const OrderAxis& axis : order.loops) loops.push_back(text_of(axis));
  return {{"loops", std::move(loops)}, {"counts_absent", order.counts_absent}};
}

Json json_of(const std::vector<OtherTree>& trees) {
  Json json = Json::array();
  for (const OtherTree& other : trees) {
    json.push_back({{"positions", other.positions},
                    {"tree", json_of(other.tree)},
                    {"order", json_of(other.order)}});
  }
  return json;
}

}  // namespace gradproof::corpus
