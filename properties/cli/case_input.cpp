#include "properties/cli/case_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <system_error>

#include "corpus/case_json.h"
#include "properties/laws/law.h"
#include "properties/results/findings.h"

namespace gradproof::properties::cli {
namespace {

namespace fs = std::filesystem;
using Cases = std::vector<corpus::Case>;

tl::expected<Cases, corpus::CaseError> read_standard_input(const std::string& name) {
  Cases cases;
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto problem = corpus::parse_case(line, number);
    if (!problem) {
      corpus::CaseError error = problem.error();
      error.file = name;
      return tl::unexpected(std::move(error));
    }
    cases.push_back(std::move(*problem));
  }
  return cases;
}

tl::expected<Cases, corpus::CaseError> read_file(const std::string& file) {
  if (file == "-") return read_standard_input(file);
  if (fs::path(file).extension() != ".json") return corpus::read_cases(file);
  auto problem = read_finding(file);
  if (!problem) return tl::unexpected(problem.error());
  return Cases{std::move(*problem)};
}

/// Seen from the program's own folder: in an installed tree, in a build tree.
constexpr std::string_view case_folders[] = {"../share/gradproof/cases", "../../../corpus/cases"};

std::vector<std::string> files_that_come_with_the_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const std::string_view folder : case_folders) {
    std::vector<std::string> files;
    const fs::path place = (program.parent_path() / folder).lexically_normal();
    for (const auto& entry : fs::recursive_directory_iterator(place, error)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    if (!files.empty()) return files;
  }
  return {};
}

}  // namespace

tl::expected<std::vector<StoredCase>, std::string> read_case_files(
    const std::vector<std::string>& files) {
  std::vector<StoredCase> stored;
  for (const std::string& file : files) {
    auto cases = read_file(file);
    if (!cases) return tl::unexpected(cases.error().text());
    const bool is_finding = file != "-" && fs::path(file).extension() == ".json";
    const std::string law = is_finding ? law_of_finding(file) : std::string();
    if (!law.empty() && law_named(law) == nullptr) {
      return tl::unexpected(
          fmt::format("{}: law: \"{}\" is no law; `gradproof list laws` shows them", file, law));
    }
    const auto profile = is_finding ? profile_of_finding(file) : std::nullopt;
    for (corpus::Case& problem : *cases) {
      stored.push_back({std::move(problem), file, law, profile});
    }
  }
  return stored;
}

tl::expected<std::vector<StoredCase>, std::string> cases_of_the_program() {
  return read_case_files(files_that_come_with_the_program());
}

tl::expected<std::vector<StoredCase>, std::string> stored_findings(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::path& file : finding_files(folder)) files.push_back(file.string());
  return read_case_files(files);
}

}  // namespace gradproof::properties::cli
