#include "properties/findings/results/deviations.h"

#include <fmt/core.h>

#include <cstddef>
#include <utility>

#include "properties/findings/diagnosis/symptoms.h"
#include "properties/findings/results/sparse_counts.h"

namespace gradproof::findings {
namespace {

/// Fewer may have a class in common by chance.
constexpr std::uint64_t fewest_wrong_calls = 8;

/// Name for a wrong status of any code: one cause may give different statuses.
constexpr const char* any_status = "a wrong status";

bool is_about_status(const corpus::Verdict& verdict) {
  return verdict.kind == corpus::DisagreementKind::Status ||
         verdict.kind == corpus::DisagreementKind::Expectation;
}

}  // namespace

void Deviations::Calls::add(const cases::Classes& classes) {
  ++all;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    // Classes of later dimensions have higher indices.
    for (std::size_t j = i; j < classes.size(); ++j) ++pairs.at(classes[i]).at(classes[j]);
  }
}

void Deviations::Calls::merge(const Calls& other) {
  all += other.all;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < pairs.size(); ++j) pairs.at(i).at(j) += other.pairs.at(i).at(j);
  }
}

void Deviations::add(const cases::Footprint& footprint, const corpus::Verdict& verdict) {
  if (!footprint.classes || verdict.outcome == corpus::Outcome::Skipped) return;
  judged_.add(*footprint.classes);
  const bool is_wrong =
      verdict.outcome == corpus::Outcome::Disagree && is_about_status(verdict) && verdict.status;
  if (!is_wrong) return;
  for (const std::string& deviation : {diagnosis::deviation_of(verdict), std::string(any_status)}) {
    wrong_[deviation].add(*footprint.classes);
  }
}

void Deviations::merge(const Deviations& other) {
  judged_.merge(other.judged_);
  for (const auto& [deviation, calls] : other.wrong_) wrong_[deviation].merge(calls);
}

nlohmann::json Deviations::saved_judged() const {
  return {judged_.all, sparse_rows(judged_.pairs)};
}

Deviations Deviations::of_judged(const nlohmann::json& saved) {
  Deviations deviations;
  deviations.judged_.all = saved.at(0);
  add_sparse_rows(saved.at(1), deviations.judged_.pairs);
  return deviations;
}

bool Deviations::is_exact(const Calls& wrong, std::size_t first, std::size_t second) const {
  return wrong.pairs.at(first).at(second) == wrong.all &&
         judged_.pairs.at(first).at(second) == wrong.all;
}

std::optional<ExactPlace> Deviations::place_of(const std::string& deviation) const {
  if (!wrong_.contains(deviation)) return std::nullopt;
  auto place = exact_place_of(deviation);
  return place ? place : exact_place_of(any_status);
}

std::optional<ExactPlace> Deviations::exact_place_of(const std::string& deviation) const {
  const Calls& wrong = wrong_.at(deviation);
  if (wrong.all < fewest_wrong_calls || wrong.all == judged_.all) return std::nullopt;
  const auto place = [&](std::string classes) {
    std::string sentence = fmt::format(
        "{} comes exactly where a legal call is {}: in all {} such calls of the run, and in none "
        "of the other {}",
        deviation, classes, wrong.all, judged_.all - wrong.all);
    return ExactPlace{std::move(classes), std::move(sentence)};
  };
  for (std::size_t i = 0; i < cases::call_classes.size(); ++i) {
    if (is_exact(wrong, i, i)) return place(std::string(cases::call_classes.at(i).name));
  }
  for (std::size_t i = 0; i < cases::call_classes.size(); ++i) {
    for (std::size_t j = i + 1; j < cases::call_classes.size(); ++j) {
      if (!is_exact(wrong, i, j)) continue;
      return place(
          fmt::format("{} and {}", cases::call_classes.at(i).name, cases::call_classes.at(j).name));
    }
  }
  return std::nullopt;
}

}  // namespace gradproof::findings
