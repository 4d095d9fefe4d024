#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/case_error.h"
#include "properties/advice/interop/foreign_call.h"

namespace gradproof::advice {

/// Cases from another tool's file. A case that cannot be read takes nothing from the others.
struct ImportedCases {
  std::vector<corpus::Case> cases;
  std::vector<corpus::CaseError> problems;  ///< each of one case that is left out
  /// Operators of the file's other cases, which are passed over.
  std::set<std::string> other_operators;

  void add(const tl::expected<ForeignCall, corpus::CaseError>& call);
};

/// The cases of another tool's file, which is recognised by what is in it: ATK's cases (JSON),
/// TTK's (CSV), msprobe's dump.json, a trace of PyTorch's profiler. `file` is the name that sources
/// and errors say. nullopt: none of these. Errors: why nothing of the file can be read.
std::optional<tl::expected<ImportedCases, corpus::CaseError>> imported_cases(
    std::string_view text, const std::string& file);

// Of a file that was recognised. The product is Ascend910B: none of the tools says one.

/// ATK: an array with a case in each object, its arguments under "inputs".
ImportedCases cases_of_atk(const nlohmann::json& array, const std::string& file);

/// TTK: CSV with a header; Python literals in its fields.
tl::expected<ImportedCases, corpus::CaseError> cases_of_ttk(std::string_view text,
                                                            const std::string& file);

/// msprobe: one case for each convolution whose forward record says all its arguments.
ImportedCases cases_of_msprobe(const nlohmann::json& dump, const std::string& file);

/// PyTorch's profiler: one case for each different call of aten::convolution_backward.
ImportedCases cases_of_profiler_trace(const nlohmann::json& trace, const std::string& file);

}  // namespace gradproof::advice
