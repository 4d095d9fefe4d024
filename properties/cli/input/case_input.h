#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/product.h"
#include "properties/cli/arguments.h"
#include "properties/cli/exit_code.h"
#include "properties/cli/grammar/configuration.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/campaign/work.h"

namespace gradproof::cli {

/// What case files hold.
struct CasesOfFiles {
  std::vector<runs::StoredCase> cases;
  /// Cases of other tools' files that are left out, and why: sentences.
  std::vector<std::string> left_out;
  bool name_products = true;  ///< false: all are other tools' cases, which name none
};

/// All cases of the files: JSON Lines, one case or finding as JSON, another tool's file
/// (properties/advice/interop/imported_cases.h), or "-" for the standard input. Everything is read
/// before anything runs. Errors: the first culprit, as FILE:LINE: key.path: problem.
tl::expected<CasesOfFiles, std::string> read_case_files(const std::vector<std::string>& files);

/// Says on the standard error what was left out; whether anything was.
bool say_left_out(const CasesOfFiles& files);

/// What a command ends with that would otherwise end with `code`: something left out is not 0.
ExitCode with_left_out(const CasesOfFiles& files, ExitCode code);

/// The stored cases that come with the program.
tl::expected<std::vector<runs::StoredCase>, std::string> cases_of_the_program();

/// The target's findings of earlier runs in the folder.
tl::expected<std::vector<runs::StoredCase>, std::string> stored_findings(
    const std::filesystem::path& folder, const findings::TargetIdentity& target);

/// The arguments with modules of torch.nn and lines of key:value among the operands made words of
/// the call. Errors: a sentence.
tl::expected<Arguments, std::string> with_typed_words(Arguments arguments);

/// The call that the options of a command line say; its id is "call". Errors: a sentence.
tl::expected<corpus::Case, std::string> typed_call(const Arguments& arguments);

/// What verify and generate are told; a call among the operands is all that the selection
/// generates. Errors: a sentence, also where options narrow what a typed call says itself.
tl::expected<Configuration, std::string> configuration_with_call(const Arguments& typed);

/// The call on each of the products; as it is where there are none.
std::vector<corpus::Case> on_products(const corpus::Case& test_case,
                                      const std::vector<corpus::Product>& products);

/// Reads the cases of the files, or the typed call on each of the products. Errors: a sentence.
tl::expected<CasesOfFiles, std::string> replayed_cases(
    const Arguments& arguments, const std::vector<corpus::Product>& products);

}  // namespace gradproof::cli
