#include "properties/findings/diagnosis/diagnosis.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "oracle/geometry/workload.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/read_elements.h"
#include "properties/findings/diagnosis/around.h"
#include "properties/findings/diagnosis/clues.h"
#include "properties/findings/diagnosis/conditions.h"
#include "properties/findings/diagnosis/fresh_runs.h"
#include "properties/findings/hypotheses/hypothesis.h"
#include "properties/findings/hypotheses/products.h"
#include "properties/findings/hypotheses/witness.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::DisagreementKind;
using corpus::Verdict;
using diagnosis::Hypothesis;
using diagnosis::Witness;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_named = 3;

bool is_about_values(const Verdict& verdict) {
  const bool by_value = verdict.kind == DisagreementKind::Value ||
                        verdict.kind == DisagreementKind::NaN ||
                        verdict.kind == DisagreementKind::Untouched;
  const bool is_compared = by_value && verdict.law == "exactness";
  // What was written outside of a tensor is often lacking inside.
  return verdict.culprit && (is_compared || verdict.kind == DisagreementKind::Overwritten);
}

/// A crash may end this process, a call that hangs its thread.
bool may_be_run_again(const Verdict& verdict) {
  return verdict.kind != DisagreementKind::Crash && verdict.kind != DisagreementKind::Timeout;
}

bool is_about_status(const Verdict& verdict) {
  return verdict.kind == DisagreementKind::Status || verdict.kind == DisagreementKind::Expectation;
}

void append(std::vector<std::string>& sentences, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(sentences));
}

/// Tests hypotheses against runs.
class HypothesisTest {
 public:
  HypothesisTest(targets::Target& target, corpus::OutputRole role,
                 const DiagnosisSettings& settings)
      : target_(target),
        role_(role),
        settings_(settings),
        deadline_(Clock::now() + settings.time) {}

  std::vector<std::string> operator()(const Case& shrunk, const Case& original) {
    auto first = diagnosis::observe(target_, shrunk, role_, settings_.check);
    if (!first || agrees(diagnosis::right_world(*first), *first)) return {};
    const auto sizes = cases::convolution_of(original);
    first->is_line = first->axes == 1;
    first->is_line_throughout = first->is_line && (!sizes || sizes->axes.size() == 1);
    name_ = corpus::name_of(shrunk, role_);
    std::vector<std::string> sentences;
    // Those of tiles are few and tell most of a call that computes so.
    if (first->tiles) sentences = held(*first, of_tiles, shrunk, original);
    if (sentences.empty()) sentences = held(*first, thoughts, shrunk, original);
    append(sentences, diagnosis::wrong_products(*first));
    return sentences;
  }

 private:
  struct Suspicion {
    Hypothesis hypothesis;
    std::size_t idle = 0;  ///< runs that are right although the fault would show on them
  };

  bool is_over() const {
    return Clock::now() >= deadline_ || (settings_.stop && settings_.stop->load());
  }

  /// The direction exchanges the tensors' parts: one fault has other words in the other.
  bool is_comparable(const Case& original, const Case& shrunk) const {
    const auto macs = oracle::mac_count(original);
    return original.transposed == shrunk.transposed && macs && *macs <= settings_.most_macs;
  }

  using Thought = std::vector<Hypothesis> (*)(const Witness&);
  static constexpr Thought of_tiles[] = {diagnosis::transform_hypotheses};
  static constexpr Thought thoughts[] = {
      diagnosis::attribute_hypotheses, diagnosis::group_hypotheses,
      diagnosis::loss_hypotheses,      diagnosis::rounding_hypotheses,
      diagnosis::sign_hypotheses,      diagnosis::place_hypotheses,
      diagnosis::layout_hypotheses,    diagnosis::lifted_axis_hypotheses};

