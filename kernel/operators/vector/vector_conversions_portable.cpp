// Vectors of four, as vector_kernels_portable.cpp has them.

#include "kernel/operators/vector/vector_conversions.h"
#include "kernel/operators/vector/vector_conversions_body.h"

namespace gradproof::kernel::operators {
namespace {

struct Types {
  using Floats = float __attribute__((vector_size(16)));
  using Words = std::uint32_t __attribute__((vector_size(16)));
  using Signed = std::int32_t __attribute__((vector_size(16)));
  using Shorts = std::uint16_t __attribute__((vector_size(8)));
};

constexpr VectorConversions all = conversions<Types>();

}  // namespace

const VectorConversions* portable_conversions() { return &all; }

const VectorConversions& conversions_of(const VectorKernels& kernels) {
  const VectorConversions* found = nullptr;
  if (kernels.instructions == InstructionSet::Avx512) found = avx512_conversions();
  if (kernels.instructions == InstructionSet::Avx2) found = avx2_conversions();
  return found != nullptr ? *found : all;
}

}  // namespace gradproof::kernel::operators
