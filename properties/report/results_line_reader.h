#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/verdict.h"

namespace gradproof::properties {

/// A line of results.jsonl read back: what a summary counts and what tells findings apart. Worst
/// elements are not read.
struct ResultsLine {
  std::string id;
  std::optional<corpus::Case> problem;  ///< disagreements only
  std::optional<corpus::Distribution> recipe;
  corpus::Verdict verdict;
  std::string repro;
};

/// Errors: what is missing or of another type.
tl::expected<ResultsLine, std::string> parse_results_line(std::string_view line);

}  // namespace gradproof::properties