  /// Those that hold on the case and on others like it. The shrunk case alone excludes most, at the
  /// least cost.
  std::vector<std::string> held(const Witness& first, std::span<const Thought> thoughts_of_it,
                                const Case& shrunk, const Case& original) {
    suspicions_.clear();
    wrong_ = right_ = 0;
    for (const Thought think : thoughts_of_it) {
      for (Hypothesis& hypothesis : think(first)) suspicions_.push_back({std::move(hypothesis)});
    }
    hold_against(first);
    if (suspicions_.empty()) return {};
    for (const Case& test_case : neighbours(shrunk)) run(test_case);
    if (is_comparable(original, shrunk)) {
      run(original);
      for (const Case& test_case : diagnosis::with_fresh_data(original, settings_.check)) {
        run(test_case);
      }
    }
    return is_over() ? std::vector<std::string>{} : named();
  }

  /// Runs of a large call are slow: it stands for its neighbours.
  std::vector<Case> neighbours(const Case& shrunk) const {
    return cases::is_large(shrunk) ? diagnosis::with_fresh_data(shrunk, settings_.check)
                                   : diagnosis::cases_around(shrunk, settings_.check);
  }

  void run(const Case& test_case) {
    if (is_over()) return;
    const auto witness = diagnosis::observe(target_, test_case, role_, settings_.check);
    if (witness) hold_against(*witness);
  }

  void hold_against(const Witness& witness) {
    const bool is_right = agrees(diagnosis::right_world(witness), witness);
    ++(is_right ? right_ : wrong_);
    std::vector<Suspicion> left;
    for (Suspicion& suspicion : suspicions_) {
      if (is_over()) return;
      const auto world = suspicion.hypothesis.world(witness);
      const bool holds = world && agrees(*world, witness);
      if (!holds && !is_right) continue;
      suspicion.idle += holds ? 0 : 1;
      left.push_back(std::move(suspicion));
    }
    suspicions_ = std::move(left);
  }

  /// Faults that account for every run, right or wrong; where there is none, those that account for
  /// all the wrong ones and, since a single one is soon accounted for, for at least two.
  std::vector<std::string> named() const {
    std::vector<std::string> sentences;
    const bool any_whole =
        std::ranges::any_of(suspicions_, [](const Suspicion& one) { return one.idle == 0; });
    const auto least = std::ranges::min_element(suspicions_, {}, &Suspicion::idle);
    for (const Suspicion& suspicion : suspicions_) {
      const bool is_best =
          any_whole ? suspicion.idle == 0 : suspicion.idle == least->idle && wrong_ > 1;
      if (is_best && sentences.size() < most_named) sentences.push_back(words(suspicion));
    }
    return sentences;
  }

  std::string words(const Suspicion& suspicion) const {
    std::string text =
        fmt::format("{} equals the exact result {}", name_, suspicion.hypothesis.words);
    if (suspicion.idle == 0) {
      return text + fmt::format(" (tested on {} cases, {} of them wrong)", wrong_ + right_, wrong_);
    }
    return text + fmt::format(
                      " (on all {} wrong cases; {} of {} right ones would show it as well, so it "
                      "takes more to bring it about)",
                      wrong_, suspicion.idle, right_);
  }

  targets::Target& target_;
  corpus::OutputRole role_;
  std::string_view name_;
  const DiagnosisSettings& settings_;
  Clock::time_point deadline_;
  std::vector<Suspicion> suspicions_;
  std::size_t wrong_ = 0, right_ = 0;
};

/// Phase one is right, so it is a later step that failed: rules have nothing to say of it.
bool failed_after_phase_one(targets::Target& target, const Case& shrunk, const Verdict& verdict,
                            cases::CheckSettings settings) {
  settings.run.status_only = true;
  return verdict.kind == DisagreementKind::Status && shrunk.data &&
         check(target, shrunk, settings).outcome == corpus::Outcome::Agree;
}

/// Diagnosis of a failure after phase one.
std::vector<std::string> diagnosis_of_later_failure(targets::Target& target, const Case& shrunk,
                                                    const Case& original, const Verdict& verdict,
                                                    const DiagnosisSettings& settings) {
  std::vector<std::string> sentences{verdict.reason};
  append(sentences, diagnosis::thresholds_of(target, shrunk, original, settings));
  auto needs = diagnosis::what_it_needs(target, shrunk, original, verdict.culprit, settings.check);
  if (needs) sentences.push_back(std::move(*needs));
  auto own = diagnosis::own_words(target, shrunk, settings.check.run);
  if (own) sentences.push_back(std::move(*own));
  return sentences;
}

