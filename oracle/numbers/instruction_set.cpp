#include "oracle/numbers/instruction_set.h"

namespace gradproof::oracle {
namespace {

/// Each set needs those before it, so the first that is missing decides.
InstructionSet measured() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) {
    return InstructionSet::Portable;
  }
  if (__builtin_cpu_supports("avx512f") == 0 || __builtin_cpu_supports("avx512dq") == 0 ||
      __builtin_cpu_supports("avx512cd") == 0 || __builtin_cpu_supports("avx512bw") == 0) {
    return InstructionSet::Avx2;
  }
  return __builtin_cpu_supports("avx512ifma") == 0 ? InstructionSet::Avx512
                                                   : InstructionSet::Avx512Ifma;
#else
  return InstructionSet::Portable;
#endif
}

}  // namespace

std::string_view name_of(InstructionSet instructions) {
  switch (instructions) {
    case InstructionSet::Avx2:
      return "AVX2";
    case InstructionSet::Avx512:
      return "AVX-512";
    case InstructionSet::Avx512Ifma:
      return "AVX-512 IFMA";
    case InstructionSet::Portable:
      break;
  }
  return "portable";
}

InstructionSet widest_instruction_set() {
  static const InstructionSet widest = measured();
  return widest;
}

}  // namespace gradproof::oracle
