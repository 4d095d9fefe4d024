#pragma once

#include <cstdint>
#include <string_view>

namespace gradproof::oracle {

/// The processor instructions that the oracle has code for, each including those before it. Which
/// of them run changes no result: everything they compute is exact.
///
/// Not Highway's choice, which corpus/ and kernel/ leave it to: Highway 1.0 has no 52-bit integer
/// multiply-adds. Where they take both halves of products, sums take half as long as without
/// (docs/performance.md: 4.7 s of 9.5).
enum class InstructionSet : std::uint8_t {
  Portable,
  Avx2,        ///< and FMA
  Avx512,      ///< F, DQ, CD and BW
  Avx512Ifma,  ///< and 52-bit integer multiply-adds
};

/// E.g. "AVX-512 IFMA", or "portable".
std::string_view name_of(InstructionSet instructions);

/// The widest that this processor has.
InstructionSet widest_instruction_set();

}  // namespace gradproof::oracle
