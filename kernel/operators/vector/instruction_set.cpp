#include "kernel/operators/vector/instruction_set.h"

#include "kernel/operators/vector/highway_targets.h"
// Only then Highway.
#include "hwy/targets.h"

namespace gradproof::kernel::operators {

std::string_view name_of(InstructionSet instructions) {
  switch (instructions) {
    case InstructionSet::Avx512:
      return "AVX-512";
    case InstructionSet::Avx2:
      return "AVX2";
    case InstructionSet::Sse4:
      return "SSE4";
    case InstructionSet::Baseline:
      break;
  }
  return hwy::TargetName(HWY_STATIC_TARGET);
}

#if HWY_ARCH_X86

// All that Highway lets the compiler use for a target.
bool processor_has(InstructionSet instructions) {
  switch (instructions) {
    case InstructionSet::Avx512:
      return processor_has(InstructionSet::Avx2) && __builtin_cpu_supports("avx512f") != 0 &&
             __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
             __builtin_cpu_supports("avx512vl") != 0;
    case InstructionSet::Avx2:
      return processor_has(InstructionSet::Sse4) && __builtin_cpu_supports("avx2") != 0 &&
             __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi") != 0 &&
             __builtin_cpu_supports("bmi2") != 0;
    case InstructionSet::Sse4:
      return __builtin_cpu_supports("sse4.2") != 0;
    case InstructionSet::Baseline:
      break;
  }
  return true;
}

#else

bool processor_has(InstructionSet instructions) { return instructions == InstructionSet::Baseline; }

#endif

}  // namespace gradproof::kernel::operators
