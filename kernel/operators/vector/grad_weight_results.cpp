#include "kernel/operators/vector/grad_weight_results.h"

namespace gradproof::kernel::operators::vector_path {

void GradWeightResults::store(const device_path::WeightTile& tile, std::span<const WeightRow> rows,
                              const float* sums, std::int64_t step) const {
  const std::int64_t first_output = tile.group * output_channels_ + tile.first_output;
  const auto place = [&](std::size_t row) {
    return view_.distance(
        {first_output, rows[row].channel, tile.depth, rows[row].tap_height, rows[row].tap_width});
  };
  // From one output channel to the next; of a single one it may be more than 64 bits hold.
  const std::int64_t output_step = tile.outputs > 1 ? view_.strides[0] : 0;
  for (std::size_t first = 0; first < rows.size();) {
    // Rows whose elements are neighbours are written at once.
    const std::int64_t onto = place(first);
    std::int64_t count = 1;
    std::size_t next = first + 1;
    while (next < rows.size() && place(next) == onto + count) {
      ++next;
      ++count;
    }
    for (std::int64_t o = 0; o < tile.outputs; ++o) {
      const float* const results = sums + o * step + static_cast<std::int64_t>(first);
      special_results_.look_at(results, count);
      writer_.write(results, count, onto + o * output_step, 1);
    }
    first = next;
  }
}

}  // namespace gradproof::kernel::operators::vector_path
