#include "corpus/machine/machine_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/json/json_members.h"
#include "corpus/json/json_text.h"
#include "corpus/words/file_contents.h"

namespace gradproof::corpus {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view schema = "gradproof-machine-1";
constexpr std::int64_t most_bits = 53;
constexpr std::int64_t most_products = std::int64_t{1} << 40;

template <typename Enumerator>
std::optional<Enumerator> enumerator_named(std::string_view name) {
  const auto& names = machine_names<Enumerator>;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumerator>(found - names.begin());
}

template <typename T>
using Element = tl::expected<T, std::string>;
using Mistake = tl::unexpected<std::string>;

Element<std::string> text_element(const nlohmann::json& element) {
  if (!element.is_string()) return Mistake("expected a string");
  return element.get<std::string>();
}

bool are_integers(const nlohmann::json& element) {
  return element.is_array() && std::all_of(element.begin(), element.end(), [](const auto& each) {
           return each.is_number_integer();
         });
}

Element<TreeNode> node_element(const nlohmann::json& element) {
  if (!are_integers(element)) return Mistake("expected an array of integers");
  return element.get<TreeNode>();
}

Element<std::array<std::int64_t, 3>> position_element(const nlohmann::json& element) {
  if (!are_integers(element) || element.size() != 3) {
    return Mistake("expected three integers, D, H and W");
  }
  return element.get<std::array<std::int64_t, 3>>();
}

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

Element<OrderAxis> axis_element(const nlohmann::json& element) {
  const auto text = text_element(element);
  if (!text) return Mistake(text.error());
  const auto axis = axis_named(*text);
  if (axis) return *axis;
  return tl::unexpected(
      fmt::format("\"{}\" is no loop; one is k, kd, kh, kw, n, od, oh or ow, "
                  "with - before it or /16 or %16 behind it",
                  *text));
}

}  // namespace

template <typename Json, typename Enumerator>
void name(Json& json, std::string_view key, Enumerator& value, std::string_view what = "handling") {
  json.named(key, what, value, enumerator_named<Enumerator>);
}

template <typename Json>
void members(Json& json, OperandConversion& operands) {
  json("format", operands.format);
  json("significand_bits", operands.significand_bits, 2, most_bits);
  name(json, "rounding", operands.rounding, "rounding");
}

template <typename Json>
void members(Json& json, SummationTree& tree) {
  name(json, "family", tree.family, "tree");
  if (json.has("size", tree.size != 0)) json("size", tree.size, 1, most_products);
  if (json.has("combine", tree.combine != TreeCombine::Sequential)) {
    name(json, "combine", tree.combine, "combination");
  }
  if (json.has("leaves", tree.leaves != 0)) json("leaves", tree.leaves, 1, most_products);
  if (json.has("nodes", !tree.nodes.empty())) {
    json.list("nodes", tree.nodes, node_element, std::identity());
  }
}

template <typename Json>
void members(Json& json, LeafOrder& order) {
  json.list("loops", order.loops, axis_element, text_of);
  json("counts_absent", order.counts_absent);
}

template <typename Json>
void members(Json& json, OtherTree& other) {
  json.list("positions", other.positions, position_element, std::identity());
  json.object("tree", other.tree);
  json.object("order", other.order);
}

template <typename Json>
void members(Json& json, NodeArithmetic& node) {
  name(json, "rounding", node.rounding, "rounding");
  json("accumulator_bits", node.accumulator_bits, 2, most_bits);
  json.nullable("extra_bits", node.extra_bits, 0, most_bits);
}

template <typename Json>
void members(Json& json, SubnormalHandlings& subnormals) {
  name(json, "operands", subnormals.operands);
  name(json, "products", subnormals.products);
  name(json, "sums", subnormals.sums);
  name(json, "results", subnormals.results);
}

template <typename Json>
void members(Json& json, SpecialHandlings& specials) {
  name(json, "nan", specials.nan);
  name(json, "times_zero", specials.times_zero);
  name(json, "negative_zero", specials.negative_zero);
}

template <typename Json>
void members(Json& json, MachineEvidence& evidence) {
  json("calls", evidence.calls);
  json("predicted", evidence.predicted);
  json("missed", evidence.missed);
  json("tree_hash", evidence.tree_hash);
  json.list("unexplained", evidence.unexplained, text_element, std::identity());
}

template <typename Json>
void members(Json& json, GradientMachine& machine) {
  json.named("gradient", "gradient", machine.gradient, gradient_named);
  json.object("operands", machine.operands);
  name(json, "product", machine.product, "product");
  json.object("tree", machine.tree);
  json.object("order", machine.order);
  if (json.has("elsewhere", !machine.elsewhere.empty())) {
    json.objects("elsewhere", machine.elsewhere);
  }
  json.object("node", machine.node);
  json.object("subnormals", machine.subnormals);
  name(json, "overflow", machine.overflow);
  if (json.has("specials", true)) json.object("specials", machine.specials);
  json.list("output_formats", machine.output_formats, text_element, std::identity());
  name(json, "output_rounding", machine.output_rounding, "rounding");
  if (json.has("evidence", true)) json.object("evidence", machine.evidence);
}

namespace {

GradientMachine read_gradient(JsonObject object) {
  GradientMachine read;
  MemberReader::read_whole(object, read);
  if (object.failed()) return read;
  if (const auto problem = impossibility(read)) object.fail("", *problem);
  return read;
}

/// Reads what a fingerprint measured.
void read_measured(JsonObject& object, const nlohmann::json& root, Machine& machine) {
  machine.library = object.text("library");
  machine.soc = object.text("soc");
  machine.threads = static_cast<unsigned>(object.integer("threads", 0, 1 << 20));
  if (!object.reads_null("call")) {
    object.object("call");
    auto call = object.failed() ? tl::expected<Case, CaseError>(Case{})
                                : parse_case(json_text(root["call"]));
    if (!call) {
      object.fail("call." + call.error().key, call.error().problem);
    } else {
      machine.call = std::move(*call);
    }
  }
  for (const auto& gradient : object.array("gradients")) {
    const std::string path = fmt::format("gradients[{}]", machine.gradients.size());
    machine.gradients.push_back(read_gradient(object.part(path, gradient)));
    const auto& added = machine.gradients.back();
    if (machine_of(machine, added.gradient) != &added) {
      object.fail(path, fmt::format("{} is there twice", name_of(added.gradient)));
    }
  }
}

/// A person knows the algorithms and no more: such a file has nothing else.
Machine read_whole(JsonObject& object, const nlohmann::json& root) {
  Machine machine;
  if (object.text("schema") != schema) {
    object.fail("schema", fmt::format("expected \"{}\"", schema));
  }
  const bool is_told = object.has("algorithms") && !object.has("library");
  if (!is_told) read_measured(object, root, machine);
  read_algorithms(object, machine);
  object.refuse_unread();
  return machine;
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
  Machine machine = read_whole(object, root);
  if (error) return tl::unexpected(*error);
  return machine;
}

tl::expected<Machine, CaseError> read_machine(const std::filesystem::path& file) {
  const auto text = file_contents(file);
  if (!text) return tl::unexpected(CaseError{file.string(), 0, {}, text.error()});
  auto machine = parse_machine(*text);
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
  for (const auto& gradient : machine.gradients) {
    json["gradients"].push_back(MemberWriter::json_of(gradient));
  }
  for (const auto& algorithm : machine.algorithms) json["algorithms"].push_back(json_of(algorithm));
  return json_text(json, 2) + "\n";
}

}  // namespace gradproof::corpus
