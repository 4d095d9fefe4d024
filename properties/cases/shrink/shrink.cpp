#include "properties/cases/shrink/shrink.h"

#include <utility>
#include <vector>

#include "properties/cases/shrink/read_elements.h"
#include "properties/cases/shrink/simpler_cases.h"

namespace gradproof::cases {
namespace {

using Clock = std::chrono::steady_clock;

class Descent {
 public:
  Descent(const CheckCase& check, const ShrinkSettings& settings)
      : check_(check), settings_(settings), deadline_(Clock::now() + settings.time) {}

  Shrunk from(const corpus::Case& test_case) {
    best_.test_case = test_case;
    best_.verdict = run(test_case);
    if (best_.verdict.outcome != corpus::Outcome::Disagree) return best_;
    signature_ = best_.verdict.signature();
    if (is_large(test_case)) narrow();
    while (!is_over() && step()) {
    }
    best_.finished = !is_over();
    return best_;
  }

 private:
  bool is_over() const {
    return Clock::now() >= deadline_ || (settings_.stop && settings_.stop->load());
  }

  corpus::Verdict run(const corpus::Case& test_case) {
    ++best_.tried;
    return check_(test_case);
  }

  bool take(corpus::Case candidate) {
    auto verdict = run(candidate);
    if (verdict.signature() != signature_) return false;
    best_.test_case = std::move(candidate);
    best_.verdict = std::move(verdict);
    return true;
  }

  /// Sizes that the fault needs make each run slow, and time may be up before they have shrunk: so
  /// first the data are those that the wrong element reads, or lie near them, and these are made
  /// few.
  void narrow() {
    const auto culprit = best_.verdict.culprit;
    if (!culprit || !best_.verdict.outputs[*culprit].worst) return;
    const std::vector<std::int64_t> at = best_.verdict.outputs[*culprit].worst->at;
    for (const std::int64_t more : {0, 4, 32}) {
      if (is_over()) return;
      auto candidate = with_what_an_element_reads(best_.test_case, *culprit, at, more);
      if (!candidate || !take(std::move(*candidate))) continue;
      place_ = SimplerCases::first_of_fewer_elements();
      return;
    }
  }

  /// Takes one accepted step, or false after a whole round without one.
  bool step() {
    SimplerCases simpler(best_.test_case, place_);
    while (auto candidate = simpler.next()) {
      if (is_over()) return false;
      if (!take(std::move(*candidate))) continue;
      place_ = simpler.place();
      return true;
    }
    return false;
  }

  const CheckCase& check_;
  const ShrinkSettings& settings_;
  Clock::time_point deadline_;
  Shrunk best_;
  std::string signature_;
  SimplerCases::StepPlace place_;
};

}  // namespace

Shrunk shrink(const corpus::Case& test_case, const CheckCase& check,
              const ShrinkSettings& settings) {
  return Descent(check, settings).from(test_case);
}

}  // namespace gradproof::cases
