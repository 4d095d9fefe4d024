#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"

namespace gradproof::targets {

/// Asks calls of a function of tensors twice, and notes which results differ in a bit. Copies
/// belong to one function: they remember together.
class AskedTwice {
 public:
  /// Function that returns the observations of each call, in their order.
  using Ask = std::function<std::vector<corpus::Observation>(std::span<const corpus::Case>)>;

  /// The first observation of each call, with what the repetition showed; or the second, where only
  /// the repetition failed. Once any results have differed, calls whose results agree are asked a
  /// few times more: what differs by chance is then seen of a smaller call too.
  std::vector<corpus::Observation> operator()(std::span<const corpus::Case> cases, const Ask& ask);

 private:
  std::shared_ptr<std::atomic<bool>> has_differed_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace gradproof::targets
