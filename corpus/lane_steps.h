#pragma once

#include <cstddef>
#include <cstdint>

#include "corpus/element_draw.h"
#include "corpus/element_lanes.h"

namespace gradproof::corpus {

/// So many elements at once, and steps of so many: whole vectors only.
inline constexpr std::size_t chunk_length = 256, lane_step = 16;

/// Intermediate values of some elements, from hashes to stored bits.
struct LaneChunk {
  alignas(64) std::uint64_t values[chunk_length];  ///< doubles
  alignas(64) std::byte elements[chunk_length * 4];
};

/// Plan to draw the elements of one tensor.
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
  void (*mix)(std::uint64_t* hashes, std::size_t count);
  /// From hashes to `chunk.elements`.
  void (*draw)(const LanePlan& plan, const std::uint64_t* hashes, LaneChunk& chunk,
               std::size_t count);
};

/// Steps for these instructions; null for `None`, and where the compiler does not know them.
const LaneSteps* lane_steps(Lanes lanes);

/// Encodes elements, the last step for the types of 8 bits, which no instructions help with.
void encode_bytes(const std::uint64_t* hashes, LaneChunk& chunk, std::size_t count,
                  std::uint64_t density, DataType dtype);

}  // namespace gradproof::corpus
