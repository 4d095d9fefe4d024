#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/laws/adversary.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"
#include "properties/cases/laws/shared_sums.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::OutputRole;
using corpus::Verdict;

constexpr std::string_view not_offered = "schedules: the target takes no seed and no threads",
                           several = "schedules: gradWeight in several bit patterns",
                           one_pattern = "schedules: gradWeight in one bit pattern";

/// Products of one gradInput element up to which Ascend950 cuts no sum into segments, whose order
/// is another than the loops'; channels counted in whole blocks, as its cores have them.
constexpr std::int64_t longest_whole_sum = 2048, largest_block = 32;

Case in_mode(const Case& test_case, bool deterministic) {
  Case run = with_shared_sums(test_case);
  run.deterministic = deterministic;
  return run;
}

bool is_ascend950(const Case& test_case) {
  return corpus::product_of(test_case) == corpus::Product::Ascend950;
}

/// Runs the call under every schedule: outputs that are fixed must have the bits of the usual call,
/// all outputs must keep their bounds.
class Schedules {
 public:
  Schedules(targets::Target& target, const Case& test_case, const CheckSettings& settings)
      : target_(target),
        problem_(test_case),
        settings_(settings),
        adversary_(target, test_case, settings) {}

  Verdict verdict(const std::function<bool(OutputRole)>& is_fixed) {
    Observed usual = adversary_.observe();
    if (usual.ended) return std::move(*usual.ended);
    usual_ = std::move(usual.seen);
    Verdict verdict = judgement(usual_);
    if (verdict.outcome != corpus::Outcome::Agree) return verdict;
    note_pattern(usual_);
    for (std::size_t i = 0; i < Adversary::schedules; ++i) {
      if (auto wrong = wrong_under(i, is_fixed)) return std::move(*wrong);
    }
    verdict.tallies = tallies();
    return verdict;
  }

 private:
  /// Judges an observation. In deterministic mode equal bits decide: no oracle is asked.
  Verdict judgement(const Observation& seen) {
    if (!problem_.deterministic)
      return judged({problem_, settings_.judge.profile}, seen, settings_);
    return settled(problem_, seen, agreed("the same bits under every schedule"));
  }

  std::optional<Verdict> wrong_under(std::size_t schedule,
                                     const std::function<bool(OutputRole)>& is_fixed) {
    Observed now = adversary_.observe(schedule);
    if (now.ended) return std::move(*now.ended);
    const std::string circumstances = adversary_.words_of(schedule);
    for (const OutputRole role : corpus::output_roles) {
      if (!is_fixed(role)) continue;
      auto differing = difference_of(role, problem_, usual_, now.seen, circumstances);
      if (!differing) continue;
      differing->reason += adversary_.cause(schedule, usual_);
      return differing;
    }
    // Bits that were seen before were judged before.
    if (!note_pattern(now.seen)) return std::nullopt;
    Verdict verdict = judgement(now.seen);
    if (verdict.outcome == corpus::Outcome::Agree) return std::nullopt;
    verdict.reason = circumstances + ": " + verdict.reason;
    return verdict;
  }

  /// True if these bits are new. The tally has no meaning without machine settings.
  bool note_pattern(const Observation& seen) {
    std::vector<std::byte> bits;
    for (const auto& output : seen.outputs) {
      bits.insert(bits.end(), output.bits.begin(), output.bits.end());
    }
    grad_weight_.insert(seen.outputs[OutputRole::GradWeight].bits);
    return patterns_.insert(std::move(bits)).second;
  }

  std::vector<std::string> tallies() const {
    if (!target_.library().takes_machine_settings()) return {std::string(not_offered)};
    const bool may_vary = !problem_.deterministic && !is_ascend950(problem_) &&
                          corpus::is_requested(problem_, OutputRole::GradWeight);
    if (!may_vary) return {};
    return {std::string(grad_weight_.size() > 1 ? several : one_pattern)};
  }

  targets::Target& target_;
  const Case& problem_;
  const CheckSettings& settings_;
  Adversary adversary_;
  Observation usual_;
  std::set<std::vector<std::byte>> patterns_, grad_weight_;
};

/// True if gradInput's sums on the cores are those of the plain loops to the last bit.
bool has_whole_sums(const Case& test_case) {
  if (!is_ascend950(test_case)) return true;
  const auto sizes = convolution_of(test_case);
  if (!sizes) return false;
  const std::int64_t channels =
      test_case.transposed ? sizes->big_channels_per_group : sizes->small_channels_per_group;
  std::int64_t products = (channels + largest_block - 1) / largest_block * largest_block;
  for (const SpatialAxis& axis : sizes->axes) {
    if (products > longest_whole_sum) return false;
    products *= axis.kernel;
  }
  return products <= longest_whole_sum;
}

/// Describes which of two paths with different results is wrong, by the exact gradients.
std::string who_is_wrong(const Case& test_case, const Observation& loops, const Observation& cores,
                         const CheckSettings& settings) {
  const auto is_wrong = [&](const Observation& seen) {
    return judged({test_case, settings.judge.profile}, seen, settings).outcome ==
           corpus::Outcome::Disagree;
  };
  const bool wrong_loops = is_wrong(loops), wrong_cores = is_wrong(cores);
  if (wrong_loops == wrong_cores) {
    return wrong_loops ? "; both are wrong" : "; neither is beyond the bound";
  }
  return wrong_loops ? "; the plain loops are wrong" : "; the simulated cores are wrong";
}

}  // namespace

Verdict schedule_determinism(targets::Target& target, const Case& test_case,
                             const CheckSettings& settings) {
  const Case run = in_mode(test_case, true);
  return Schedules(target, run, settings).verdict([](OutputRole) { return true; });
}

Verdict schedule_bound(targets::Target& target, const Case& test_case,
                       const CheckSettings& settings) {
  const Case run = in_mode(test_case, false);
  // The documents promise no bits in this mode. The simulated backend does: gradInput and gradBias
  // have one owner an element, and Ascend950 adds in a fixed order.
  const bool is_simulated = target.library().takes_machine_settings();
  return Schedules(target, run, settings).verdict([&](OutputRole role) {
    return is_simulated && (role != OutputRole::GradWeight || is_ascend950(run));
  });
}

Verdict path_independence(targets::Target& target, const Case& test_case,
                          const CheckSettings& settings) {
  if (!target.library().takes_machine_settings()) {
    return law_skipped("the target takes no machine settings (gradproof/machine.h)");
  }
  const Case run = in_mode(test_case, false);
  CheckSettings plain = settings;
  plain.run.machine.plain_path = true;
  Observed loops = observe(target, run, plain, "the plain loops");
  if (loops.ended) return std::move(*loops.ended);
  CheckSettings alone = settings;
  alone.run.machine.cores = 1;
  Observed one = observe(target, run, alone, "one simulated core");
  if (one.ended) return std::move(*one.ended);
  for (const OutputRole role : corpus::output_roles) {
    if (role == OutputRole::GradInput && !has_whole_sums(run)) continue;
    auto differing =
        difference_of(role, run, loops.seen, one.seen, "on one simulated core instead of loops");
    if (!differing) continue;
    differing->reason += who_is_wrong(run, loops.seen, one.seen, settings);
    return std::move(*differing);
  }
  Observed all = observe(target, run, settings, "the simulated cores");
  if (all.ended) return std::move(*all.ended);
  return judged({run, settings.judge.profile}, all.seen, settings);
}

}  // namespace gradproof::cases::laws_detail
