#pragma once

#include <optional>
#include <set>
#include <vector>

#include "properties/runs/fingerprint/fingerprint.h"
#include "properties/runs/fingerprint/prediction.h"

namespace gradproof::runs {

/// From a measured tree and probed arithmetic to a machine that predicts random results, or to a
/// sentence with the smallest sum that shows what it does not explain.
///
/// In turn: the family that makes the tree; machines that differ in one thing; the measured tree
/// itself; the trees of positions that are not predicted, each measured. Arithmetic is only changed
/// where nothing is missed afterwards.
class ModelFit {
 public:
  /// `is_reversed`: see FoundArithmetic::second_place_first.
  ModelFit(Prober& prober, const cases::SitePlan& plan, const cases::Site& site,
           const FingerprintSettings& settings, bool is_reversed)
      : prober_(prober),
        plan_(plan),
        settings_(settings),
        is_reversed_(is_reversed),
        predictor_(plan, prober.call(), site) {}

  /// Sets tree, order, elsewhere and evidence of the machine. Errors: why it could not be ended.
  std::optional<ProbeProblem> run(const cases::AdditionTree& measured,
                                  corpus::GradientMachine& machine);

 private:
  using Problem = std::optional<ProbeProblem>;

  Problem draw_runs();
  Prediction predict(const corpus::GradientMachine& machine);
  void mend(corpus::GradientMachine& machine, const corpus::SummationTree& measured);
  corpus::GradientMachine best_neighbour(corpus::GradientMachine machine);
  Problem look_elsewhere(corpus::GradientMachine& machine);
  Problem measure(const Position& position, const std::set<Position>& open,
                  corpus::GradientMachine& machine);
  Problem explain(corpus::GradientMachine& machine, const Prediction& prediction);
  corpus::SummationTree ordered(const cases::AdditionTree& measured,
                                corpus::MachineProduct product) const;

  Prober& prober_;
  const cases::SitePlan& plan_;
  const FingerprintSettings& settings_;
  bool is_reversed_;
  Predictor predictor_;
  std::vector<RandomRun> runs_;
  bool is_out_of_calls_ = false;
};

}  // namespace gradproof::runs
