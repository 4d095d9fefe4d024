#include "properties/coverage/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "oracle/status_oracle.h"
#include "properties/coverage/legal_pairs.h"
#include "properties/generators/random_case.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using oracle::Standing;

/// Rules that refuse everything that they speak about: their other side is every call beside.
struct Refusal {
  std::string_view rule, reason;
};
constexpr Refusal refusals[] = {
    {"PROD-01", "speaks only about products without the operator"},
    {"SHAPE-08", "speaks only about calls of which gradOutput alone is empty"},
    {"EMPTY-15", "speaks only about empty calls on products that take none"}};

bool has_no_elements(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && std::ranges::find(tensor->shape, 0) != tensor->shape.end();
}

bool is_empty(const Case& problem) {
  return std::ranges::any_of(corpus::input_roles, [&](corpus::InputRole role) {
    return has_no_elements(corpus::tensor(problem, role));
  });
}

bool decides(Standing standing) {
  return standing == Standing::Broken || standing == Standing::Permitted;
}

void add_pairs(Coverage& coverage, const Case& problem) {
  const auto classes = classes_of(problem);
  if (!classes) return;
  for (std::size_t i = 0; i < classes->size(); ++i) {
    for (std::size_t j = i + 1; j < classes->size(); ++j) {
      ++coverage.pairs.at((*classes).at(i)).at((*classes).at(j));
    }
  }
}

void add_corners(Coverage& coverage, const Case& problem) {
  const auto sizes = convolution_of(problem);
  if (!sizes) return;
  const auto rows = corners();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].contains(problem, *sizes)) ++coverage.corners[i];
  }
}

/// Visits every legal pair of classes of different dimensions.
template <typename Visit>
void for_each_legal_pair(Visit&& visit) {
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    for (std::size_t j = i + 1; j < call_classes.size(); ++j) {
      const bool related = call_classes.at(i).dimension == call_classes.at(j).dimension;
      if (!related && why_illegal(i, j).empty()) visit(i, j);
    }
  }
}

}  // namespace

Coverage::Coverage()
    : corners(properties::corners().size()), rules(oracle::all_status_rules().size()) {}

void Coverage::add(const Case& problem) {
  if (problem.api != corpus::Api::ConvolutionBackward) return;
  ++cases;
  const bool is_vain = is_empty(problem);
  discarded += discarded_draws(problem);
  if (problem.groups > 1) ++grouped;
  if (problem.transposed) ++transposed;
  if (is_vain) ++empty;
  const auto standings = oracle::rule_standings(problem);
  const bool is_legal =
      !standings.empty() && std::ranges::find(standings, Standing::Broken) == standings.end();
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (decides(standings[i])) ++rules[i].decides;
    if (is_legal && standings[i] == Standing::Met) ++rules[i].kept;
  }
  if (!is_legal) return;
  ++legal;
  if (is_vain) return;
  add_pairs(*this, problem);
  add_corners(*this, problem);
}

void Coverage::merge(const Coverage& other) {
  cases += other.cases;
  legal += other.legal;
  discarded += other.discarded;
  grouped += other.grouped;
  transposed += other.transposed;
  empty += other.empty;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < pairs.size(); ++j) pairs.at(i).at(j) += other.pairs.at(i).at(j);
  }
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] += other.corners[i];
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].decides += other.rules[i].decides;
    rules[i].kept += other.rules[i].kept;
  }
}

std::string_view why_never_decides(const oracle::StatusRule& rule) { return rule.never_decides; }

std::string_view why_never_kept(const oracle::StatusRule& rule) {
  if (!rule.never_decides.empty()) return rule.never_decides;
  const auto* row = std::ranges::find(refusals, rule.id, &Refusal::rule);
  return row == std::end(refusals) ? std::string_view{} : row->reason;
}

CoverageGaps gaps_of(const Coverage& coverage) {
  CoverageGaps gaps;
  for_each_legal_pair([&](std::size_t i, std::size_t j) {
    if (coverage.pairs.at(i).at(j) > 0) return;
    gaps.pairs.push_back(fmt::format("{} x {}", call_classes.at(i).name, call_classes.at(j).name));
  });
  const auto rules = oracle::all_status_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const RuleSides& sides = coverage.rules[i];
    if (sides.decides == 0 && why_never_decides(rules[i]).empty()) {
      gaps.never_broken.emplace_back(rules[i].id);
    }
    if (sides.kept == 0 && why_never_kept(rules[i]).empty()) {
      gaps.never_kept.emplace_back(rules[i].id);
    }
  }
  const auto rows = corners();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (coverage.corners[i] == 0) gaps.corners.emplace_back(rows[i].name);
  }
  return gaps;
}

PairCount pair_count(const Coverage& coverage) {
  PairCount count;
  for_each_legal_pair([&](std::size_t i, std::size_t j) {
    ++count.legal;
    count.hit += coverage.pairs.at(i).at(j) > 0 ? 1 : 0;
  });
  return count;
}

}  // namespace gradproof::properties
