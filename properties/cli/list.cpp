#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "corpus/data_recipe.h"
#include "corpus/json/json_text.h"
#include "corpus/product_row.h"
#include "corpus/words/spelling.h"
#include "oracle/rules/status_rules.h"
#include "properties/cases/generators/violations/invalid_case.h"
#include "properties/cases/generators/violations/operator_breakers.h"
#include "properties/cases/laws/claims.h"
#include "properties/cases/laws/law_choice.h"
#include "properties/cases/museum/museum.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/given_options.h"
#include "properties/cli/run_command.h"
#include "properties/runs/faults/seeded_faults.h"

namespace gradproof::cli {
namespace {

struct Entry {
  std::string name, words;
};
using Entries = std::vector<Entry>;
using Listed = tl::expected<Entries, std::string>;

bool is_generated(std::string_view rule) {
  const auto breaks_it = [&](const auto& row) { return row.rule == rule; };
  return std::ranges::any_of(cases::rule_breakers(), breaks_it) ||
         std::ranges::any_of(cases::operator_breakers(), breaks_it);
}

Listed rules(corpus::Language language) {
  Entries entries;
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    entries.push_back(
        {std::string(rule.id),
         fmt::format("{} ({}){}", rule.demand.in(language), rule.source,
                     is_generated(rule.id) ? "" : "; not broken by generated cases")});
  }
  return entries;
}

Listed laws() {
  Entries entries{
      {std::string(cases::exactness_law),
       "outputs are the exact gradients, within the rigorous bound of their arithmetic"},
      {std::string(cases::status_law), "the call returns what the rules that it breaks admit"}};
  for (const auto table : {cases::laws(), cases::claim_laws()}) {
    for (const cases::Law& law : table) {
      entries.push_back({std::string(law.name), std::string(law.words)});
    }
  }
  return entries;
}

template <typename Value>
Entries named(std::initializer_list<Value> values) {
  Entries entries;
  for (const Value value : values) entries.push_back({std::string(corpus::name_of(value)), ""});
  return entries;
}

Listed formats() {
  using corpus::Format;
  return named({Format::Ncl, Format::Nchw, Format::Ncdhw, Format::Nd, Format::Nhwc, Format::Ndhwc,
                Format::Nc1hwc0, Format::FractalZ, Format::Hwcn, Format::FractalNz, Format::Dhwcn,
                Format::Ndc1hwc0, Format::FractalZ3d, Format::Nc});
}

Listed products() {
  Entries entries;
  for (const corpus::ProductRow& row : corpus::product_rows) {
    entries.push_back({std::string(row.name), ""});
  }
  return entries;
}

Listed recipes() {
  Entries entries;
  for (const corpus::DistributionRow& row : corpus::all_distributions()) {
    entries.push_back({std::string(row.name), std::string(row.words)});
  }
  return entries;
}

Listed museum_entries() {
  Entries entries;
  for (const cases::MuseumRow& row : cases::museum()) {
    entries.push_back({std::string(row.thread), fmt::format("{}: {}", row.library, row.mistake)});
  }
  return entries;
}

Listed fault_entries() {
  const auto libraries = runs::libraries_with_faults();
  if (!libraries) return tl::unexpected(libraries.error());
  const auto table = runs::seeded_faults(*libraries);
  if (!table) return tl::unexpected(table.error());
  Entries entries;
  for (const runs::SeededFault& fault : *table) {
    entries.push_back({fault.name, fmt::format("{} ({})", fault.quantity, fault.file)});
  }
  return entries;
}

template <Listed (*entries)()>
Listed in_english(corpus::Language) {
  return entries();
}

struct Topic {
  std::string_view name;
  Listed (*entries)(corpus::Language);
};
constexpr Topic topics[] = {{"rules", rules},
                            {"laws", in_english<laws>},
                            {"formats", in_english<formats>},
                            {"products", in_english<products>},
                            {"recipes", in_english<recipes>},
                            {"faults", in_english<fault_entries>},
                            {"museum", in_english<museum_entries>}};

}  // namespace

ExitCode list(const Arguments& arguments) {
  const std::string& wanted = arguments.operands.front();
  if (arguments.operands.size() > 1) {
    return fail(ExitCode::BadUsage, "list: one topic, not also \"" + arguments.operands[1] + "\"");
  }
  const auto* topic = std::ranges::find(topics, wanted, &Topic::name);
  if (topic == std::end(topics)) {
    std::vector<std::string> names;
    for (const Topic& one : topics) names.emplace_back(one.name);
    names.emplace_back("cases");
    return fail(ExitCode::BadUsage, "list: " + corpus::unknown_word(wanted, "topic", names));
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const auto language = language_of(arguments);
  if (!language) return fail(ExitCode::BadUsage, language.error());
  const Listed entries = topic->entries(*language);
  if (!entries) return fail(ExitCode::TargetUnusable, "list: " + entries.error());
  for (const Entry& entry : *entries) {
    if (!arguments.json) fmt::print("{:<22} {}\n", entry.name, entry.words);
    json.push_back({{"name", entry.name}, {"words", entry.words}});
  }
  if (arguments.json) fmt::print("{}\n", corpus::json_text(json));
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::cli
