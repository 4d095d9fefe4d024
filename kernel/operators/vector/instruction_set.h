#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gradproof::kernel::operators {

/// The vector instructions that the innermost loops are compiled for. Which of them run changes no
/// bit.
enum class InstructionSet : std::uint8_t {
  Baseline,  ///< what every processor of the architecture has: NEON; on x86-64 no vectors
  Sse4,
  Avx2,    ///< and FMA
  Avx512,  ///< F, BW, DQ and VL
};

inline constexpr std::array instruction_sets{InstructionSet::Baseline, InstructionSet::Sse4,
                                             InstructionSet::Avx2, InstructionSet::Avx512};

/// E.g. "NEON" or "AVX-512".
std::string_view name_of(InstructionSet instructions);

bool processor_has(InstructionSet instructions);

}  // namespace gradproof::kernel::operators
