#include <nlohmann/json.hpp>

#include "corpus/json/json_text.h"
#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using nlohmann::ordered_json;

/// Of a log, which may hold bytes that are no UTF-8.
std::string safe(std::string_view text) { return shown(text, 2000); }

/// What `of` makes of each.
ordered_json each(const auto& all, auto of) {
  ordered_json list = ordered_json::array();
  for (const auto& one : all) list.push_back(of(one));
  return list;
}

ordered_json list_of(const std::vector<std::string>& words) { return each(words, safe); }

ordered_json operator_json(const NamedOperator& named) {
  return {{"name", safe(named.name)},
          {"relation", words_of(named.relation)},
          {"phaseOne", named.in_phase_one}};
}

ordered_json call_json(const FoundCall& call) {
  return {{"notation", call.notation},      {"line", call.line},
          {"complete", call.is_complete()}, {"call", safe(call.line_of_words())},
          {"notes", list_of(call.notes)},   {"lacking", list_of(call.lacking)}};
}

ordered_json difference_json(const Difference& one) {
  return {
      {"line", one.line},         {"measure", one.measure},           {"value", safe(one.value)},
      {"limit", safe(one.limit)}, {"reference", safe(one.reference)}, {"place", safe(one.place)}};
}

}  // namespace

std::string reading_json(const Reading& reading) {
  ordered_json object;
  object["kinds"] = each(reading.kinds, [](LogKind kind) { return words_of(kind); });
  object["operators"] = each(reading.operators, operator_json);
  object["names"] = list_of(reading.names);
  object["paths"] = reading.paths;
  object["product"] = reading.product ? ordered_json(safe(reading.product->word)) : ordered_json();
  object["versions"] = ordered_json::object();
  for (const StatedVersion& one : reading.versions) {
    object["versions"][std::string(one.of)] = safe(one.version);
  }
  object["codes"] = list_of(reading.codes);
  object["rules"] = each(reading.rules, [](const NamedRule& one) {
    return ordered_json{{"id", one.rule}, {"line", one.line}, {"words", one.quote}};
  });
  object["differences"] = each(reading.differences.all, difference_json);
  object["meanings"] = each(reading.meanings, [](const Meaning& one) {
    return ordered_json{{"line", one.line}, {"words", safe(one.words)}};
  });
  object["calls"] = each(reading.calls, call_json);
  object["furtherCalls"] = reading.further_calls;
  object["lacking"] = list_of(reading.lacking);
  object["next"] = list_of(reading.next);
  return corpus::json_text(object);
}

}  // namespace gradproof::advice
