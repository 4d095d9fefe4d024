#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/json_object.h"
#include "corpus/machine/machine.h"

namespace gradproof::corpus {

// Trees and orders of machine.json. Errors of reading are those of the object.

/// The enumerator below `count` that has this name.
template <typename Enumerator, int count>
std::optional<Enumerator> enumerator_named(std::string_view name) {
  for (int number = 0; number < count; ++number) {
    if (name_of(static_cast<Enumerator>(number)) == name) return static_cast<Enumerator>(number);
  }
  return std::nullopt;
}

std::vector<std::string> read_texts(JsonObject& object, std::string_view key);
SummationTree read_tree(JsonObject object);
LeafOrder read_order(JsonObject object);
/// Reads the trees of the key "elsewhere"; `error` is the object's.
std::vector<OtherTree> read_other_trees(JsonObject& object, std::optional<CaseError>& error);

nlohmann::ordered_json json_of(const SummationTree& tree);
nlohmann::ordered_json json_of(const LeafOrder& order);
nlohmann::ordered_json json_of(const std::vector<OtherTree>& trees);

}  // namespace gradproof::corpus
