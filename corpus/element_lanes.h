#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "corpus/case.h"

namespace gradproof::corpus {

/// The processor instructions that elements can be drawn by, many at once. Which of them run
/// changes no bit.
enum class Lanes : std::uint8_t {
  None,      ///< element by element: the reference
  Baseline,  ///< what every processor of the architecture has: NEON, SSE2
  Avx2,      ///< and FMA
  Avx512,    ///< F, BW, DQ and VL
};

/// E.g. "NEON" or "AVX-512".
std::string_view name_of(Lanes lanes);

/// The widest that this processor has.
Lanes widest_lanes();

/// Entries of a tensor's first axis.
struct Entries {
  std::int64_t first, count;
};

/// Draws elements of an input into `bytes`, which has room for them, or does nothing and returns
/// false where only the reference can: other types and distributions than the usual ones.
/// `seed`: of the tensor, as `for_each_hash` takes it. `lanes`: some that the processor has.
/// `entries`: all, if absent.
bool draw_in_lanes(std::span<std::byte> bytes, const Case& test_case, InputRole role,
                   std::uint64_t seed, Lanes lanes, std::optional<Entries> entries = {});

}  // namespace gradproof::corpus
