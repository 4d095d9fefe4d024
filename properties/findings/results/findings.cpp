#include "properties/findings/results/findings.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/json/json_text.h"
#include "corpus/words/file_contents.h"
#include "properties/cases/laws/law.h"
#include "properties/findings/picture/picture_json.h"
#include "properties/findings/results/results_file.h"
#include "properties/findings/results/shell_word.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string file_name_of(std::string signature) {
  std::ranges::replace_if(
      signature, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '_');
  return signature + ".json";
}

Json worst_of(const corpus::Verdict& verdict) {
  if (!verdict.culprit) return nullptr;
  const auto& worst = verdict.outputs[to_size(*verdict.culprit)].worst;
  if (!worst) return nullptr;
  return {{"index", worst->at},
          {"computed", worst->computed},
          {"exact", worst->exact},
          {"bound", worst->bound},
          {"terms", worst->terms}};
}

/// Lines of their own, as the case's: their numbers stay as they are written there.
constexpr std::string_view calls_begin = ",\n\"callsBefore\":[\n", calls_end = "\n]";

std::string calls_text(const std::vector<corpus::Case>& calls) {
  if (calls.empty()) return {};
  std::string text(calls_begin);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ",\n", corpus::to_json_line(calls[i]));
  }
  return text += calls_end;
}

/// FNV-1a, to tell the files of targets apart.
std::uint32_t mark_of(std::string_view name) {
  std::uint32_t hash = 0x811C9DC5U;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x01000193U;
  return hash;
}

/// Returns the text under a key of a finding's file; empty where there is none.
std::string word_of(const fs::path& file, const char* key) {
  const auto text = corpus::file_contents(file);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object() || !json.contains(key) || !json[key].is_string()) return {};
  return json[key].get<std::string>();
}

}  // namespace

bool may_be_same(const TargetIdentity& one, const TargetIdentity& other) {
  if (one.name.empty() || other.name.empty() || one.name == other.name) return true;
  return !one.sha256.empty() && one.sha256 == other.sha256;
}

fs::path finding_file(const fs::path& folder, const std::string& signature) {
  return folder / "findings" / file_name_of(signature);
}

fs::path finding_file(const fs::path& folder, const std::string& signature,
                      const TargetIdentity& target) {
  fs::path file = finding_file(folder, signature);
  if (may_be_same(target_of_finding(file), target)) return file;
  const std::uint32_t mark = mark_of(target.name);
  return finding_file(folder, fmt::format("{}-{:08x}", signature, mark));
}

std::optional<std::string> save_finding(const fs::path& folder, const Finding& finding) {
  Json json;
  json["signature"] = finding.signature;
  json["reason"] = finding.verdict.reason;
  json["diagnosis"] = finding.diagnosis;
  json["symptoms"] = finding.symptoms;
  if (finding.verdict.culprit) json["output"] = corpus::name_of(*finding.verdict.culprit);
  json["worst"] = worst_of(finding.verdict);
  if (cases::law_named(finding.verdict.law) != nullptr) json["law"] = finding.verdict.law;
  if (finding.profile) json["profile"] = oracle::name_of(*finding.profile);
  if (!finding.target.name.empty()) json["target"] = finding.target.name;
  if (!finding.target.sha256.empty()) json["targetSha256"] = finding.target.sha256;
  if (!finding.options.empty()) json["options"] = finding.options;
  json["replayOptions"] = finding.replay_options;
  json["minimised"] = finding.minimised;
  json["secondsToFind"] = finding.seconds_to_find;
  json["secondsToShrink"] = finding.seconds_to_shrink;
  if (finding.picture) json["picture"] = picture_json(*finding.picture);
  // As text, so that the numbers of the canonical line stay as they are written there.
  const std::string head = corpus::json_text(json);
  const std::string text =
      fmt::format("{}{},\n\"case\":{},\n\"original\":{}}}\n", head.substr(0, head.size() - 1),
                  calls_text(finding.calls_before), corpus::to_json_line(finding.test_case),
                  corpus::to_json_line(finding.original));
  const fs::path file = finding_file(folder, finding.signature, finding.target);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    return fmt::format("{}: cannot be made: {}", file.parent_path().string(), error.message());
  return write_file(file, text);
}

tl::expected<corpus::Case, corpus::CaseError> read_finding(const fs::path& file) {
  const auto failed = [&](std::string key, std::string problem) {
    return tl::unexpected(corpus::CaseError{file.string(), 0, std::move(key), std::move(problem)});
  };
  const auto text = corpus::file_contents(file);
  if (!text) return failed("", text.error());
  // The case stands on a line of its own: it is parsed from there, so that an error names that
  // line.
  constexpr std::string_view mark = "\n\"case\":";
  const auto begin = text->find(mark);
  if (!Json::accept(*text) || begin == std::string::npos) {
    return failed("case", "not a finding: a JSON object with a line \"case\":{...} was expected");
  }
  const auto from = begin + mark.size();
  auto end = text->find('\n', from);
  if (end == std::string::npos) end = text->size();
  std::string_view line(text->data() + from, end - from);
  if (line.ends_with(',')) line.remove_suffix(1);
  auto problem = corpus::parse_case(line, 2);
  if (problem) return std::move(*problem);
  corpus::CaseError error = problem.error();
  error.file = file.string();
  return tl::unexpected(std::move(error));
}

std::vector<corpus::Case> calls_before_finding(const fs::path& file) {
  std::vector<corpus::Case> calls;
  const auto text = corpus::file_contents(file).value_or("");
  const auto begin = text.find(calls_begin);
  if (begin == std::string::npos) return calls;
  const auto from = begin + calls_begin.size();
  std::istringstream lines(text.substr(from, text.find(calls_end, from) - from));
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(',')) line.pop_back();
    if (auto call = corpus::parse_case(line, calls.size() + 1)) calls.push_back(std::move(*call));
  }
  return calls;
}

TargetIdentity target_of_finding(const fs::path& file) {
  return {.name = word_of(file, "target"), .sha256 = word_of(file, "targetSha256")};
}

std::string options_of_finding(const fs::path& file) { return word_of(file, "options"); }

std::string law_of_finding(const fs::path& file) { return word_of(file, "law"); }

std::optional<oracle::Profile> profile_of_finding(const fs::path& file) {
  const std::string name = word_of(file, "profile");
  for (const auto profile : {oracle::Profile::Documented, oracle::Profile::Released}) {
    if (name == oracle::name_of(profile)) return profile;
  }
  return std::nullopt;
}

std::string with_profile(const std::string& options, std::optional<oracle::Profile> profile) {
  if (profile.value_or(oracle::Profile::Documented) == oracle::Profile::Documented) return options;
  return fmt::format("{} --profile {}", options, oracle::name_of(*profile));
}

std::string replay_command(const fs::path& file, const std::string& options) {
  return fmt::format("gradproof replay {}{}", shell_word(file.string()), options);
}

std::string replay_of_finding(const fs::path& file) {
  return replay_command(file, word_of(file, "replayOptions"));
}

std::vector<fs::path> finding_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "findings", error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<fs::path> finding_files(const fs::path& folder, const TargetIdentity& target) {
  auto files = finding_files(folder);
  std::erase_if(
      files, [&](const fs::path& file) { return !may_be_same(target_of_finding(file), target); });
  return files;
}

}  // namespace gradproof::findings
