#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>

#include "properties/findings/results/json_reader.h"

namespace gradproof::findings {

/// Counts of which most are zero, as [place, count, place, count, ...].
template <typename Counts>
nlohmann::json sparse_counts(const Counts& counts) {
  nlohmann::json json = nlohmann::json::array();
  for (std::size_t place = 0; place < counts.size(); ++place) {
    if (counts[place] == 0) continue;
    json.push_back(place);
    json.push_back(counts[place]);
  }
  return json;
}

/// Adds counts written by sparse_counts(). Throws JsonMistake for a place beyond the end.
template <typename Counts>
void add_sparse_counts(const nlohmann::json& json, Counts& into) {
  if (json.size() % 2 != 0) throw JsonMistake{"a place is without its count"};
  for (std::size_t i = 0; i < json.size(); i += 2) {
    const auto place = json.at(i).get<std::uint64_t>();
    if (place >= into.size()) throw JsonMistake{"a count is beyond the end of its table"};
    into[place] += json.at(i + 1).get<typename Counts::value_type>();
  }
}

/// A table of counts, row by row.
template <typename Rows>
nlohmann::json sparse_rows(const Rows& rows) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& row : rows) json.push_back(sparse_counts(row));
  return json;
}

/// Adds what sparse_rows() wrote. Throws where a row is missing.
template <typename Rows>
void add_sparse_rows(const nlohmann::json& json, Rows& into) {
  for (std::size_t i = 0; i < into.size(); ++i) add_sparse_counts(json.at(i), into[i]);
}

}  // namespace gradproof::findings
