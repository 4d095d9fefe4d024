// Vectors of four, which every processor that we know of has registers for; what the compiler makes
// of them elsewhere is right all the same.

#include "kernel/operators/vector/vector_kernels_body.h"
#include "kernel/operators/vector/vector_kernels_sets.h"

namespace gradproof::kernel::operators {
namespace {

struct Vector {
  using Type = float __attribute__((vector_size(16)));
  static constexpr std::int64_t lanes = 4, registers = 16;
  static constexpr bool has_fused = false;

  static Type zero() { return Type{}; }
  static Type load(const float* from) {
    Type values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
  }
  static void store(float* to, Type values) { __builtin_memcpy(to, &values, sizeof values); }
  static Type broadcast(const float* from) { return Type{*from, *from, *from, *from}; }
  static Type multiplied(Type left, Type right) { return left * right; }
  static Type added(Type left, Type right) { return left + right; }

  static void transpose_square(const float* from, std::int64_t step, float* to,
                               std::int64_t to_step) {
    for (std::int64_t i = 0; i < lanes; ++i) {
      store(to + i * to_step,
            Type{from[i], from[step + i], from[2 * step + i], from[3 * step + i]});
    }
  }
};

constexpr VectorKernels kernels = kernels_of<Vector>(InstructionSet::Portable);

}  // namespace

const VectorKernels* portable_kernels() { return &kernels; }

}  // namespace gradproof::kernel::operators
