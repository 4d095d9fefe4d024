#include "corpus/case_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "corpus/json/json_object.h"
#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"
#include "corpus/words/file_contents.h"
#include "corpus/words/foreign_text.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {
namespace {

/// Reads a tensor; null: a null pointer is passed. What has attributes may leave a key out.
std::optional<TensorCase> read_tensor_or_null(JsonObject& object, std::string_view key, Api api) {
  const bool left_out = key.empty() || (has_attributes(api) && !object.has(key));
  if (left_out || object.reads_null(key)) return std::nullopt;
  return read_tensor(object.object(key));
}

/// Returns the name of a profile. nullopt: another text; "tolerant" is a way to judge a library.
std::optional<std::string> profile_named(std::string_view name) {
  if (name == "documented" || name == "released") return std::string(name);
  return std::nullopt;
}

std::vector<TilingField> read_tiling(JsonObject object) {
  std::vector<TilingField> fields;
  for (const std::string& name : object.keys()) fields.push_back({name, object.integer(name)});
  return fields;
}

Expectation read_expectation(JsonObject object) {
  Expectation expectation;
  expectation.status = static_cast<Status>(object.integer("status", INT32_MIN, INT32_MAX));
  if (object.has("stage")) expectation.stage = object.text("stage");
  if (object.has("stated")) object.text("stated");  // "nonzero": the test asks for no more
  if (object.has("profile")) {
    expectation.profile = object.named("profile", "profile", profile_named);
  }
  if (object.has("tiling")) expectation.tiling = read_tiling(object.object("tiling"));
  object.refuse_unread();
  return expectation;
}

/// A shape whose element count overflows int64 is an error, unless the case expects a refusal.
void refuse_uncountable_shapes(JsonObject& object, const Case& test_case) {
  if (test_case.expect && test_case.expect->status != Status::Success) return;
  const auto refuse = [&](std::string_view key, const std::optional<TensorCase>& described) {
    const bool negative =
        described && std::ranges::any_of(described->shape, [](auto length) { return length < 0; });
    if (!described || negative || element_count(described->shape)) return;
    object.fail(fmt::format("{}.shape", key),
                "the number of elements overflows 64 bits (a case that means to be refused states "
                "its expect.status)");
  };
  for (const InputRole role : input_roles)
    refuse(name_of(test_case, role), tensor(test_case, role));
  for (const OutputRole role : output_roles)
    refuse(name_of(test_case, role), tensor(test_case, role));
}

Case read_case(JsonObject object) {
  Case test_case;
  test_case.id = foreign_name(object.text("id"));
  if (object.has("source")) test_case.source = foreign_name(object.text("source"));
  test_case.api = object.named("api", "api", api_named);
  test_case.soc = object.text("soc");
  if (!has_attributes(test_case.api)) {
    const auto product = object.meaning("soc", product_from_words);
    if (!object.failed()) test_case.soc = name_of(product);
  }
  if (object.has("socExercised")) test_case.soc_exercised = object.text("socExercised");
  for (const InputRole role : input_roles) {
    tensor(test_case, role) = read_tensor_or_null(object, name_of(test_case, role), test_case.api);
  }
  row_of(test_case.api).read(object, test_case);
  for (const OutputRole role : output_roles) {
    tensor(test_case, role) = read_tensor_or_null(object, name_of(test_case, role), test_case.api);
  }
  if (object.has("deterministic")) test_case.deterministic = object.boolean("deterministic");
  if (object.has("shapeConsistent")) test_case.shape_consistent = object.boolean("shapeConsistent");
  if (object.has("data")) test_case.data = read_data(object.object("data"), test_case);
  if (object.has("expect")) test_case.expect = read_expectation(object.object("expect"));
  if (test_case.expect && !test_case.expect->tiling.empty() && !is_tiling_class(test_case.api)) {
    object.fail("expect.tiling", fmt::format("{} fills no tiling", name_of(test_case.api)));
  }
  refuse_uncountable_shapes(object, test_case);
  object.refuse_unread();
  return test_case;
}

bool names_no_number(const nlohmann::json& value) {
  return value == "inf" || value == "-inf" || value == "nan";
}

/// Restates a range as published suites have them: one number, infinite ends, a normal
/// distribution. The numbers are our own there; the range of means stands for such a distribution,
/// special values for infinite ends.
void restate_range(nlohmann::json& parsed) {
  if (!parsed.is_object() || !parsed.contains("data") || !parsed["data"].is_object()) return;
  nlohmann::json& data = parsed["data"];
  if (!data.contains("range")) return;
  nlohmann::json& range = data["range"];
  if (range.is_number()) range = nlohmann::json::array({range, range});
  if (range.is_object() && range.value("name", "") == "nd" && range.contains("mean")) {
    range = nlohmann::json(range["mean"]);
  }
  const bool is_infinite =
      names_no_number(range) ||
      (range.is_array() && std::any_of(range.begin(), range.end(), names_no_number));
  if (!is_infinite) return;
  data["distribution"] = name_of(Distribution::Specials);
  data.erase("range");
}

/// No case has arrays or objects within each other beyond a few. What comes after a parser goes
/// down them by recursion, to the end of the stack.
constexpr int most_levels = 256;

/// Parses JSON and refuses duplicate keys in one object (a parser would silently keep the last).
tl::expected<nlohmann::json, std::string> parse_json(std::string_view text) {
  std::vector<std::unordered_set<std::string>> open;
  std::string repeated;
  bool is_too_deep = false;
  const auto watch = [&](int level, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (level > most_levels) is_too_deep = true;
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second) {
      repeated = parsed.get<std::string>();
    }
    return level <= most_levels;
  };
  try {
    auto parsed = nlohmann::json::parse(text, watch);
    if (is_too_deep) {
      return tl::unexpected(
          fmt::format("arrays or objects within each other, more than {} levels", most_levels));
    }
    if (!repeated.empty()) {
      return tl::unexpected(fmt::format("duplicate key \"{}\"", repeated));
    }
    return parsed;
  } catch (const nlohmann::json::exception& error) {
    return tl::unexpected(fmt::format("not JSON: {}", words_of_json_error(error)));
  }
}

}  // namespace

