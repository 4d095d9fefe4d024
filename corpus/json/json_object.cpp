#include "corpus/json/json_object.h"

#include <fmt/core.h>

#include <utility>

#include "corpus/json/json_text.h"

namespace gradproof::corpus {
namespace {

const nlohmann::json empty_array = nlohmann::json::array();
const nlohmann::json empty_object = nlohmann::json::object();

bool is_int64(const nlohmann::json& value) {
  if (!value.is_number_integer()) return false;
  return !value.is_number_unsigned() ||
         value.get<std::uint64_t>() <=
             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

/// The value itself, shortened, for "found ...".
std::string shown(const nlohmann::json& value) {
  std::string text = json_text(value);
  constexpr std::size_t longest = 40;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

}  // namespace

JsonObject::JsonObject(const nlohmann::json& value, std::string path,
                       std::optional<CaseError>& error)
    : value_(&value), path_(std::move(path)), error_(&error) {
  if (!value.is_object()) {
    fail("", fmt::format("expected an object, found {}", shown(value)));
    value_ = &empty_object;
  }
}

bool JsonObject::has(std::string_view key) const { return value_->contains(key); }

bool JsonObject::has_text(std::string_view key) const {
  const auto found = value_->find(key);
  return found != value_->end() && found->is_string();
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  for (const auto& member : value_->items()) names.push_back(member.key());
  return names;
}

bool JsonObject::reads_null(std::string_view key) {
  const auto found = value_->find(key);
  if (found == value_->end() || !found->is_null()) return false;
  read_.emplace(key);
  return true;
}

const nlohmann::json* JsonObject::member(std::string_view key) {
  read_.emplace(key);
  const auto found = value_->find(key);
  if (found == value_->end()) {
    fail(key, "missing");
    return nullptr;
  }
  return &*found;
}

std::string JsonObject::text(std::string_view key) {
  const auto* value = member(key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  fail(key, fmt::format("expected a string, found {}", shown(*value)));
  return {};
}

bool JsonObject::boolean(std::string_view key) {
  const auto* value = member(key);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  fail(key, fmt::format("expected true or false, found {}", shown(*value)));
  return false;
}

double JsonObject::number(std::string_view key) {
  const auto* value = member(key);
  if (value == nullptr) return 0;
  if (value->is_number()) return value->get<double>();
  fail(key, fmt::format("expected a number, found {}", shown(*value)));
  return 0;
}

std::int64_t JsonObject::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const auto* value = member(key);
  if (value == nullptr) return 0;
  if (is_int64(*value) && value->get<std::int64_t>() >= low && value->get<std::int64_t>() <= high) {
    return value->get<std::int64_t>();
  }
  fail(key, fmt::format("expected an integer in [{}, {}], found {}", low, high, shown(*value)));
  return 0;
}

std::uint64_t JsonObject::natural(std::string_view key) {
  const auto* value = member(key);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  fail(key, fmt::format("expected an integer in [0, 2^64), found {}", shown(*value)));
  return 0;
}

const nlohmann::json& JsonObject::array(std::string_view key) {
  const auto* value = member(key);
  if (value == nullptr) return empty_array;
  if (value->is_array()) return *value;
  fail(key, fmt::format("expected an array, found {}", shown(*value)));
  return empty_array;
}

std::vector<std::int64_t> JsonObject::integers(std::string_view key) {
  std::vector<std::int64_t> values;
  for (const auto& element : array(key)) {
    if (!is_int64(element)) {
      fail(fmt::format("{}[{}]", key, values.size()),
           fmt::format("expected an integer that fits 64 bits, found {}", shown(element)));
      return {};
    }
    values.push_back(element.get<std::int64_t>());
  }
  return values;
}

std::vector<bool> JsonObject::booleans(std::string_view key) {
  std::vector<bool> values;
  for (const auto& element : array(key)) {
    if (!element.is_boolean()) {
      fail(fmt::format("{}[{}]", key, values.size()),
           fmt::format("expected true or false, found {}", shown(element)));
      return {};
    }
    values.push_back(element.get<bool>());
  }
  return values;
}

JsonObject JsonObject::object(std::string_view key) {
  const auto* value = member(key);
  return {value == nullptr ? empty_object : *value, path_of(key), *error_};
}

JsonObject JsonObject::part(std::string_view place, const nlohmann::json& element) const {
  return {element, path_of(place), *error_};
}

void JsonObject::fail(std::string_view key, std::string problem) {
  if (failed()) return;
  error_->emplace(CaseError{{}, 0, path_of(key), std::move(problem)});
}

void JsonObject::refuse_unread() {
  for (const auto& [key, value] : value_->items()) {
    if (!read_.contains(key)) fail(key, "unknown key");
  }
}

std::string JsonObject::path_of(std::string_view key) const {
  if (path_.empty()) return std::string(key);
  if (key.empty()) return path_;
  return fmt::format("{}.{}", path_, key);
}

}  // namespace gradproof::corpus
