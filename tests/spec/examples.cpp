#include "tests/spec/examples.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "corpus/json/json_object.h"

namespace gradproof::spec {
namespace {

using corpus::Case;
using corpus::JsonObject;
namespace fs = std::filesystem;

/// The tests have nothing to run without these files.
[[noreturn]] void stop(const std::string& problem) {
  std::cerr << problem << '\n';
  std::exit(1);
}

using Calls = std::map<std::string, Case, std::less<>>;

Calls read_calls() {
  Calls calls;
  for (const auto& entry : fs::directory_iterator(GRADPROOF_RULE_CASES)) {
    if (entry.path().extension() != ".jsonl") continue;
    auto cases = corpus::read_cases(entry.path());
    if (!cases) stop(cases.error().text());
    for (Case& call : *cases) {
      const std::string id = call.id;
      if (!calls.emplace(id, std::move(call)).second) stop("two cases have the id " + id);
    }
  }
  return calls;
}

const Calls& calls_by_id() {
  static const Calls calls = read_calls();
  return calls;
}

Names names(JsonObject& object, std::string_view key) {
  return object.has(key) ? object.array(key).get<Names>() : Names{};
}

std::optional<std::int32_t> code(JsonObject& object, std::string_view key) {
  if (!object.has(key)) return std::nullopt;
  return static_cast<std::int32_t>(object.integer(key, INT32_MIN, INT32_MAX));
}

std::optional<Codes> codes(JsonObject& object, std::string_view key) {
  if (!object.has(key)) return std::nullopt;
  return object.array(key).get<Codes>();
}

StatedCodes read_codes(JsonObject& object) {
  return {.documented = code(object, "documented"),
          .library = code(object, "library"),
          .released = codes(object, "released"),
          .tolerant = codes(object, "tolerant"),
          .is_ill_defined = object.has("illDefined") && object.boolean("illDefined")};
}

std::string note_of(JsonObject& object) {
  return object.has("note") ? object.text("note") : std::string();
}

std::optional<Case> read_call(JsonObject& object, std::string_view key) {
  if (!object.has(key)) return std::nullopt;
  return stored_call(object.text(key));
}

RuleExample read_example(JsonObject& object) {
  RuleExample example;
  example.rule = object.text("rule");
  example.products = names(object, "products");
  example.breaks = read_call(object, "breaks");
  example.meets = read_call(object, "meets");
  example.codes = read_codes(object);
  if (object.has("alone")) {
    JsonObject alone = object.object("alone");
    example.alone = read_codes(alone);
    alone.refuse_unread();
  }
  if (object.has("alias")) example.alias = object.text("alias");
  if (object.has("with")) example.with = names(object, "with");
  example.unsaid = names(object, "unsaid");
  example.may = names(object, "may");
  example.note = note_of(object);
  if (example.products.empty()) object.fail("products", "is empty or missing");
  if (!example.breaks && !example.meets) object.fail("", "breaks and meets are missing");
  return example;
}

WorkedDecision read_decision(JsonObject& object) {
  WorkedDecision decision;
  decision.number = static_cast<int>(object.integer("decision", 1));
  decision.call = read_call(object, "case").value_or(Case{});
  decision.codes = read_codes(object);
  decision.note = note_of(object);
  return decision;
}

template <typename Row>
std::vector<Row> read_rows(const std::string& name, Row (*read)(JsonObject&)) {
  const fs::path file = fs::path(GRADPROOF_EXAMPLES) / name;
  std::ifstream lines(file);
  std::vector<Row> rows;
  std::string text;
  for (std::size_t line = 1; std::getline(lines, text); ++line) {
    std::optional<corpus::CaseError> error;
    const auto parsed = nlohmann::json::parse(text, nullptr, false);
    JsonObject object(parsed, "", error);
    rows.push_back(read(object));
    object.refuse_unread();
    if (error) stop(file.string() + ":" + std::to_string(line) + ": " + error->text());
  }
  if (rows.empty()) stop(file.string() + " has no line");
  return rows;
}

}  // namespace

bool StatedCodes::allows_in_released(std::int32_t code) const {
  if (library) return code == *library;
  return !released || std::ranges::count(*released, code) != 0;
}

const std::string& kernel_id(const RuleExample& example) {
  return example.alias.empty() ? example.rule : example.alias;
}

corpus::Api api_of(const RuleExample& example) {
  return (example.breaks ? example.breaks : example.meets)->api;
}

const std::vector<RuleExample>& rule_examples() {
  static const auto rows = read_rows("rules.jsonl", read_example);
  return rows;
}

const std::vector<WorkedDecision>& worked_decisions() {
  static const auto rows = read_rows("decisions.jsonl", read_decision);
  return rows;
}

const Names& rules_with_examples() {
  static const Names ids = [] {
    Names found;
    for (const RuleExample& example : rule_examples()) {
      if (std::ranges::count(found, example.rule) == 0) found.push_back(example.rule);
    }
    return found;
  }();
  return ids;
}

Names rules_of(corpus::Api api) {
  Names ids = rules_with_examples();
  std::erase_if(ids, [&](const auto& id) { return api_of(*examples_of(id).front()) != api; });
  return ids;
}

std::vector<const RuleExample*> examples_of(std::string_view rule) {
  std::vector<const RuleExample*> found;
  for (const RuleExample& example : rule_examples()) {
    if (example.rule == rule) found.push_back(&example);
  }
  return found;
}

Names stored_calls() {
  Names ids;
  for (const auto& [id, call] : calls_by_id()) ids.push_back(id);
  return ids;
}

const Case& stored_call(std::string_view id) {
  const auto found = calls_by_id().find(id);
  if (found == calls_by_id().end())
    stop("no case in " GRADPROOF_RULE_CASES " is " + std::string(id));
  return found->second;
}

Case on(Case call, const std::string& soc) {
  call.soc = soc;
  return call;
}

std::string title(const RuleExample& example, const Case& call) {
  return example.rule + " " + call.id + " on " + call.soc + " " + example.note;
}

std::string test_name(std::string id) {
  std::ranges::replace(id, '-', '_');
  return id;
}

}  // namespace gradproof::spec
