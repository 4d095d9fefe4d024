#pragma once

// Which of Highway's targets are built. To be included before anything of Highway's. Its headers
// are all that is used: what would need its library, asking the processor, is in
// instruction_set.cpp.

// Left out: vectors whose length is known at run time only can't be kept in arrays of sums.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_SSSE3)
// Instructions that no kernel here needs, so that no processor need have them.
#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_F16C

#include "hwy/detect_targets.h"
#include "kernel/operators/vector/instruction_set.h"

/// The instruction set of the target that is being compiled.
#define GRADPROOF_INSTRUCTIONS                       \
  (HWY_TARGET == HWY_AVX3   ? InstructionSet::Avx512 \
   : HWY_TARGET == HWY_AVX2 ? InstructionSet::Avx2   \
   : HWY_TARGET == HWY_SSE4 ? InstructionSet::Sse4   \
                            : InstructionSet::Baseline)

/// Address of `name` as an instruction set's target defined it; null where it was not built.
#define GRADPROOF_OF_TARGET(instructions, name)                     \
  ((instructions) == InstructionSet::Avx512 ? HWY_CHOOSE_AVX3(name) \
   : (instructions) == InstructionSet::Avx2 ? HWY_CHOOSE_AVX2(name) \
   : (instructions) == InstructionSet::Sse4 ? HWY_CHOOSE_SSE4(name) \
                                            : HWY_CHOOSE_FALLBACK(name))
