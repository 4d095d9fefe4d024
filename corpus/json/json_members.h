#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/json/json_object.h"

namespace gradproof::corpus {

// The members of an object are listed once, in the order in which they are written: a template
//   void members(Json& json, T& value)
// pairs each key with a member of the value. A MemberReader reads them, a MemberWriter writes them
// and changes nothing.

/// Reads; errors are those of JsonObject.
class MemberReader {
 public:
  explicit MemberReader(JsonObject& object) : object_(object) {}

  /// True if the member is there. Of a writer: `is_written`.
  bool has(std::string_view key, bool /*is_written*/) const { return object_.has(key); }

  template <typename T>
  void operator()(std::string_view key, T& value) {
    if constexpr (std::same_as<T, std::string>) value = object_.text(key);
    if constexpr (std::same_as<T, bool>) value = object_.boolean(key);
    if constexpr (std::same_as<T, std::uint64_t>) value = object_.natural(key);
    if constexpr (std::same_as<T, std::vector<std::int64_t>>) value = object_.integers(key);
    if constexpr (std::same_as<T, std::vector<bool>>) value = object_.booleans(key);
    if constexpr (std::signed_integral<T>) {
      (*this)(key, value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }
  }
  template <std::integral T>
  void operator()(std::string_view key, T& value, std::int64_t least, std::int64_t most) {
    value = static_cast<T>(object_.integer(key, least, most));
  }
  /// Reads a member that may be left out.
  template <typename T>
  void optional(std::string_view key, std::optional<T>& value) {
    if (object_.has(key)) (*this)(key, value.emplace());
  }
  /// Reads a member that may be null. `range` is that of an integer.
  template <typename T, typename... Range>
  void nullable(std::string_view key, std::optional<T>& value, Range... range) {
    if (!object_.reads_null(key)) (*this)(key, value.emplace(), range...);
  }
  /// Reads a value that is written as its name_of; `what` says what kind of name it is.
  template <typename T, typename Find>
  void named(std::string_view key, std::string_view what, T& value, Find find) {
    value = object_.named(key, what, find);
  }
  /// Reads an array. `read` makes a value or a sentence of an element, `write` an element of a
  /// value.
  template <typename T, typename Read, typename Write>
  void list(std::string_view key, std::vector<T>& values, Read read, Write /*write*/) {
    values.clear();
    for (const auto& element : object_.array(key)) {
      auto value = read(element);
      if (!value) return object_.fail(place(key, values.size()), value.error());
      values.push_back(*std::move(value));
    }
  }
  template <typename T>
  void object(std::string_view key, T& value) {
    read_whole(object_.object(key), value);
  }
  template <typename T>
  void objects(std::string_view key, std::vector<T>& values) {
    for (const auto& element : object_.array(key)) {
      JsonObject part = object_.part(place(key, values.size()), element);
      read_whole(std::move(part), values.emplace_back());
    }
  }

  template <typename T>
  static void read_whole(JsonObject object, T& value) {
    MemberReader reader(object);
    members(reader, value);
    object.refuse_unread();
  }

 private:
  static std::string place(std::string_view key, std::size_t index) {
    return std::string(key) + "[" + std::to_string(index) + "]";
  }

  JsonObject& object_;
};

/// Writes what a MemberReader reads.
class MemberWriter {
 public:
  using Json = nlohmann::ordered_json;
  explicit MemberWriter(Json& json) : json_(json) {}

  bool has(std::string_view /*key*/, bool is_written) const { return is_written; }

  template <typename T, typename... Range>
  void operator()(std::string_view key, const T& value, Range... /*range*/) {
    json_[std::string(key)] = value;
  }
  template <typename T>
  void optional(std::string_view key, const std::optional<T>& value) {
    if (value) (*this)(key, *value);
  }
  template <typename T, typename... Range>
  void nullable(std::string_view key, const std::optional<T>& value, Range... /*range*/) {
    json_[std::string(key)] = value ? Json(*value) : Json(nullptr);
  }
  template <typename T, typename Find>
  void named(std::string_view key, std::string_view /*what*/, const T& value, Find /*find*/) {
    (*this)(key, name_of(value));
  }
  template <typename T, typename Read, typename Write>
  void list(std::string_view key, const std::vector<T>& values, Read /*read*/, Write write) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(write(value));
    (*this)(key, array);
  }
  template <typename T>
  void object(std::string_view key, const T& value) {
    (*this)(key, json_of(value));
  }
  template <typename T>
  void objects(std::string_view key, const std::vector<T>& values) {
    list(key, values, nullptr, &json_of<T>);
  }

  template <typename T>
  static Json json_of(const T& value) {
    Json json;
    MemberWriter writer(json);
    members(writer, const_cast<T&>(value));
    return json;
  }

 private:
  Json& json_;
};

}  // namespace gradproof::corpus