std::string CaseError::text() const {
  std::string where = file;
  if (line != 0) where += fmt::format("{}{}", where.empty() ? "line " : ":", line);
  if (!key.empty()) where += fmt::format("{}{}", where.empty() ? "" : ": ", key);
  return where.empty() ? problem : fmt::format("{}: {}", where, problem);
}

tl::expected<Case, CaseError> parse_case(std::string_view text, std::size_t line) {
  auto parsed = parse_json(text);
  if (!parsed) return tl::unexpected(CaseError{{}, line, {}, parsed.error()});
  restate_range(*parsed);
  std::optional<CaseError> error;
  Case test_case = read_case(JsonObject(*parsed, "", error));
  if (!error) return test_case;
  error->line = line;
  return tl::unexpected(*error);
}

tl::expected<std::vector<Case>, CaseError> read_cases(const std::filesystem::path& file) {
  const auto contents = file_contents(file);
  if (!contents) return tl::unexpected(CaseError{file.string(), 0, {}, contents.error()});
  std::istringstream stream(*contents);
  std::vector<Case> cases;
  std::string text;
  for (std::size_t line = 1; std::getline(stream, text); ++line) {
    if (text.ends_with('\r')) text.pop_back();
    if (text.find_first_not_of(" \t") == std::string::npos) continue;
    auto parsed = parse_case(text, line);
    if (!parsed) {
      parsed.error().file = file.string();
      return tl::unexpected(std::move(parsed.error()));
    }
    cases.push_back(std::move(*parsed));
  }
  return cases;
}

}  // namespace gradproof::corpus
