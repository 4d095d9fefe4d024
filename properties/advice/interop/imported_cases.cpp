#include "properties/advice/interop/imported_cases.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace gradproof::advice {
namespace {

using Imported = tl::expected<ImportedCases, corpus::CaseError>;

bool has_member(const nlohmann::json& array, std::string_view key) {
  return std::ranges::any_of(array, [&](const nlohmann::json& item) { return item.contains(key); });
}

Imported failed(const std::string& file, std::string problem) {
  return tl::unexpected(corpus::CaseError{file, 0, {}, std::move(problem)});
}

Imported cases_of_array(std::string_view text, const std::string& file) {
  nlohmann::json array;
  try {
    array = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return failed(file, fmt::format("not JSON: {}", corpus::words_of_json_error(error)));
  }
  if (has_member(array, "inputs")) return cases_of_atk(array, file);
  if (has_member(array, "ph"))
    return cases_of_profiler_trace(nlohmann::json{{"traceEvents", array}}, file);
  return failed(file,
                "a JSON array of neither ATK's cases (objects with \"inputs\") nor a profiler's "
                "events (\"ph\"); cases of our own stand one on each line, without brackets");
}

/// One JSON object alone in its file; case files have one on each line.
std::optional<Imported> cases_of_object(std::string_view text, const std::string& file) {
  if (!nlohmann::json::accept(text)) return std::nullopt;
  const nlohmann::json object = nlohmann::json::parse(text);
  if (object.contains("traceEvents")) return cases_of_profiler_trace(object, file);
  const bool is_dump = object.contains("data") && object["data"].is_object() &&
                       (object.contains("task") || object.contains("level"));
  if (is_dump && !object.contains("api")) return cases_of_msprobe(object, file);
  if (object.contains("inputs") && object["inputs"].is_array()) {
    return cases_of_atk(nlohmann::json::array({object}), file);
  }
  return std::nullopt;
}

}  // namespace

void ImportedCases::add(const tl::expected<ForeignCall, corpus::CaseError>& call) {
  auto read = call.and_then(case_of);
  if (read)
    cases.push_back(std::move(*read));
  else
    problems.push_back(std::move(read.error()));
}

std::optional<Imported> imported_cases(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return std::nullopt;
  std::optional<Imported> result;
  if (text[begin] == '[') {
    result = cases_of_array(text, file);
  } else if (text[begin] == '{') {
    result = cases_of_object(text, file);
  } else if (text.substr(begin, text.find('\n', begin) - begin).find("testcase_name") !=
             std::string_view::npos) {
    result = cases_of_ttk(text, file);
  }
  if (!result || !*result) return result;
  for (corpus::CaseError& problem : (*result)->problems) problem.file = file;
  return result;
}

}  // namespace gradproof::advice
