#include "properties/cases/coverage/coverage.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "properties/cases/classes/legal_combinations.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {
namespace {

/// Rules that reject every call they apply to; all other calls count as keeping them.
struct Refusal {
  std::string_view rule, reason;
};
constexpr Refusal refusals[] = {
    {"PROD-01", "speaks only about products without the operator"},
    {"G-01", "speaks only about products without the operator"},
    {"GF-01", "speaks only about products without the operator"},
    {"SHAPE-08", "speaks only about calls of which gradOutput alone is empty"},
    {"EMPTY-15", "speaks only about empty calls on products that take none"}};

/// Rules that break only together with another: of 60,000 invalid calls and all stored ones, none
/// breaks such a rule alone.
constexpr Refusal accompanied[] = {
    {"DTYPE-02",
     "an output's dtype that is not listed is not that of its input either (DTYPE-04 to DTYPE-06, "
     "F8-04)"},
    {"DTYPE-03", "only mixtures with an 8-bit float have no common dtype, which F8-03 forbids too"},
    {"F8-03",
     "such a mixture has no common dtype (DTYPE-03) or breaks the rule of the output (DTYPE-04, "
     "DTYPE-06)"},
    {"CH-04", "such channels do not fit weight either (CH-01, CH-03)"},
    {"SHAPE-01",
     "no length of the smaller map fits a kernel that does not fit (SHAPE-02 to SHAPE-04)"},
    {"SHAPE-03", "input of another length does not lead to gradOutput's length (SHAPE-04)"},
    {"CUBE-04", "BF16 is no dtype of these products (DTYPE-01)"},
    {"EMPTY-04", "channels of which one side is 0 do not fit each other (EMPTY-11)"},
    {"EMPTY-05", "such a rank breaks RANK-01 and RANK-02"},
    {"G-08", "the format breaks G-07"},
    {"GF-08", "groups with HIFLOAT8 break HW-06"}};

void add_triples(Coverage& coverage, const Classes& classes) {
  for_each_triple(classes, [&](std::size_t place) { coverage.triples[place] = true; });
}

void add_pairs(Coverage& coverage, const Classes& classes) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = i + 1; j < classes.size(); ++j) {
      ++coverage.pairs.at(classes.at(i)).at(classes.at(j));
    }
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
    : triples(legal_triples().size()),
      corners(cases::corners().size()),
      rules(oracle::all_status_rules().size()) {}

void Coverage::add(const corpus::Case& test_case) {
  add(footprint_of({test_case, oracle::Profile::Documented}));
}

void Coverage::add(const Footprint& footprint) {
  ++cases;
  discarded += footprint.discarded;
  grouped += footprint.is_grouped ? 1 : 0;
  transposed += footprint.is_transposed ? 1 : 0;
  empty += footprint.is_empty ? 1 : 0;
  legal += footprint.is_legal ? 1 : 0;
  for (const std::uint16_t rule : footprint.decided) ++rules.at(rule).decides;
  for (const std::uint16_t rule : footprint.kept) ++rules.at(rule).kept;
  if (footprint.broken_alone) ++rules.at(*footprint.broken_alone).alone;
  if (footprint.is_legal) {
    for (const std::uint16_t rule : footprint.decided) ++rules.at(rule).alone;
  }
  for (const std::uint16_t corner : footprint.corners) ++corners.at(corner);
  if (!footprint.classes) return;
  add_pairs(*this, *footprint.classes);
  add_triples(*this, *footprint.classes);
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
  for (std::size_t i = 0; i < triples.size(); ++i) triples[i] = triples[i] || other.triples[i];
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] += other.corners[i];
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].decides += other.rules[i].decides;
    rules[i].kept += other.rules[i].kept;
    rules[i].alone += other.rules[i].alone;
  }
}

std::string_view why_never_decides(const oracle::StatusRule& rule) {
  if (!rule.never_decides.empty()) return rule.never_decides;
  if (rule.id == "G-19") return "only tensors of gigabytes have such lengths";
  const bool is_generated = std::ranges::any_of(
      generated_apis, [&](corpus::Api api) { return rule.calls.contains(api); });
  return is_generated ? std::string_view{} : "its call is not among the generated ones";
}

std::string_view why_never_kept(const oracle::StatusRule& rule) {
  if (const auto reason = why_never_decides(rule); !reason.empty()) return reason;
  const auto* row = std::ranges::find(refusals, rule.id, &Refusal::rule);
  return row == std::end(refusals) ? std::string_view{} : row->reason;
}

std::string_view why_never_alone(const oracle::StatusRule& rule) {
  if (const auto reason = why_never_decides(rule); !reason.empty()) return reason;
  const auto* row = std::ranges::find(accompanied, rule.id, &Refusal::rule);
  return row == std::end(accompanied) ? std::string_view{} : row->reason;
}

DecisionCount decision_count(const Coverage& coverage) {
  DecisionCount count;
  const auto rules = oracle::all_status_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!why_never_alone(rules[i]).empty()) continue;
    ++count.possible;
    const RuleSides& sides = coverage.rules[i];
    // Calls that such a rule does not speak about keep it.
    const bool is_kept = why_never_kept(rules[i]).empty() ? sides.kept > 0 : coverage.legal > 0;
    count.shown += sides.alone > 0 && is_kept ? 1 : 0;
  }
  return count;
}

CoverageGaps gaps_of(const Coverage& coverage) {
  CoverageGaps gaps;
  for_each_legal_pair([&](std::size_t i, std::size_t j) {
    if (coverage.pairs.at(i).at(j) > 0) return;
    gaps.pairs.push_back(fmt::format("{} x {}", call_classes.at(i).name, call_classes.at(j).name));
  });
  for (std::size_t i = 0; i < coverage.triples.size(); ++i) {
    if (coverage.triples[i]) continue;
    const auto [first, second, third] = legal_triples()[i];
    gaps.triples.push_back(fmt::format("{} x {} x {}", call_classes.at(first).name,
                                       call_classes.at(second).name, call_classes.at(third).name));
  }
  const auto rules = oracle::all_status_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const RuleSides& sides = coverage.rules[i];
    if (sides.decides == 0 && why_never_decides(rules[i]).empty()) {
      gaps.never_broken.emplace_back(rules[i].id);
    }
    if (sides.kept == 0 && why_never_kept(rules[i]).empty()) {
      gaps.never_kept.emplace_back(rules[i].id);
    }
    if (sides.alone == 0 && why_never_alone(rules[i]).empty()) {
      gaps.never_alone.emplace_back(rules[i].id);
    }
  }
  const auto rows = corners();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (coverage.corners[i] == 0) gaps.corners.emplace_back(rows[i].name);
  }
  return gaps;
}

CombinationCount triple_count(const Coverage& coverage) {
  const auto hit = std::ranges::count(coverage.triples, true);
  return {.legal = coverage.triples.size(), .hit = static_cast<std::uint64_t>(hit)};
}

CombinationCount pair_count(const Coverage& coverage) {
  CombinationCount count;
  for_each_legal_pair([&](std::size_t i, std::size_t j) {
    ++count.legal;
    count.hit += coverage.pairs.at(i).at(j) > 0 ? 1 : 0;
  });
  return count;
}

}  // namespace gradproof::cases