std::vector<std::string> status_diagnosis(targets::Target& target, const Case& shrunk,
                                          const Verdict& verdict,
                                          const DiagnosisSettings& settings) {
  auto words = diagnosis::status_words(shrunk, verdict);
  append(words, diagnosis::status_hypotheses(target, shrunk, settings.check));
  targets::RunSettings status_alone = settings.check.run;
  status_alone.status_only = true;
  if (auto own = diagnosis::own_words(target, shrunk, status_alone)) {
    words.push_back(std::move(*own));
  }
  return words;
}

/// Diagnosis of a crash, by its needs alone: no values are left behind.
std::vector<std::string> diagnosis_of_crash(targets::Target& target, const Case& shrunk,
                                            const Case& original, const Verdict& verdict,
                                            const DiagnosisSettings& settings) {
  if (verdict.kind != DisagreementKind::Crash || target.endangers_this_process()) return {};
  auto needs = diagnosis::what_it_needs(target, shrunk, original, verdict.culprit, settings.check);
  return needs ? std::vector{std::move(*needs)} : std::vector<std::string>{};
}

/// Causes that account for everything: with NaN in the outputs or in the workspace beforehand all
/// other thoughts mislead. Empty where neither is read.
std::vector<std::string> memory_diagnosis(targets::Target& target, const Case& shrunk,
                                          const Case& original, const Verdict& verdict,
                                          const DiagnosisSettings& settings) {
  if (auto added =
          diagnosis::added_to_old_contents(target, shrunk, *verdict.culprit, settings.check)) {
    return {std::move(*added)};
  }
  auto read = diagnosis::depends_on_workspace(target, shrunk, verdict, settings.check);
  if (!read) return {};
  std::vector<std::string> sentences{std::move(*read)};
  auto needs = diagnosis::what_it_needs(target, shrunk, original, verdict.culprit, settings.check);
  if (needs) sentences.push_back(std::move(*needs));
  return sentences;
}

}  // namespace

std::vector<std::string> diagnosis_of(targets::Target& target, const Case& shrunk,
                                      const Case& original, const Verdict& verdict,
                                      const DiagnosisSettings& settings) {
  if (is_about_status(verdict)) {
    return failed_after_phase_one(target, shrunk, verdict, settings.check)
               ? diagnosis_of_later_failure(target, shrunk, original, verdict, settings)
               : status_diagnosis(target, shrunk, verdict, settings);
  }
  if (!may_be_run_again(verdict))
    return diagnosis_of_crash(target, shrunk, original, verdict, settings);
  if (verdict.law == "tiling") return diagnosis::tiling_words(target, shrunk, settings.check);
  std::vector<std::string> sentences;
  const auto add = [&](std::optional<std::string> sentence) {
    if (sentence) sentences.push_back(std::move(*sentence));
  };
  if (is_about_values(verdict)) {
    sentences = memory_diagnosis(target, shrunk, original, verdict, settings);
    if (!sentences.empty()) return sentences;
    add(diagnosis::bias_words(target, shrunk, original, settings.check));
    add(diagnosis::special_values_needed(target, shrunk, settings.check));
    add(diagnosis::algorithm_words(target, shrunk, verdict, settings.check));
    append(sentences, diagnosis::where_products_are_wrong(target, shrunk, verdict, settings));
  }
  const auto thresholds = is_about_values(verdict)
                              ? diagnosis::thresholds_of(target, shrunk, original, settings)
                              : std::vector<std::string>{};
  const bool is_of_law = cases::law_named(verdict.law) != nullptr;
  if (is_about_values(verdict)) {
    auto faults = HypothesisTest(target, *verdict.culprit, settings)(shrunk, original);
    const bool is_known =
        !faults.empty() && faults.front().find(" (tested on ") != std::string::npos;
    append(sentences, is_known ? faults : thresholds);
    append(sentences, is_known ? thresholds : faults);
  }
  if (!is_of_law) {
    add(diagnosis::what_it_needs(target, shrunk, original, verdict.culprit, settings.check));
  }
  add(diagnosis::laws_also_broken(target, shrunk, verdict, settings.check));
  return sentences;
}

}  // namespace gradproof::findings
