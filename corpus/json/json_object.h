#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/case_error.h"

namespace gradproof::corpus {

struct Case;
struct DataRecipe;

/// Reads one JSON object strictly, member by member. The first problem is kept in the shared error,
/// and every read after it gives a default: a reader function is a plain list of members, checked
/// once at its end.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& value, std::string path, std::optional<CaseError>& error);

  bool has(std::string_view key) const;
  /// True if the member is there and a string.
  bool has_text(std::string_view key) const;
  /// Names of all members, sorted.
  std::vector<std::string> keys() const;
  /// True if the member is there and null; counts as reading it.
  bool reads_null(std::string_view key);

  /// The member's value; where it is missing or of another type, that is the error.
  std::string text(std::string_view key);
  bool boolean(std::string_view key);
  double number(std::string_view key);
  std::int64_t integer(std::string_view key,
                       std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t high = std::numeric_limits<std::int64_t>::max());
  std::uint64_t natural(std::string_view key);
  std::vector<std::int64_t> integers(std::string_view key);
  std::vector<bool> booleans(std::string_view key);
  const nlohmann::json& array(std::string_view key);
  JsonObject object(std::string_view key);
  /// Element of an array, with the path `place` in this object.
  JsonObject part(std::string_view place, const nlohmann::json& element) const;

  /// The row of a table that `named` finds under the member's text; `what` says what kind of name
  /// it is.
  template <typename Named>
  auto named(std::string_view key, std::string_view what, Named find) {
    const std::string name = text(key);
    const auto found = find(name);
    if (!found && !failed()) fail(key, "unknown " + std::string(what) + " \"" + name + "\"");
    return found.value_or(typename decltype(found)::value_type{});
  }

  /// Converts the member's text with `read`, which gives a value or a sentence.
  template <typename Read>
  auto meaning(std::string_view key, Read read) {
    const auto found = read(text(key));
    if (!found && !failed()) fail(key, found.error());
    return found.value_or(typename std::remove_cvref_t<decltype(found)>::value_type{});
  }

  /// Records an error at a member (empty key: at the object itself) unless there is one already.
  void fail(std::string_view key, std::string problem);
  bool failed() const { return error_->has_value(); }

  /// Refuses every member that was not asked for: it is an unknown key.
  void refuse_unread();

  /// "parent.key", for messages about parts of a member.
  std::string path_of(std::string_view key) const;

 private:
  const nlohmann::json* member(std::string_view key);

  const nlohmann::json* value_;
  std::string path_;
  std::optional<CaseError>* error_;
  std::unordered_set<std::string> read_;
};

/// The object `data` of a case whose tensors are read already. Errors stay with the object.
DataRecipe read_data(JsonObject object, const Case& test_case);

}  // namespace gradproof::corpus
