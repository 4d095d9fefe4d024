#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// Description of a tiling class's call.
struct TilingFrame {
  corpus::Api api = corpus::Api::Conv3DBpInputTiling;
  corpus::Product product = corpus::Product::Ascend910B;
  corpus::DataType dtype = corpus::DataType::Float16;
};

/// Every frame that a legal question inside the selection can have; empty where it admits none.
std::vector<TilingFrame> tiling_frames_of(const Selection& selection);

/// A question that breaks no rule of its class. Lengths are drawn for what they make of the
/// tiling: short last blocks of M, N and K, windows longer and shorter than a block, one buffer or
/// two, B whole in L1 or in steps, rows that L1 hardly or not at all takes. Some of the questions
/// are about gradients small enough to be computed, of at most `max_macs` multiply-accumulates.
corpus::Case draw_tiling_case(const TilingFrame& frame, std::int64_t max_macs,
                              corpus::RandomSource& random);

/// Way to break one rule of a tiling class, and as little else as can be.
struct TilingBreaker {
  std::string_view rule;
  corpus::Api api;
  /// False where the rule cannot be broken in this case, which is then discarded.
  bool (*breaks)(corpus::Case&, corpus::RandomSource&);
};

/// Every rule of theirs that a generated case can break, in the specification's order.
std::span<const TilingBreaker> tiling_breakers();

/// A question of one of the frames with the breaker's rule broken; nullopt where no try within a
/// small limit lent itself. `discarded` counts the others.
std::optional<corpus::Case> draw_broken_tiling_case(const TilingBreaker& breaker,
                                                    const std::vector<TilingFrame>& frames,
                                                    corpus::RandomSource& random, int& discarded);

}  // namespace gradproof::cases
