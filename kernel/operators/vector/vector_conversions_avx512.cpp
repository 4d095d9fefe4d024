// Compiled for AVX-512; called only where the processor has it.

#include "kernel/operators/vector/vector_conversions.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)

#include "kernel/operators/vector/vector_conversions_body.h"

namespace gradproof::kernel::operators {
namespace {

struct Types {
  using Floats = float __attribute__((vector_size(64)));
  using Words = std::uint32_t __attribute__((vector_size(64)));
  using Signed = std::int32_t __attribute__((vector_size(64)));
  using Shorts = std::uint16_t __attribute__((vector_size(32)));
};

constexpr VectorConversions all = conversions<Types>();

}  // namespace

const VectorConversions* avx512_conversions() { return &all; }

}  // namespace gradproof::kernel::operators

#else

namespace gradproof::kernel::operators {

const VectorConversions* avx512_conversions() { return nullptr; }

}  // namespace gradproof::kernel::operators

#endif
