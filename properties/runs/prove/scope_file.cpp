#include "properties/runs/prove/scope.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "corpus/json/json_object.h"
#include "corpus/words/file_contents.h"

namespace gradproof::runs {
namespace {

using corpus::CaseError;
using corpus::JsonObject;
using Values = std::vector<std::int64_t>;

/// Row of a key and its values.
struct RangeRow {
  const char* key;
  Values ScopeRanges::*member;
  std::int64_t least, most;
};
constexpr std::int64_t most_length = 1024;
constexpr RangeRow range_rows[] = {
    {"axes", &ScopeRanges::axes, 1, 3},
    {"extents", &ScopeRanges::extents, 1, most_length},
    {"kernels", &ScopeRanges::kernels, 1, most_length},
    {"strides", &ScopeRanges::strides, 1, most_length},
    {"paddings", &ScopeRanges::paddings, 0, most_length},
    {"dilations", &ScopeRanges::dilations, 1, most_length},
    {"batch", &ScopeRanges::batch, 1, most_length},
    {"channels", &ScopeRanges::channels, 1, most_length},
    {"groups", &ScopeRanges::groups, 1, most_length},
};

/// "1..4". Errors: a sentence.
tl::expected<Values, std::string> values_of_text(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t low = 0, high = 0;
  const auto first = std::from_chars(text.data(), end, low);
  const bool has_dots =
      first.ec == std::errc{} && end - first.ptr > 2 && first.ptr[0] == '.' && first.ptr[1] == '.';
  const auto last = has_dots ? std::from_chars(first.ptr + 2, end, high) : first;
  if (!has_dots || last.ec != std::errc{} || last.ptr != end) {
    return tl::unexpected(
        fmt::format("\"{}\" is no range; write \"LOW..HIGH\" or a list of integers", text));
  }
  if (high < low) return tl::unexpected(fmt::format("{} is empty: {} > {}", text, low, high));
  constexpr std::int64_t most_values = 4096;
  if (low < -most_values || high > most_values) {
    return tl::unexpected(fmt::format("{} reaches beyond what any key takes", text));
  }
  Values values;
  for (std::int64_t value = low; value <= high; ++value) values.push_back(value);
  return values;
}

std::string flaw_of(const Values& values, const RangeRow& row) {
  if (values.empty()) return "the list is empty";
  for (const std::int64_t value : values) {
    if (value >= row.least && value <= row.most) continue;
    return fmt::format("{} is not from {} to {}", value, row.least, row.most);
  }
  if (std::unordered_set<std::int64_t>(values.begin(), values.end()).size() != values.size()) {
    return "a value is there twice";
  }
  return {};
}

void read_range(JsonObject& object, const RangeRow& row, ScopeRanges& ranges) {
  if (!object.has(row.key)) return;
  Values values;
  if (object.has_text(row.key)) {
    const auto read = values_of_text(object.text(row.key));
    if (!read) return object.fail(row.key, read.error());
    values = *read;
  } else {
    values = object.integers(row.key);
  }
  if (object.failed()) return;
  const std::string flaw = flaw_of(values, row);
  if (!flaw.empty()) return object.fail(row.key, flaw);
  ranges.*row.member = std::move(values);
}

void read_others(JsonObject& object, ScopeRanges& ranges) {
  if (object.has("name")) ranges.name = object.text("name");
  const bool is_word = !ranges.name.empty() && std::ranges::all_of(ranges.name, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  });
  if (!object.failed() && !is_word) {
    object.fail("name", "expected letters, digits, - and _ alone");
  }
  if (object.has("transposed")) {
    ranges.transposed = object.booleans("transposed");
    const bool is_twice = ranges.transposed == std::vector{true, true} ||
                          ranges.transposed == std::vector{false, false};
    if (!object.failed() &&
        (ranges.transposed.empty() || ranges.transposed.size() > 2 || is_twice)) {
      object.fail("transposed", "expected [false], [true] or [false, true]");
    }
  }
  if (object.has("masks")) {
    const std::string masks = object.text("masks");
    if (!object.failed() && masks != "all" && masks != "full") {
      object.fail("masks", fmt::format("\"{}\" is neither \"all\" nor \"full\"", masks));
    }
    ranges.all_masks = masks == "all";
  }
}

/// Errors: the JSON library's words, or the key that is there twice.
tl::expected<nlohmann::json, std::string> json_of_scope(std::string_view text) {
  std::unordered_set<std::string> keys;
  std::string repeated;
  const auto watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    const bool is_key = event == nlohmann::json::parse_event_t::key;
    if (is_key && !keys.insert(parsed.get<std::string>()).second)
      repeated = parsed.get<std::string>();
    return true;
  };
  try {
    auto parsed = nlohmann::json::parse(text, watch);
    if (!repeated.empty()) return tl::unexpected(fmt::format("duplicate key \"{}\"", repeated));
    return parsed;
  } catch (const nlohmann::json::exception& error) {
    return tl::unexpected("not JSON: " + corpus::words_of_json_error(error));
  }
}

}  // namespace

tl::expected<Scope, CaseError> parse_scope(std::string_view text) {
  const auto parsed = json_of_scope(text);
  if (!parsed) return tl::unexpected(CaseError{{}, 0, {}, parsed.error()});
  std::optional<CaseError> error;
  JsonObject object(*parsed, "", error);
  ScopeRanges ranges;
  ranges.name = "file";
  for (const RangeRow& row : range_rows) read_range(object, row, ranges);
  read_others(object, ranges);
  object.refuse_unread();
  if (error) return tl::unexpected(*error);
  auto scope = Scope::all_in(ranges);
  if (!scope) return tl::unexpected(CaseError{{}, 0, {}, scope.error()});
  return std::move(*scope);
}

tl::expected<Scope, CaseError> scope_named(const std::filesystem::path& name_or_file) {
  if (name_or_file == "small") {
    auto scope = Scope::all_in({});
    if (scope) return std::move(*scope);
  }
  if (name_or_file == "blocks") return block_scope();
  const auto failed = [&](std::string problem) {
    return tl::unexpected(CaseError{name_or_file.string(), 0, {}, std::move(problem)});
  };
  const auto text = corpus::file_contents(name_or_file);
  if (!text) return failed("is neither small nor blocks, and as a file it " + text.error());
  auto scope = parse_scope(*text);
  if (!scope) scope.error().file = name_or_file.string();
  return scope;
}

}  // namespace gradproof::runs
