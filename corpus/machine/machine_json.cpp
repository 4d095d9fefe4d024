#include "corpus/machine/machine_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/json_object.h"

namespace gradproof::corpus {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view schema = "gradproof-machine-1";
constexpr std::int64_t most_bits = 53;

/// The enumerator below `count` that has this name.
template <typename Enumerator, int count>
std::optional<Enumerator> enumerator_named(std::string_view name) {
  for (int number = 0; number < count; ++number) {
    if (name_of(static_cast<Enumerator>(number)) == name) return static_cast<Enumerator>(number);
  }
  return std::nullopt;
}

constexpr auto rounding_named = enumerator_named<MachineRounding, 4>;
constexpr auto product_named_here = enumerator_named<MachineProduct, 3>;
constexpr auto family_named = enumerator_named<TreeFamily, 6>;
constexpr auto combine_named = enumerator_named<TreeCombine, 3>;
constexpr auto handling_named = enumerator_named<SubnormalHandling, 3>;
constexpr auto overflow_named = enumerator_named<OverflowHandling, 3>;
constexpr auto gradient_named = enumerator_named<OutputRole, 3>;

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

OperandConversion read_operands(JsonObject object) {
  OperandConversion read;
  read.format = object.text("format");
  read.significand_bits = static_cast<int>(object.integer("significand_bits", 2, most_bits));
  read.rounding = object.named("rounding", "rounding", rounding_named);
  object.refuse_unread();
  return read;
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

NodeArithmetic read_node(JsonObject object) {
  NodeArithmetic node;
  node.rounding = object.named("rounding", "rounding", rounding_named);
  node.accumulator_bits = static_cast<int>(object.integer("accumulator_bits", 2, most_bits));
  if (!object.reads_null("extra_bits")) {
    node.extra_bits = static_cast<int>(object.integer("extra_bits", 0, most_bits));
  }
  object.refuse_unread();
  return node;
}

SubnormalHandlings read_subnormals(JsonObject object) {
  SubnormalHandlings read;
  read.operands = object.named("operands", "handling", handling_named);
  read.products = object.named("products", "handling", handling_named);
  read.sums = object.named("sums", "handling", handling_named);
  read.results = object.named("results", "handling", handling_named);
  object.refuse_unread();
  return read;
}

MachineEvidence read_evidence(JsonObject object) {
  MachineEvidence evidence;
  evidence.calls = object.natural("calls");
  evidence.predicted = object.natural("predicted");
  evidence.missed = object.natural("missed");
  evidence.tree_hash = object.text("tree_hash");
  evidence.unexplained = read_texts(object, "unexplained");
  object.refuse_unread();
  return evidence;
}

GradientMachine read_gradient(JsonObject object) {
  GradientMachine read;
  read.gradient = object.named("gradient", "gradient", gradient_named);
  read.operands = read_operands(object.object("operands"));
  read.product = object.named("product", "product", product_named_here);
  read.tree = read_tree(object.object("tree"));
  read.order = read_order(object.object("order"));
  read.node = read_node(object.object("node"));
  read.subnormals = read_subnormals(object.object("subnormals"));
  read.overflow = object.named("overflow", "handling", overflow_named);
  read.output_formats = read_texts(object, "output_formats");
  read.output_rounding = object.named("output_rounding", "rounding", rounding_named);
  if (object.has("evidence")) read.evidence = read_evidence(object.object("evidence"));
  object.refuse_unread();
  if (object.failed()) return read;
  if (const auto problem = impossibility(read)) object.fail("", *problem);
  return read;
}

Machine read_whole(JsonObject& object, const nlohmann::json& root,
                   std::optional<CaseError>& error) {
  Machine machine;
  if (object.text("schema") != schema) {
    object.fail("schema", fmt::format("expected \"{}\"", schema));
  }
  machine.library = object.text("library");
  machine.soc = object.text("soc");
  machine.threads = static_cast<unsigned>(object.integer("threads", 0, 1 << 20));
  if (!object.reads_null("call")) {
    object.object("call");
    auto call = error ? tl::expected<Case, CaseError>(Case{}) : parse_case(root["call"].dump());
    if (!call) {
      object.fail("call." + call.error().key, call.error().problem);
    } else {
      machine.call = std::move(*call);
    }
  }
  for (const auto& gradient : object.array("gradients")) {
    const std::string path = fmt::format("gradients[{}]", machine.gradients.size());
    machine.gradients.push_back(read_gradient(JsonObject(gradient, path, error)));
    const auto& added = machine.gradients.back();
    if (machine_of(machine, added.gradient) != &added) {
      object.fail(path, fmt::format("{} is there twice", name_of(added.gradient)));
    }
  }
  object.refuse_unread();
  return machine;
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

Json json_of(const NodeArithmetic& node) {
  Json json{{"rounding", name_of(node.rounding)}, {"accumulator_bits", node.accumulator_bits}};
  json["extra_bits"] = node.extra_bits ? Json(*node.extra_bits) : Json(nullptr);
  return json;
}

Json json_of(const GradientMachine& gradient) {
  Json json;
  json["gradient"] = name_of(gradient.gradient);
  json["operands"] = {{"format", gradient.operands.format},
                      {"significand_bits", gradient.operands.significand_bits},
                      {"rounding", name_of(gradient.operands.rounding)}};
  json["product"] = name_of(gradient.product);
  json["tree"] = json_of(gradient.tree);
  json["order"] = json_of(gradient.order);
  json["node"] = json_of(gradient.node);
  json["subnormals"] = {{"operands", name_of(gradient.subnormals.operands)},
                        {"products", name_of(gradient.subnormals.products)},
                        {"sums", name_of(gradient.subnormals.sums)},
                        {"results", name_of(gradient.subnormals.results)}};
  json["overflow"] = name_of(gradient.overflow);
  json["output_formats"] = gradient.output_formats;
  json["output_rounding"] = name_of(gradient.output_rounding);
  json["evidence"] = {{"calls", gradient.evidence.calls},
                      {"predicted", gradient.evidence.predicted},
                      {"missed", gradient.evidence.missed},
                      {"tree_hash", gradient.evidence.tree_hash},
                      {"unexplained", gradient.evidence.unexplained}};
  return json;
}

}  // namespace

tl::expected<Machine, CaseError> parse_machine(std::string_view text) {
  std::optional<CaseError> error;
  nlohmann::json root;
  try {
    root = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    return tl::unexpected(CaseError{{}, 0, {}, words_of_json_error(exception)});
  }
  JsonObject object(root, "", error);
  Machine machine = read_whole(object, root, error);
  if (error) return tl::unexpected(*error);
  return machine;
}

tl::expected<Machine, CaseError> read_machine(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) return tl::unexpected(CaseError{file.string(), 0, {}, "cannot be read"});
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  auto machine = parse_machine(text);
  if (!machine) machine.error().file = file.string();
  return machine;
}

std::string to_json(const Machine& machine) {
  Json json;
  json["schema"] = schema;
  json["library"] = machine.library;
  json["soc"] = machine.soc;
  json["threads"] = machine.threads;
  json["call"] = machine.call ? Json::parse(to_json_line(*machine.call)) : Json(nullptr);
  json["gradients"] = Json::array();
  for (const auto& gradient : machine.gradients) json["gradients"].push_back(json_of(gradient));
  return json.dump(2) + "\n";
}

}  // namespace gradproof::corpus
