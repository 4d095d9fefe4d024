#include "oracle/judge/tiling_judge.h"

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

bool is_of_dx(const corpus::Case& problem) { return corpus::computes_dx(problem.api); }

}  // namespace

std::optional<bool> lacks_tiling(const corpus::Case& problem) {
  if (!is_of_dx(problem)) return tiling::filter_lacks_tiling(problem);
  const auto prediction = tiling::input_prediction(problem);
  if (prediction.kind == Kind::Unknown) return std::nullopt;
  return prediction.kind == Kind::NoTiling;
}

std::optional<std::string> flaw_of_tiling(const corpus::Case& problem,
                                          std::span<const TilingField> filled) {
  constexpr std::string_view who = "the specification";
  if (!is_of_dx(problem)) {
    const auto prediction = tiling::filter_prediction(problem);
    if (auto flaw = first_difference(prediction.fields, filled, who)) return flaw;
    return tiling::flaw_of_filter_blocks(problem, filled);
  }
  const auto prediction = tiling::input_prediction(problem);
  if (prediction.kind == Kind::NoTiling) return "GetTiling gives a tiling where none fits L1";
  return first_difference(prediction.fields, filled, who);
}

std::optional<std::string> flaw_against_expectation(const corpus::Case& problem,
                                                    std::span<const TilingField> filled) {
  if (!problem.expect) return std::nullopt;
  return first_difference(problem.expect->tiling, filled, "the case expects");
}

}  // namespace gradproof::oracle
