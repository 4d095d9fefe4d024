#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "corpus/case.h"
#include "corpus/verdict.h"

/// Parts of the fuzz targets: cases from bytes, and checks of a case. Verdicts of disagreement are
/// findings.
namespace gradproof::fuzz {

/// A small call with data, the recipe planned; without data where the call admits none or edits
/// made it large.
std::optional<corpus::Case> small_case(std::span<const std::uint8_t> bytes);

/// A call without data, of any size.
std::optional<corpus::Case> bare_case(std::span<const std::uint8_t> bytes);

/// A small call whose inputs are views: axes in another order in memory, gaps, an offset.
std::optional<corpus::Case> strided_case(std::span<const std::uint8_t> bytes);

/// The case that a line of text is; nullopt where the parser refuses it.
std::optional<corpus::Case> parsed_case(std::span<const std::uint8_t> text);

/// cases::check on the fuzzed target.
corpus::Verdict check_values(const corpus::Case& test_case);

/// Phase one, held to the profile's status and to the statuses that a foreign library may return.
corpus::Verdict check_status(const corpus::Case& test_case);

/// check_values, and the laws that the layout of tensors changes no result.
corpus::Verdict check_layouts(const corpus::Case& test_case);

/// The canonical line of a case is read as the same case, and written as the same line.
corpus::Verdict check_round_trip(const corpus::Case& test_case);

}  // namespace gradproof::fuzz
