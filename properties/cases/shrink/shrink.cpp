#include "properties/cases/shrink/shrink.h"

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

  /// Takes one accepted step, or false after a whole round without one.
  bool step() {
    SimplerCases simpler(best_.test_case, stage_);
    while (const auto candidate = simpler.next()) {
      if (is_over()) return false;
      auto verdict = run(*candidate);
      if (verdict.signature() != signature_) continue;
      best_.test_case = *candidate;
      best_.verdict = std::move(verdict);
      stage_ = simpler.stage();
      return true;
    }
    return false;
  }

  const CheckCase& check_;
  const ShrinkSettings& settings_;
  Clock::time_point deadline_;
  Shrunk best_;
  std::string signature_;
  std::size_t stage_ = 0;
};

}  // namespace

Shrunk shrink(const corpus::Case& test_case, const CheckCase& check,
              const ShrinkSettings& settings) {
  return Descent(check, settings).from(test_case);
}

}  // namespace gradproof::cases
