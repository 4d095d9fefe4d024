#pragma once

#include <cstdint>

#include "oracle/gradients/dense/residue_basis.h"
#include "oracle/numbers/instruction_set.h"

namespace gradproof::oracle {

/// Integers and sums are converted so many at once.
inline constexpr std::int64_t residues_at_once = 8;

/// Steps on integers, residues and sums that lie one after the other.
struct ResidueKernels {
  /// The residues of `count` integers, a multiple of residues_at_once, those of one modulus after
  /// those of the other. Integers have up to 63 bits and a sign.
  void (*residues)(const std::int64_t* integers, std::int64_t count, const ResidueBasis& basis,
                   std::int16_t* words);
  /// 32-bit digits, not carried, of eight sums that lie at `offset` of one plane for each modulus:
  /// digit d of sum i at 8 d + i. Only `count` of the sums are read, if fewer.
  void (*digits)(const ResidueBasis& basis, const std::int32_t* const* planes, std::int64_t offset,
                 std::int64_t count, std::int64_t* digits);
  /// Adds sums to others.
  void (*accumulate)(const std::int32_t* sums, std::int64_t count, std::int32_t* to);
};

/// Kernels for the widest instructions up to these; all give the same numbers.
ResidueKernels residue_kernels(InstructionSet instructions);

}  // namespace gradproof::oracle
