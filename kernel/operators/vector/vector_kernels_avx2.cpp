// Compiled for AVX2 and FMA; called only where the processor has them.

#include "kernel/operators/vector/vector_kernels_sets.h"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#include "kernel/operators/vector/vector_kernels_body.h"

namespace gradproof::kernel::operators {
namespace {

struct Vector {
  using Type = __m256;
  static constexpr std::int64_t lanes = 8, registers = 16;
  static constexpr bool has_fused = true;

  static Type zero() { return _mm256_setzero_ps(); }
  static Type load(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, Type values) { _mm256_storeu_ps(to, values); }
  static Type broadcast(const float* from) { return _mm256_broadcast_ss(from); }
  static Type multiplied(Type left, Type right) { return _mm256_mul_ps(left, right); }
  static Type added(Type left, Type right) { return _mm256_add_ps(left, right); }
  static Type fused(Type sums, Type left, Type right) { return _mm256_fmadd_ps(left, right, sums); }

  /// Rows 4 apart as the halves of a vector; then 4 x 4 squares inside each half.
  static void transpose_square(const float* from, std::int64_t step, float* to,
                               std::int64_t to_step) {
    for (std::int64_t i = 0; i < 2; ++i) {
      Type rows[4];
      for (std::int64_t j = 0; j < 4; ++j) {
        const float* const first = from + j * step + 4 * i;
        rows[j] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(first)),
                                       _mm_loadu_ps(first + 4 * step), 1);
      }
      const Type low01 = _mm256_unpacklo_ps(rows[0], rows[1]);
      const Type high01 = _mm256_unpackhi_ps(rows[0], rows[1]);
      const Type low23 = _mm256_unpacklo_ps(rows[2], rows[3]);
      const Type high23 = _mm256_unpackhi_ps(rows[2], rows[3]);
      float* const onto = to + 4 * i * to_step;
      store(onto, _mm256_shuffle_ps(low01, low23, 0x44));
      store(onto + to_step, _mm256_shuffle_ps(low01, low23, 0xEE));
      store(onto + 2 * to_step, _mm256_shuffle_ps(high01, high23, 0x44));
      store(onto + 3 * to_step, _mm256_shuffle_ps(high01, high23, 0xEE));
    }
  }
};

constexpr VectorKernels kernels = kernels_of<Vector>(InstructionSet::Avx2);

}  // namespace

const VectorKernels* avx2_kernels() { return &kernels; }

}  // namespace gradproof::kernel::operators

#else

namespace gradproof::kernel::operators {

const VectorKernels* avx2_kernels() { return nullptr; }

}  // namespace gradproof::kernel::operators

#endif
