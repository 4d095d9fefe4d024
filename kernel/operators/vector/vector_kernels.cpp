#include "kernel/operators/vector/vector_kernels.h"

#include "kernel/operators/vector/vector_kernels_sets.h"

namespace gradproof::kernel::operators {
namespace {

bool processor_has(InstructionSet instructions) {
#if defined(__x86_64__)
  switch (instructions) {
    case InstructionSet::Avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
    case InstructionSet::Avx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case InstructionSet::Portable:
      break;
  }
#endif
  return instructions == InstructionSet::Portable;
}

const VectorKernels* built(InstructionSet instructions) {
  switch (instructions) {
    case InstructionSet::Avx512:
      return avx512_kernels();
    case InstructionSet::Avx2:
      return avx2_kernels();
    case InstructionSet::Portable:
      break;
  }
  return portable_kernels();
}

const VectorKernels& best() {
  for (const InstructionSet instructions : {InstructionSet::Avx512, InstructionSet::Avx2}) {
    if (const VectorKernels* const found = vector_kernels(instructions)) return *found;
  }
  return *portable_kernels();
}

}  // namespace

const VectorKernels* vector_kernels(InstructionSet instructions) {
  return processor_has(instructions) ? built(instructions) : nullptr;
}

const VectorKernels& best_vector_kernels() {
  static const VectorKernels& kernels = best();
  return kernels;
}

}  // namespace gradproof::kernel::operators
