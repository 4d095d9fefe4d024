#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/cases/machines/model.h"
#include "properties/runs/probes/prober.h"

namespace gradproof::runs {

/// Random operands and the gradient that the target made of them.
struct RandomRun {
  Operands operands;
  std::vector<std::byte> result;
};

/// Every bit of the significands is drawn, over eight binades and both signs; every fourth run has
/// zeros among them, every fifth sums that nearly cancel.
Operands random_operands(const Prober& prober, std::uint64_t seed);

/// A random result that the model predicts wrongly, made small: products that do not matter for it
/// are zero.
struct Miss {
  oracle::Shape element{};
  std::vector<std::string> products;  ///< "0x1.8p+0 * 0x1p-3" each
  double predicted = 0, computed = 0;
};

/// D, H, W of elements in the gradient's lifted shape.
using Position = std::array<std::int64_t, 3>;

inline Position position_of(const oracle::Shape& element) {
  return {element[2], element[3], element[4]};
}

/// Quality of a model's predictions.
struct Prediction {
  std::uint64_t compared = 0, missed = 0;
  std::uint64_t not_compared = 0;     ///< the model has no tree for them, or they are out of range
  std::uint64_t missed_here = 0;      ///< at the position of the measured element
  std::vector<oracle::Shape> misses;  ///< some of them
  std::set<Position> open;            ///< where one was missed or not compared
};

/// Compares results with what models predict. An explicit tree predicts those elements alone whose
/// products have the same numbers as the ones that it was measured with.
class Predictor {
 public:
  Predictor(const cases::SitePlan& plan, const corpus::Case& call, const cases::Site& measured);

  Prediction of(const cases::Model& model, const std::vector<RandomRun>& runs, std::uint64_t most);

  /// True if the element is another one than predicted.
  bool misses(const cases::Model& model, const RandomRun& run, const oracle::Shape& at);

  /// The miss at this element of the run, smaller. The target is asked again and again.
  Probed<Miss> shrunk(Prober& prober, const cases::Model& model, RandomRun run,
                      const oracle::Shape& at);

 private:
  void take(const cases::Model& model);
  /// The tree of the model's that is said to hold here: 0, or one more than a place in `elsewhere`.
  std::size_t tree_at(const oracle::Shape& element) const;
  const cases::AdditionTree& tree_for(const cases::Model& model, std::size_t which,
                                      const std::vector<std::int64_t>& numbers);
  std::optional<double> predicted(const cases::Model& model, const RandomRun& run,
                                  const cases::Site& site);
  double computed(const RandomRun& run, const oracle::Shape& at) const;

  const cases::SitePlan& plan_;
  const corpus::Case& call_;
  cases::Site measured_;
  /// Sites of every element, or of some that are spread evenly where there are too many products;
  /// first some at the measured position.
  std::vector<cases::Site> sites_;
  // Of the model in hand:
  std::map<Position, std::size_t> places_;                    ///< of `elsewhere`
  std::vector<std::vector<std::int64_t>> products_of_trees_;  ///< that they were measured with
  std::map<std::pair<std::size_t, std::vector<std::int64_t>>, cases::AdditionTree> trees_;
};

}  // namespace gradproof::runs
