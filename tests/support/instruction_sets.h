#pragma once

#include <vector>

#include "oracle/numbers/instruction_set.h"

namespace gradproof::oracle {

/// Those that this processor has.
inline std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> result;
  for (const auto set : {InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512,
                         InstructionSet::Avx512Ifma}) {
    if (set <= widest_instruction_set()) result.push_back(set);
  }
  return result;
}

}  // namespace gradproof::oracle
