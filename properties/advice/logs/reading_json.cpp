#include <nlohmann/json.hpp>

#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using nlohmann::ordered_json;

/// Of a log, which may hold bytes that are no UTF-8.
std::string safe(std::string_view text) { return shown(text, 2000); }

ordered_json list_of(const std::vector<std::string>& words) {
  ordered_json list = ordered_json::array();
  for (const std::string& word : words) list.push_back(safe(word));
  return list;
}

ordered_json operators_of(const Reading& reading) {
  ordered_json list = ordered_json::array();
  for (const NamedOperator& named : reading.operators) {
    list.push_back({{"name", safe(named.name)},
                    {"relation", words_of(named.relation)},
                    {"phaseOne", named.in_phase_one}});
  }
  return list;
}

ordered_json calls_of(const Reading& reading) {
  ordered_json list = ordered_json::array();
  for (const FoundCall& call : reading.calls) {
    list.push_back({{"notation", call.notation},
                    {"line", call.line},
                    {"complete", call.is_complete()},
                    {"call", safe(call.line_of_words())},
                    {"notes", list_of(call.notes)},
                    {"lacking", list_of(call.lacking)}});
  }
  return list;
}

}  // namespace

std::string reading_json(const Reading& reading) {
  ordered_json object;
  object["kinds"] = ordered_json::array();
  for (const LogKind kind : reading.kinds) object["kinds"].push_back(words_of(kind));
  object["operators"] = operators_of(reading);
  object["paths"] = reading.paths;
  object["product"] = reading.product ? ordered_json(safe(reading.product->word)) : ordered_json();
  object["versions"] = ordered_json::object();
  for (const StatedVersion& one : reading.versions) {
    object["versions"][std::string(one.of)] = safe(one.version);
  }
  object["codes"] = list_of(reading.codes);
  object["rules"] = ordered_json::array();
  for (const NamedRule& named : reading.rules) {
    object["rules"].push_back({{"id", named.rule}, {"line", named.line}, {"words", named.quote}});
  }
  object["differences"] = ordered_json::array();
  for (const Difference& one : reading.differences.all) {
    object["differences"].push_back({{"line", one.line},
                                     {"measure", one.measure},
                                     {"value", safe(one.value)},
                                     {"limit", safe(one.limit)},
                                     {"reference", safe(one.reference)},
                                     {"place", safe(one.place)}});
  }
  object["meanings"] = ordered_json::array();
  for (const Meaning& one : reading.meanings)
    object["meanings"].push_back({{"line", one.line}, {"words", safe(one.words)}});
  object["calls"] = calls_of(reading);
  object["furtherCalls"] = reading.further_calls;
  object["lacking"] = list_of(reading.lacking);
  object["next"] = list_of(reading.next);
  return object.dump();
}

}  // namespace gradproof::advice
