#include "kernel/operators/vector/row_writer.h"

#include <cstring>

namespace gradproof::kernel::operators {
namespace {

void copy(const float* from, std::byte* to, std::int64_t count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
}

}  // namespace

template <typename Computed, typename Codec>
void RowWriter::store(const RowWriter& writer, const Row& row) {
  const numeric::OverflowMode mode = writer.mode_;
  const auto result = [&](std::int64_t i) {
    return Computed::decode(Computed::encode(row.sums[i], mode));
  };
  // Twice, so that the compiler sees neighbours in the first.
  if (row.step == 1) {
    for (std::int64_t i = 0; i < row.count; ++i) {
      numeric::store<Codec>(result(i), mode, writer.first_, row.onto + i);
    }
    return;
  }
  for (std::int64_t i = 0; i < row.count; ++i) {
    numeric::store<Codec>(result(i), mode, writer.first_, row.onto + i * row.step);
  }
}

RowWriter::RowWriter(const Destination& destination, numeric::Format leaving,
                     numeric::OverflowMode mode, const VectorKernels& kernels)
    : first_(destination.first),
      mode_(mode),
      element_bytes_(static_cast<std::int64_t>(numeric::size_of(destination.view.format))) {
  const numeric::Format format = destination.view.format;
  const bool rounds_once = leaving == format || leaving == numeric::Format::Binary32;
  numeric::with_codec(format, [&](auto codec) {
    using Codec = decltype(codec);
    store_ = store<numeric::Binary32, Codec>;
    if (rounds_once) return;
    numeric::with_codec(leaving, [&](auto between) { store_ = store<decltype(between), Codec>; });
  });
  if (!rounds_once || mode == numeric::OverflowMode::Saturation) return;
  const VectorConversions& conversions = conversions_of(kernels);
  if (format == numeric::Format::Binary32) store_neighbours_ = copy;
  if (format == numeric::Format::Half) store_neighbours_ = conversions.narrow_half;
  if (format == numeric::Format::BFloat16) store_neighbours_ = conversions.narrow_bfloat16;
}

}  // namespace gradproof::kernel::operators
