#include "adapters/convolution.h"

#include <cblas.h>

#include <limits>

namespace gradproof::adapters {
namespace {

constexpr std::int64_t column_limit = std::int64_t{1} << 28;  ///< elements: 1 GiB

/// Sizes of the matrices of one group of one batch part.
struct Matrices {
  explicit Matrices(const Convolution& c)
      : rows(static_cast<int>(c.small_channels / c.groups)),
        depth(static_cast<int>(c.big_channels / c.groups * taps(c))),
        positions(static_cast<int>(small_positions(c))),
        big_size(c.big_channels / c.groups * big_positions(c)),
        small_size(c.small_channels / c.groups * small_positions(c)),
        weight_size(static_cast<std::int64_t>(rows) * depth) {}
  int rows, depth, positions;
  std::int64_t big_size, small_size, weight_size;
};

const float* floats(const Elements& elements) {
  return reinterpret_cast<const float*>(elements.data());
}
float* floats(Elements& elements) { return reinterpret_cast<float*>(elements.data()); }

/// Position on the big side, or -1 in the padding.
std::int64_t met(const Axis& axis, std::int64_t position, std::int64_t tap) {
  const std::int64_t index = position * axis.stride + tap * axis.dilation - axis.pad;
  return index >= 0 && index < axis.big ? index : -1;
}

/// Calls `visit(column element, index in the channel)` for one row of the columns, padding left
/// out.
template <typename Visit>
void along_row(const Convolution& c, std::int64_t tap, Visit visit) {
  const auto& [d, h, w] = c.axes;
  const std::int64_t tap_w = tap % w.kernel, tap_h = tap / w.kernel % h.kernel,
                     tap_d = tap / w.kernel / h.kernel;
  for (std::int64_t i = 0, count = small_positions(c); i < count; ++i) {
    const std::int64_t at_w = met(w, i % w.small, tap_w);
    const std::int64_t at_h = met(h, i / w.small % h.small, tap_h);
    const std::int64_t at_d = met(d, i / w.small / h.small, tap_d);
    if (at_w >= 0 && at_h >= 0 && at_d >= 0) visit(i, (at_d * h.big + at_h) * w.big + at_w);
  }
}

/// Calls `visit(index in the columns, index in the group's big part)`.
template <typename Visit>
void for_each_product(const Convolution& c, Visit visit) {
  const std::int64_t channels = c.big_channels / c.groups, count = taps(c);
  for (std::int64_t row = 0; row < channels * count; ++row) {
    along_row(c, row % count, [&](std::int64_t column, std::int64_t position) {
      visit(row * small_positions(c) + column, row / count * big_positions(c) + position);
    });
  }
}

std::vector<float> image_to_columns(const Convolution& c, const Matrices& m, const float* big) {
  std::vector<float> columns(static_cast<std::size_t>(m.depth) * m.positions);
  for_each_product(c, [&](std::int64_t column, std::int64_t at) { columns[column] = big[at]; });
  return columns;
}

/// Calls `visit(part, group)`, part counting all groups of all batch parts.
template <typename Visit>
void for_each_part(const Convolution& c, Visit visit) {
  for (std::int64_t part = 0; part < c.batch * c.groups; ++part) visit(part, part % c.groups);
}

}  // namespace

bool is_supported(aclDataType data_type, const Convolution& c) {
  if (data_type != ACL_FLOAT) return false;
  const std::int64_t depth = c.big_channels / c.groups * taps(c), positions = small_positions(c);
  const std::int64_t rows = c.small_channels / c.groups;
  constexpr std::int64_t largest = std::numeric_limits<int>::max();
  if (depth > largest || positions > largest || rows > largest) return false;
  return positions == 0 || depth <= column_limit / positions;
}

void convolve(aclDataType, const Convolution& c, const Elements& big, const Elements& weight,
              Elements& small) {
  const Matrices m(c);
  for_each_part(c, [&](std::int64_t part, std::int64_t group) {
    const auto columns = image_to_columns(c, m, floats(big) + part * m.big_size);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m.rows, m.positions, m.depth, 1.0F,
                floats(weight) + group * m.weight_size, m.depth, columns.data(), m.positions, 0.0F,
                floats(small) + part * m.small_size, m.positions);
  });
}

void data_gradient(aclDataType, const Convolution& c, const Elements& small, const Elements& weight,
                   Elements& big) {
  const Matrices m(c);
  std::vector<float> columns(static_cast<std::size_t>(m.depth) * m.positions);
  for_each_part(c, [&](std::int64_t part, std::int64_t group) {
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m.depth, m.positions, m.rows, 1.0F,
                floats(weight) + group * m.weight_size, m.depth,
                floats(small) + part * m.small_size, m.positions, 0.0F, columns.data(),
                m.positions);
    float* image = floats(big) + part * m.big_size;
    for_each_product(c,
                     [&](std::int64_t column, std::int64_t at) { image[at] += columns[column]; });
  });
}

void weight_gradient(aclDataType, const Convolution& c, const Elements& big, const Elements& small,
                     Elements& weight) {
  const Matrices m(c);
  for_each_part(c, [&](std::int64_t part, std::int64_t group) {
    const auto columns = image_to_columns(c, m, floats(big) + part * m.big_size);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m.rows, m.depth, m.positions, 1.0F,
                floats(small) + part * m.small_size, m.positions, columns.data(), m.positions, 1.0F,
                floats(weight) + group * m.weight_size, m.depth);
  });
}

void channel_sums(aclDataType, std::int64_t batch, std::int64_t channels, std::int64_t positions,
                  const Elements& values, Elements& sums) {
  const std::vector<float> ones(static_cast<std::size_t>(positions), 1.0F);
  for (std::int64_t part = 0; part < batch; ++part) {
    cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(channels),
                static_cast<int>(positions), 1.0F, floats(values) + part * channels * positions,
                static_cast<int>(positions), ones.data(), 1, 1.0F, floats(sums), 1);
  }
}

}  // namespace gradproof::adapters
