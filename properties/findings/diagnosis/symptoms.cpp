#include "properties/findings/diagnosis/symptoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "properties/cases/laws/law.h"
#include "properties/findings/diagnosis/around.h"
#include "properties/findings/diagnosis/fresh_runs.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::DisagreementKind;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::Verdict;
using Clock = std::chrono::steady_clock;

/// Largest number of the calls that a law makes that are run alone.
constexpr std::size_t most_calls_of_a_law = 16;

/// A target that notes what it is asked.
class NotingTarget : public targets::Target {
 public:
  /// The library outlives this: `target` holds it.
  explicit NotingTarget(targets::Target& target)
      : targets::Target(
            std::shared_ptr<const targets::Library>(std::shared_ptr<void>(), &target.library())),
        target_(target) {}

  const std::vector<Case>& asked() const { return asked_; }

  tl::expected<std::uint64_t, std::string> free_memory() override { return target_.free_memory(); }
  bool gains_by_batches() const override { return target_.gains_by_batches(); }
  bool endangers_this_process() const override { return target_.endangers_this_process(); }

 private:
  corpus::Observation run_one(const Case& test_case,
                              const targets::RunSettings& settings) override {
    note({&test_case, 1});
    return target_.run_case(test_case, settings);
  }
  std::vector<corpus::Observation> run_several(std::span<const Case> cases,
                                               const targets::RunSettings& settings) override {
    note(cases);
    return target_.run_cases(cases, settings);
  }
  std::vector<corpus::Observation> run_together(std::span<const Case> cases,
                                                const targets::RunSettings& settings) override {
    note(cases);
    return target_.run_on_streams(cases, settings);
  }

  void note(std::span<const Case> cases) {
    for (const Case& test_case : cases) {
      if (std::ranges::find(asked_, test_case) == asked_.end()) asked_.push_back(test_case);
    }
  }

  targets::Target& target_;
  std::vector<Case> asked_;
};

bool is_about_status(const Verdict& verdict) {
  return verdict.kind == DisagreementKind::Status || verdict.kind == DisagreementKind::Expectation;
}

bool is_about_values(const Verdict& verdict) {
  return verdict.kind == DisagreementKind::Value || verdict.kind == DisagreementKind::NaN ||
         verdict.kind == DisagreementKind::Untouched;
}

/// A crash would end this process, a call that hangs its thread.
bool may_be_run_again(const Verdict& verdict) {
  return verdict.kind != DisagreementKind::Crash && verdict.kind != DisagreementKind::Timeout;
}

Case with_all_gradients(Case test_case) {
  for (const OutputRole role : corpus::output_roles) {
    if (auto more = also_requesting(test_case, role)) test_case = std::move(*more);
  }
  return test_case;
}

class Examination {
 public:
  Examination(targets::Target& target, const DiagnosisSettings& settings)
      : target_(target),
        settings_(settings.check),
        stop_(settings.stop),
        deadline_(Clock::now() + settings.time) {}

  void run(const Case& test_case) {
    if (is_over()) return;
    Verdict verdict = cases::check(target_, test_case, settings_);
    // The first wrong gradient is the verdict's culprit: the others are looked at without it.
    for (std::size_t i = 0; i < corpus::output_roles.size() && note(verdict); ++i) {
      Case rest = test_case;
      if (!verdict.culprit || !rest.output_mask) return;
      (*rest.output_mask)[to_size(*verdict.culprit)] = false;
      if (std::ranges::none_of(*rest.output_mask, [](bool is_requested) { return is_requested; })) {
        return;
      }
      verdict = cases::check(target_, rest, settings_);
    }
  }

  void run_law(const cases::Law& law, const Case& test_case) {
    if (is_over()) return;
    NotingTarget noting(target_);
    note(cases::check_law(law, noting, test_case, settings_));
    std::size_t left = most_calls_of_a_law;
    for (const Case& call : noting.asked()) {
      if (left-- == 0) return;
      if (call.data) run(call);
    }
  }

  const std::set<std::string>& found() const { return found_; }

 private:
  bool is_over() const { return Clock::now() >= deadline_ || (stop_ && stop_->load()); }

  bool note(const Verdict& verdict) {
    if (verdict.outcome != Outcome::Disagree) return false;
    found_.insert(deviation_of(verdict));
    return true;
  }

  targets::Target& target_;
  const cases::CheckSettings& settings_;
  const std::atomic<bool>* stop_;
  Clock::time_point deadline_;
  std::set<std::string> found_;
};

}  // namespace

std::string deviation_of(const Verdict& verdict) {
  if (verdict.outcome != Outcome::Disagree) return {};
  if (is_about_status(verdict) && verdict.status) {
    return fmt::format("status {}", corpus::code(*verdict.status));
  }
  const bool is_of_values = is_about_values(verdict) && verdict.culprit;
  if (is_of_values && verdict.law == "exactness") {
    return std::string(corpus::name_of(*verdict.culprit));
  }
  const bool is_of_law = is_about_values(verdict) || verdict.kind == DisagreementKind::Law;
  return is_of_law ? verdict.signature() : std::string(corpus::name_of(verdict.kind));
}

std::vector<std::string> symptoms_of(targets::Target& target, const Case& shrunk,
                                     const Case& original, const Verdict& verdict,
                                     const DiagnosisSettings& settings) {
  const std::string own = deviation_of(verdict);
  std::vector<std::string> symptoms{own};
  if (own.empty() || !may_be_run_again(verdict)) return symptoms;
  Examination examination(target, settings);
  const Case whole = with_all_gradients(shrunk);
  for (const Case& test_case : {shrunk, whole}) {
    if (test_case.data || is_about_status(verdict)) examination.run(test_case);
  }
  const auto recipe = recipe_of(original);
  for (const Case& run : fresh_runs(whole, recipe, settings.check)) examination.run(run);
  for (const Case& run : cases_around(whole, settings.check)) examination.run(run);
  if (const cases::Law* law = cases::law_named(verdict.law)) examination.run_law(*law, shrunk);
  for (const std::string& symptom : examination.found()) {
    if (symptom != own) symptoms.push_back(symptom);
  }
  return symptoms;
}

}  // namespace gradproof::findings::diagnosis
