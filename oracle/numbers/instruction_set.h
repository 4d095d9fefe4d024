#pragma once

#include <cstdint>

namespace gradproof::oracle {

/// The processor instructions that the oracle has code for, each including those before it. Which
/// of them run changes no result: everything they compute is exact.
enum class InstructionSet : std::uint8_t {
  Portable,
  Avx2,        ///< and FMA
  Avx512,      ///< F, DQ and CD
  Avx512Ifma,  ///< and 52-bit integer multiply-adds
};

/// The widest that this processor has.
InstructionSet widest_instruction_set();

}  // namespace gradproof::oracle
