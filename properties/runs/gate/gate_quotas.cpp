#include <fmt/format.h>

#include <algorithm>

#include "properties/runs/gate/gate_run.h"

namespace gradproof::runs {
namespace {

constexpr std::uint64_t least_compared = 30;
constexpr double most_refused = 0.1, most_not_compared = 0.01;

}  // namespace

void GateRun::count(const GateCall& call, Kind kind, std::uint64_t GateCount::*member) {
  if (kind == Kind::Soak || kind == Kind::Edge || kind == Kind::Last) return;
  DtypeCounts& counts = dtypes_[call.test_case.input->dtype];
  ++(counts.all.*member);
  if (kind == Kind::Layer) {
    ++(counts.classes["layer"].*member);
    return;
  }
  for (const std::string_view name : classes_of_gate(call.test_case)) {
    ++(counts.classes[name].*member);
  }
}

GateCount GateRun::counted(std::string_view name) const {
  GateCount sum;
  const bool takes_one =
      std::ranges::any_of(dtypes_, [](const auto& entry) { return entry.second.all.compared > 0; });
  for (const auto& [dtype, counts] : dtypes_) {
    const auto found = counts.classes.find(name);
    if (found == counts.classes.end() || (takes_one && counts.all.compared == 0)) continue;
    sum.asked += found->second.asked;
    sum.compared += found->second.compared;
    sum.refused += found->second.refused;
  }
  return sum;
}

bool GateRun::lacks_small_calls() const {
  return std::ranges::any_of(gate_classes, [&](std::string_view name) {
    return name != "layer" && calls_->is_asked(name) && counted(name).compared < least_compared;
  });
}

bool GateRun::lacks_calls() const {
  return lacks_small_calls() ||
         (calls_->is_asked("layer") && counted("layer").compared < least_layers);
}

void GateRun::check_quotas() {
  for (const auto& [dtype, counts] : dtypes_) {
    if (counts.all.compared == 0) verdict_.without.emplace_back(corpus::name_of(dtype));
  }
  if (verdict_.without.size() == settings_.without.size() + dtypes_.size()) {
    return decide(GateOutcome::Incomplete, "refusal", "no call was computed and compared");
  }
  if (verdict_.canaries == 0) {
    return decide(GateOutcome::Incomplete, "judge", "no answer lent itself to a test of the judge");
  }
  for (const std::string_view name : gate_classes) {
    const GateCount found = counted(name);
    if (double(found.refused) <= most_refused * double(found.asked)) continue;
    return decide(GateOutcome::Incomplete, "refusal",
                  fmt::format("it refused {} of {} calls of class {}; what it need not take is "
                              "declared by --without",
                              found.refused, found.asked, name));
  }
  for (const std::string_view name : gate_classes) {
    const std::uint64_t least = name == "layer" ? least_layers : least_compared;
    const std::uint64_t compared = counted(name).compared;
    if (!calls_->is_asked(name) || compared >= least) continue;
    return decide(GateOutcome::Incomplete, "time",
                  fmt::format("{} calls of class {} were compared, {} are asked for: give it more "
                              "--time",
                              compared, name, least));
  }
  const std::uint64_t left = verdict_.elements - verdict_.compared_elements;
  if (double(left) > most_not_compared * double(verdict_.elements)) {
    decide(GateOutcome::Incomplete, "refusal", "too many elements could not be compared");
  }
}

}  // namespace gradproof::runs
