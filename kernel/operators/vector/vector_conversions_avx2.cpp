// Compiled for AVX2; called only where the processor has it.

#include "kernel/operators/vector/vector_conversions.h"

#if defined(__AVX2__)

#include "kernel/operators/vector/vector_conversions_body.h"

namespace gradproof::kernel::operators {
namespace {

struct Types {
  using Floats = float __attribute__((vector_size(32)));
  using Words = std::uint32_t __attribute__((vector_size(32)));
  using Signed = std::int32_t __attribute__((vector_size(32)));
  using Shorts = std::uint16_t __attribute__((vector_size(16)));
};

constexpr VectorConversions all = conversions<Types>();

}  // namespace

const VectorConversions* avx2_conversions() { return &all; }

}  // namespace gradproof::kernel::operators

#else

namespace gradproof::kernel::operators {

const VectorConversions* avx2_conversions() { return nullptr; }

}  // namespace gradproof::kernel::operators

#endif
