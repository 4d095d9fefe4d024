#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "properties/fingerprint/prober.h"
#include "properties/machines/model.h"

namespace gradproof::properties {

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

/// How well a model predicts.
struct Prediction {
  std::uint64_t compared = 0, missed = 0;
  std::uint64_t not_compared = 0;  ///< out of range for the model
  /// Of results with as many products as the measured one, in the same places; the others' trees
  /// follow from the family alone.
  std::uint64_t missed_alike = 0;
  std::vector<oracle::Shape> misses;  ///< some of them
};

/// Compares results with what models predict. An explicit tree predicts those elements alone whose
/// products have the same numbers.
class Predictor {
 public:
  Predictor(const SitePlan& plan, const corpus::Case& call, const Site& measured);

  Prediction of(const Model& model, const std::vector<RandomRun>& runs, std::uint64_t most);

  /// Whether the element is another one than predicted.
  bool misses(const Model& model, const RandomRun& run, const oracle::Shape& at);

  /// The miss at this element of the run, smaller. The target is asked again and again.
  Probed<Miss> shrunk(Prober& prober, const Model& model, RandomRun run, const oracle::Shape& at);

 private:
  const AdditionTree& tree_for(const Model& model, const std::vector<std::int64_t>& numbers);
  std::optional<double> predicted(const Model& model, const RandomRun& run, const Site& site);
  double computed(const RandomRun& run, const oracle::Shape& at) const;

  const SitePlan& plan_;
  const corpus::Case& call_;
  std::vector<std::int64_t> measured_;
  /// Of every element, or of some that are spread evenly where there are too many products.
  std::vector<Site> sites_;
  std::map<std::vector<std::int64_t>, AdditionTree> trees_;  ///< of one model
};

}  // namespace gradproof::properties
