#include "properties/cli/input/case_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/words/file_contents.h"
#include "properties/advice/interop/imported_cases.h"
#include "properties/cases/laws/law.h"
#include "properties/cli/told.h"

namespace gradproof::cli {
namespace {

namespace fs = std::filesystem;
using Cases = std::vector<corpus::Case>;

/// One case on each line.
tl::expected<Cases, corpus::CaseError> cases_of_lines(const std::string& text) {
  Cases cases;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto test_case = corpus::parse_case(line, number);
    if (!test_case) return tl::unexpected(std::move(test_case.error()));
    cases.push_back(std::move(*test_case));
  }
  return cases;
}

/// Over several lines, as an editor lays it out.
bool is_one_case(const std::string& text) {
  if (!nlohmann::json::accept(text)) return false;
  const auto object = nlohmann::json::parse(text);
  return object.is_object() && object.contains("api");
}

struct FileOfCases {
  Cases cases;
  bool is_finding = false, is_imported = false;
  std::vector<std::string> left_out;
};

FileOfCases of_import(advice::ImportedCases imported, const std::string& file) {
  FileOfCases result{std::move(imported.cases), false, true, {}};
  for (const corpus::CaseError& test_case : imported.problems) {
    result.left_out.push_back(test_case.text());
  }
  if (imported.other_operators.empty()) return result;
  result.left_out.push_back(fmt::format("{}: cases of other operators: {}", file,
                                        fmt::join(imported.other_operators, ", ")));
  return result;
}

tl::expected<FileOfCases, corpus::CaseError> read_file(const std::string& file) {
  const auto text = corpus::file_contents(file);
  if (!text) return tl::unexpected(corpus::CaseError{file, 0, {}, text.error()});
  if (auto imported = advice::imported_cases(*text, file)) {
    if (!*imported) return tl::unexpected(std::move(imported->error()));
    return of_import(std::move(**imported), file);
  }
  const bool is_finding = file != "-" && fs::path(file).extension() == ".json";
  tl::expected<Cases, corpus::CaseError> cases;
  if (is_one_case(*text)) {
    cases = corpus::parse_case(*text).map([](corpus::Case one) { return Cases{std::move(one)}; });
  } else if (is_finding) {
    auto test_case = findings::read_finding(file);
    if (!test_case) return tl::unexpected(test_case.error());
    return FileOfCases{Cases{std::move(*test_case)}, true, false, {}};
  } else {
    cases = cases_of_lines(*text);
  }
  if (cases) return FileOfCases{std::move(*cases), false, false, {}};
  cases.error().file = file;
  return tl::unexpected(std::move(cases.error()));
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

/// Of files of our own, of which nothing is left out.
tl::expected<std::vector<runs::StoredCase>, std::string> all_of(
    tl::expected<CasesOfFiles, std::string> read) {
  if (!read) return tl::unexpected(std::move(read.error()));
  return std::move(read->cases);
}

}  // namespace

tl::expected<CasesOfFiles, std::string> read_case_files(const std::vector<std::string>& files) {
  CasesOfFiles read{{}, {}, files.empty()};
  for (const std::string& file : files) {
    auto content = read_file(file);
    if (!content) return tl::unexpected(content.error().text());
    read.name_products |= !content->is_imported;
    std::ranges::move(content->left_out, std::back_inserter(read.left_out));
    const std::string law = content->is_finding ? findings::law_of_finding(file) : std::string();
    if (!law.empty() && cases::law_named(law) == nullptr) {
      return tl::unexpected(
          fmt::format("{}: law: \"{}\" is no law; `gradproof list laws` shows them", file, law));
    }
    const auto profile = content->is_finding ? findings::profile_of_finding(file) : std::nullopt;
    const auto before =
        content->is_finding ? findings::calls_before_finding(file) : std::vector<corpus::Case>();
    const std::string options =
        content->is_finding ? findings::options_of_finding(file) : std::string();
    for (corpus::Case& test_case : content->cases) {
      read.cases.push_back({std::move(test_case), file, law, profile, before, options});
    }
  }
  return read;
}

bool say_left_out(const CasesOfFiles& files) {
  for (const std::string& sentence : files.left_out) tell("left out: " + sentence);
  return !files.left_out.empty();
}

ExitCode with_left_out(const CasesOfFiles& files, ExitCode code) {
  const bool is_good = code == ExitCode::NothingDisagreed && !files.left_out.empty();
  return is_good ? ExitCode::BadUsage : code;
}

tl::expected<std::vector<runs::StoredCase>, std::string> cases_of_the_program() {
  return all_of(read_case_files(files_that_come_with_the_program()));
}

tl::expected<std::vector<runs::StoredCase>, std::string> stored_findings(
    const fs::path& folder, const findings::TargetIdentity& target) {
  std::vector<std::string> files;
  for (const fs::path& file : findings::finding_files(folder, target))
    files.push_back(file.string());
  return all_of(read_case_files(files));
}

}  // namespace gradproof::cli
