#include "corpus/machine/machine_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/json_object.h"
#include "corpus/machine/machine_tree_json.h"

namespace gradproof::corpus {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view schema = "gradproof-machine-1";
constexpr std::int64_t most_bits = 53;

constexpr auto rounding_named = enumerator_named<MachineRounding, 4>;
constexpr auto product_named_here = enumerator_named<MachineProduct, 3>;
constexpr auto handling_named = enumerator_named<SubnormalHandling, 3>;
constexpr auto overflow_named = enumerator_named<OverflowHandling, 3>;
constexpr auto special_named = enumerator_named<SpecialHandling, 3>;
constexpr auto gradient_named = enumerator_named<OutputRole, 3>;

OperandConversion read_operands(JsonObject object) {
  OperandConversion read;
  read.format = object.text("format");
  read.significand_bits = static_cast<int>(object.integer("significand_bits", 2, most_bits));
  read.rounding = object.named("rounding", "rounding", rounding_named);
  object.refuse_unread();
  return read;
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

SpecialHandlings read_specials(JsonObject object) {
  SpecialHandlings read;
  read.nan = object.named("nan", "handling", special_named);
  read.times_zero = object.named("times_zero", "handling", special_named);
  read.negative_zero = object.named("negative_zero", "handling", special_named);
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

GradientMachine read_gradient(JsonObject object, std::optional<CaseError>& error) {
  GradientMachine read;
  read.gradient = object.named("gradient", "gradient", gradient_named);
  read.operands = read_operands(object.object("operands"));
  read.product = object.named("product", "product", product_named_here);
  read.tree = read_tree(object.object("tree"));
  read.order = read_order(object.object("order"));
  if (object.has("elsewhere")) read.elsewhere = read_other_trees(object, error);
  read.node = read_node(object.object("node"));
  read.subnormals = read_subnormals(object.object("subnormals"));
  read.overflow = object.named("overflow", "handling", overflow_named);
  if (object.has("specials")) read.specials = read_specials(object.object("specials"));
  read.output_formats = read_texts(object, "output_formats");
  read.output_rounding = object.named("output_rounding", "rounding", rounding_named);
  if (object.has("evidence")) read.evidence = read_evidence(object.object("evidence"));
  object.refuse_unread();
  if (object.failed()) return read;
  if (const auto problem = impossibility(read)) object.fail("", *problem);
  return read;
}

tl::expected<Algorithm, std::string> algorithm_of(std::string_view name) {
  constexpr std::size_t count = 7;
  if (const auto found = enumerator_named<Algorithm, count>(name)) return *found;
  std::string known;
  for (std::size_t i = 0; i < count; ++i) {
    known += fmt::format("{}{}", i == 0 ? "" : ", ", name_of(static_cast<Algorithm>(i)));
  }
  return tl::unexpected(fmt::format("unknown algorithm \"{}\"; known are {}", name, known));
}

GradientAlgorithm read_algorithm(JsonObject object) {
  GradientAlgorithm read;
  read.gradient = object.named("gradient", "gradient", gradient_named);
  read.algorithm = object.meaning("algorithm", algorithm_of);
  if (object.has("tiles_anywhere")) read.tiles_anywhere = object.boolean("tiles_anywhere");
  if (object.has("least_channels")) read.least_channels = object.integer("least_channels", 1);
  object.refuse_unread();
  if (object.failed()) return read;
  if (const auto problem = impossibility(read)) object.fail("algorithm", *problem);
  return read;
}

void read_algorithms(JsonObject& object, Machine& machine, std::optional<CaseError>& error) {
  if (!object.has("algorithms")) return;
  for (const auto& each : object.array("algorithms")) {
    const std::string path = fmt::format("algorithms[{}]", machine.algorithms.size());
    const GradientAlgorithm read = read_algorithm(JsonObject(each, path, error));
    const auto is_same = [&](const auto& other) { return other.gradient == read.gradient; };
    if (std::ranges::any_of(machine.algorithms, is_same)) {
      object.fail(path, fmt::format("{} is there twice", name_of(read.gradient)));
    }
    machine.algorithms.push_back(read);
  }
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
    machine.gradients.push_back(read_gradient(JsonObject(gradient, path, error), error));
    const auto& added = machine.gradients.back();
    if (machine_of(machine, added.gradient) != &added) {
      object.fail(path, fmt::format("{} is there twice", name_of(added.gradient)));
    }
  }
  read_algorithms(object, machine, error);
  object.refuse_unread();
  return machine;
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
  if (!gradient.elsewhere.empty()) json["elsewhere"] = json_of(gradient.elsewhere);
  json["node"] = json_of(gradient.node);
  json["subnormals"] = {{"operands", name_of(gradient.subnormals.operands)},
                        {"products", name_of(gradient.subnormals.products)},
                        {"sums", name_of(gradient.subnormals.sums)},
                        {"results", name_of(gradient.subnormals.results)}};
  json["overflow"] = name_of(gradient.overflow);
  json["specials"] = {{"nan", name_of(gradient.specials.nan)},
                      {"times_zero", name_of(gradient.specials.times_zero)},
                      {"negative_zero", name_of(gradient.specials.negative_zero)}};
  json["output_formats"] = gradient.output_formats;
  json["output_rounding"] = name_of(gradient.output_rounding);
  json["evidence"] = {{"calls", gradient.evidence.calls},
                      {"predicted", gradient.evidence.predicted},
                      {"missed", gradient.evidence.missed},
                      {"tree_hash", gradient.evidence.tree_hash},
                      {"unexplained", gradient.evidence.unexplained}};
  return json;
}

Json json_of(const GradientAlgorithm& algorithm) {
  return {{"gradient", name_of(algorithm.gradient)},
          {"algorithm", name_of(algorithm.algorithm)},
          {"tiles_anywhere", algorithm.tiles_anywhere},
          {"least_channels", algorithm.least_channels}};
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
  for (const auto& algorithm : machine.algorithms) json["algorithms"].push_back(json_of(algorithm));
  return json.dump(2) + "\n";
}

}  // namespace gradproof::corpus
