#include "oracle/judge/judge_stages.h"

#include <fmt/core.h>

#include <algorithm>

#include "oracle/tiling/prediction.h"

namespace gradproof::oracle {
namespace {

using corpus::TilingField;
using Kind = tiling::Prediction::Kind;

/// In the order of the structure's fields; what the library fills in addition is not looked at.
std::optional<std::string> first_difference(std::span<const TilingField> wanted,
                                            std::span<const TilingField> filled,
                                            std::string_view who) {
  for (const TilingField& field : wanted) {
    const auto same = std::ranges::find(filled, field.name, &TilingField::name);
    if (same == filled.end()) return fmt::format("GetTiling fills no field {}", field.name);
    if (same->value == field.value) continue;
    return fmt::format("GetTiling gives {} = {}, {} {}", field.name, same->value, who, field.value);
  }
  return std::nullopt;
}

tiling::Prediction prediction_of(const corpus::Case& test_case) {
  const bool is_dx = corpus::computes_dx(test_case.api);
  return is_dx ? tiling::input_prediction(test_case) : tiling::filter_prediction(test_case);
}

}  // namespace

std::optional<bool> lacks_tiling(const corpus::Case& test_case) {
  const auto prediction = prediction_of(test_case);
  if (prediction.kind == Kind::Unknown) return std::nullopt;
  return prediction.kind == Kind::NoTiling;
}

std::optional<std::string> flaw_of_tiling(const corpus::Case& test_case,
                                          std::span<const TilingField> filled) {
  const auto prediction = prediction_of(test_case);
  if (prediction.kind == Kind::NoTiling) return "GetTiling gives a tiling where none fits L1";
  return first_difference(prediction.fields, filled, "the specification");
}

std::optional<std::string> flaw_against_expectation(const corpus::Case& test_case,
                                                    std::span<const TilingField> filled) {
  if (!test_case.expect) return std::nullopt;
  return first_difference(test_case.expect->tiling, filled, "the case expects");
}

}  // namespace gradproof::oracle
