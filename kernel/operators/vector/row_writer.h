#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/operators/call/arithmetic.h"
#include "kernel/operators/call/tensor_view.h"
#include "kernel/operators/vector/vector_conversions.h"

namespace gradproof::kernel::operators {

/// Writes rows of sums into the tensor of their gradient: the one rounding on the way out, to the
/// type that leaves the cores and from there to the tensor's.
class RowWriter {
 public:
  /// `leaving`: what sums leave the cores in.
  RowWriter(const Destination& destination, numeric::Format leaving, numeric::OverflowMode mode,
            const VectorKernels& kernels);

  /// Writes `count` sums; the first one's element is `onto`, counted from element (0, 0, 0, 0, 0),
  /// and the others follow `step` apart.
  void write(const float* sums, std::int64_t count, std::int64_t onto, std::int64_t step) const {
    constexpr std::int64_t fills_vectors = 16;  // shorter rows: element by element
    if (store_neighbours_ != nullptr && step == 1 && count >= fills_vectors) {
      store_neighbours_(sums, first_ + onto * element_bytes_, count);
    } else {
      store_(*this, {sums, count, onto, step});
    }
  }

 private:
  struct Row {
    const float* sums;
    std::int64_t count, onto, step;
  };

  template <typename Computed, typename Codec>
  static void store(const RowWriter& writer, const Row& row);

  std::byte* first_;
  numeric::OverflowMode mode_;
  void (*store_)(const RowWriter& writer, const Row& row) = nullptr;
  std::int64_t element_bytes_;
  /// Narrows neighbours by vector instructions and stores them; null where those lack it.
  VectorConversions::Narrow store_neighbours_ = nullptr;
};

}  // namespace gradproof::kernel::operators
