#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

namespace gradproof::corpus {

// For files that this program alone writes, as json_members.h for those that people write: what is
// missing or of another type is a nlohmann::json::exception.

/// Reads members from an object, or writes them to it, as `members(Plain&, T&)` lists them.
class PlainMembers {
 public:
  using Json = nlohmann::ordered_json;

  PlainMembers(Json& json, bool is_reading) : json_(json), is_reading_(is_reading) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    exchange(is_reading_ ? json_.at(key) : json_[key], value);
  }

 private:
  template <typename T>
  void exchange(Json& json, T& value) {
    if constexpr (requires(PlainMembers part) { members(part, value); }) {
      PlainMembers part(json, is_reading_);
      members(part, value);
    } else if (is_reading_) {
      json.get_to(value);
    } else {
      json = value;
    }
  }
  template <typename T>
  void exchange(Json& json, std::optional<T>& value) {
    if (is_reading_ && !json.is_null()) value.emplace();
    if (value) exchange(json, *value);
  }
  template <typename T>
  void exchange(Json& json, std::vector<T>& values) {
    if (is_reading_) values.resize(json.get_ref<const Json::array_t&>().size());
    if (!is_reading_) json = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i) exchange(json[i], values[i]);
  }

  Json& json_;
  bool is_reading_;
};

template <typename T>
PlainMembers::Json plain_json(T value) {
  PlainMembers::Json json;
  PlainMembers writer(json, false);
  members(writer, value);
  return json;
}

template <typename T>
T of_plain_json(PlainMembers::Json json) {
  T value;
  PlainMembers reader(json, true);
  members(reader, value);
  return value;
}

}  // namespace gradproof::corpus
