#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "corpus/element_draw.h"
#include "corpus/element_lanes.h"

namespace gradproof::corpus {

/// So many elements at once, and steps of so many: whole vectors only.
inline constexpr std::size_t chunk_length = 256, lane_step = 16;
using LaneHashes = std::array<std::uint64_t, chunk_length>;

/// Elements on their way from hashes to what is stored.
struct LaneChunk {
  alignas(64) std::array<std::uint64_t, chunk_length> values;  ///< doubles
  alignas(64) std::array<std::byte, chunk_length * 4> elements;
};

/// How the elements of one tensor are drawn.
struct LanePlan {
  DataType dtype;
  Distribution distribution;
  DrawLimits limits;
};

/// Grid points are drawn in lanes below this magnitude: with 32 bits a product has 64.
inline constexpr std::uint64_t grid_magnitude_end = std::uint64_t{1} << 32;

/// The loops over elements, compiled for one set of instructions. Counts are multiples of
/// `lane_step`.
struct LaneSteps {
  /// `mixed` of each.
  void (*mix)(LaneHashes& hashes, std::size_t count);
  /// From hashes to `chunk.elements`.
  void (*draw)(const LanePlan& plan, const LaneHashes& hashes, LaneChunk& chunk, std::size_t count);
};

/// nullopt: for `Lanes::None`.
std::optional<LaneSteps> lane_steps(Lanes lanes);

}  // namespace gradproof::corpus
