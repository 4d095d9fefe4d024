#pragma once

#include <optional>
#include <string>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/advice/tensors/given_tensors.h"

namespace gradproof::advice {

/// Comparison of a layer's forward output with its gradients.
struct LayerPair {
  bool is_broken = false;
  std::string sentence;
};

/// Holds both directions of one layer to the adjoint identity: without its bias the output's inner
/// product with gradOutput is that of gradInput and input, and that of gradWeight and weight. It
/// needs no exact result, and covers every element. `gradients`, `forward`: problem_with() must be
/// nullopt for each. nullopt: the data are not such that the law is exact.
std::optional<LayerPair> pair_of(const GivenTensors& gradients, const GivenTensors& forward,
                                 const oracle::JudgeSettings& judge);

}  // namespace gradproof::advice
