// Compiled for AVX-512; called only where the processor has it.

#include "kernel/operators/vector/vector_kernels_sets.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)

#include <immintrin.h>

#include "kernel/operators/vector/vector_kernels_body.h"

namespace gradproof::kernel::operators {
namespace {

struct Vector {
  using Type = __m512;
  static constexpr std::int64_t lanes = 16, registers = 32;
  static constexpr bool has_fused = true;

  static Type zero() { return _mm512_setzero_ps(); }
  static Type load(const float* from) { return _mm512_loadu_ps(from); }
  static void store(float* to, Type values) { _mm512_storeu_ps(to, values); }
  static Type broadcast(const float* from) { return _mm512_set1_ps(*from); }
  static Type multiplied(Type left, Type right) { return _mm512_mul_ps(left, right); }
  static Type added(Type left, Type right) { return _mm512_add_ps(left, right); }
  static Type fused(Type sums, Type left, Type right) { return _mm512_fmadd_ps(left, right, sums); }

  // All lanes of a masked one: GCC 12 warns of its own header's undefined vector without a mask.
  static constexpr __mmask16 all = 0xFFFF;
  static Type unpacked_low(Type left, Type right) {
    return _mm512_maskz_unpacklo_ps(all, left, right);
  }
  static Type unpacked_high(Type left, Type right) {
    return _mm512_maskz_unpackhi_ps(all, left, right);
  }

  /// Four rows, 4 apart, of 128-bit quarters; then 4 x 4 squares inside each quarter.
  static void transpose_square(const float* from, std::int64_t step, float* to,
                               std::int64_t to_step) {
    Type quarters[16];
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) {
        // Rows j, j + 4, j + 8, j + 12 of columns 4 i to 4 i + 3.
        const float* const first = from + j * step + 4 * i;
        Type gathered = _mm512_castps128_ps512(_mm_loadu_ps(first));
        gathered = _mm512_insertf32x4(gathered, _mm_loadu_ps(first + 4 * step), 1);
        gathered = _mm512_insertf32x4(gathered, _mm_loadu_ps(first + 8 * step), 2);
        quarters[4 * i + j] = _mm512_insertf32x4(gathered, _mm_loadu_ps(first + 12 * step), 3);
      }
    }
    for (std::int64_t i = 0; i < 4; ++i) {
      const Type* const rows = quarters + 4 * i;
      const Type low01 = unpacked_low(rows[0], rows[1]);
      const Type high01 = unpacked_high(rows[0], rows[1]);
      const Type low23 = unpacked_low(rows[2], rows[3]);
      const Type high23 = unpacked_high(rows[2], rows[3]);
      float* const onto = to + 4 * i * to_step;
      store(onto, _mm512_shuffle_ps(low01, low23, 0x44));
      store(onto + to_step, _mm512_shuffle_ps(low01, low23, 0xEE));
      store(onto + 2 * to_step, _mm512_shuffle_ps(high01, high23, 0x44));
      store(onto + 3 * to_step, _mm512_shuffle_ps(high01, high23, 0xEE));
    }
  }
};

constexpr VectorKernels kernels = kernels_of<Vector>(InstructionSet::Avx512);

}  // namespace

const VectorKernels* avx512_kernels() { return &kernels; }

}  // namespace gradproof::kernel::operators

#else

namespace gradproof::kernel::operators {

const VectorKernels* avx512_kernels() { return nullptr; }

}  // namespace gradproof::kernel::operators

#endif
