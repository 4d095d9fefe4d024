#include "kernel/operators/plain/plain_winograd.h"

#include <array>
#include <cstddef>

#include "kernel/operators/call/accumulate.h"
#include "kernel/operators/winograd/cut.h"

namespace gradproof::kernel::operators::plain {
namespace {

using winograd::Block;
using winograd::Cut;

template <std::size_t rows, std::size_t columns>
using Matrix = std::array<std::array<float, columns>, rows>;

constexpr Matrix<4, 4> feature_transform{
    {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}}};
constexpr Matrix<4, 2> output_transform{{{1, 0}, {1, 1}, {1, -1}, {0, -1}}};
constexpr Matrix<3, 4> inverse_transform{
    {{1, 0.5F, 0.5F, 0}, {0, 0.5F, -0.5F, 0}, {0, 0.5F, 0.5F, 1}}};

/// One row of a transform times a column: the entries that are 0 take no part, so that an infinity
/// reaches no more than the others.
template <std::size_t count, typename Value>
float combined(const std::array<float, count>& row, const Value& value) {
  float sum = 0.0F;
  bool is_first = true;
  for (std::size_t k = 0; k < count; ++k) {
    if (row[k] == 0.0F) continue;
    const float term = row[k] * value(k);
    sum = is_first ? term : sum + term;
    is_first = false;
  }
  return sum;
}

/// transform * values * transpose of transform, along the first axis first.
template <std::size_t to, std::size_t from>
Matrix<to, to> transformed(const Matrix<to, from>& transform, const Matrix<from, from>& values) {
  Matrix<to, from> half{};
  for (std::size_t i = 0; i < to; ++i) {
    for (std::size_t j = 0; j < from; ++j) {
      half[i][j] = combined(transform[i], [&](std::size_t k) { return values[k][j]; });
    }
  }
  Matrix<to, to> result{};
  for (std::size_t i = 0; i < to; ++i) {
    for (std::size_t j = 0; j < to; ++j) {
      result[i][j] = combined(transform[j], [&](std::size_t k) { return half[i][k]; });
    }
  }
  return result;
}

/// The pair of channels whose nine elements are computed.
struct Pair {
  std::int64_t output, feature;
};

template <numeric::Adding adding>
class TileSums {
 public:
  TileSums(const Problem& problem, const Cut& cut, const Map& feature, const Map& output)
      : problem_(problem), cut_(cut), feature_(feature), output_(output) {}

  Matrix<3, 3> of(const Pair& pair, const Block& block) const {
    Matrix<4, 4> total{};
    for (std::int64_t group = 0; group < block.groups; ++group) {
      Matrix<4, 4> sums{};
      const Share steps = cut_.steps_of(block, group);
      for (std::int64_t i = steps.first; i < steps.last; ++i) add_step(pair, cut_.step(i), sums);
      for (std::size_t i = 0; i < 4; ++i) {
        add_terms<adding.saturating>(total[i].data(), sums[i].data(), 4);
      }
    }
    return transformed(inverse_transform, total);
  }

 private:
  void add_step(const Pair& pair, const winograd::Step& step, Matrix<4, 4>& sums) const {
    for (std::int64_t row = 0; row < step.tiles.rows; ++row) {
      for (std::int64_t column = 0; column < step.tiles.columns; ++column) {
        const std::int64_t h = winograd::tile_outputs * (step.first_row + row);
        const std::int64_t w = winograd::tile_outputs * (step.first_column + column);
        const auto u = transformed(output_transform, outputs_at(pair, step.n, h, w));
        const auto v = transformed(feature_transform, features_at(pair, step.n, h, w));
        for (std::size_t i = 0; i < 4; ++i) {
          for (std::size_t j = 0; j < 4; ++j) {
            sums[i][j] = numeric::with_product<adding>(sums[i][j], v[i][j], u[i][j]);
          }
        }
      }
    }
  }

  /// 2x2, zeros beyond an odd length.
  Matrix<2, 2> outputs_at(const Pair& pair, std::int64_t n, std::int64_t h, std::int64_t w) const {
    Matrix<2, 2> values{};
    const float* const plane =
        output_.values + n * output_.batch_step + pair.output * output_.channel_step;
    for (std::int64_t i = 0; i < 2 && h + i < problem_.height.output; ++i) {
      for (std::int64_t j = 0; j < 2 && w + j < problem_.width.output; ++j) {
        values[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            plane[(h + i) * output_.row_step + (w + j) * output_.column_step];
      }
    }
    return values;
  }

  /// 4x4, zeros in the padding.
  Matrix<4, 4> features_at(const Pair& pair, std::int64_t n, std::int64_t h, std::int64_t w) const {
    Matrix<4, 4> values{};
    const float* const plane =
        feature_.values + n * feature_.batch_step + pair.feature * feature_.channel_step;
    for (std::int64_t i = 0; i < 4; ++i) {
      const auto row = problem_.height.feature_read(h, i);
      for (std::int64_t j = 0; j < 4; ++j) {
        const auto column = problem_.width.feature_read(w, j);
        if (!row || !column) continue;
        values[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            plane[*row * feature_.row_step + *column * feature_.column_step];
      }
    }
    return values;
  }

  const Problem& problem_;
  const Cut& cut_;
  const Map& feature_;
  const Map& output_;
};

void store_taps(const Matrix<3, 3>& sums, const Pair& pair, const Destination& destination) {
  for (std::int64_t h = 0; h < 3; ++h) {
    for (std::int64_t w = 0; w < 3; ++w) {
      destination.store({pair.output, pair.feature, 0, h, w},
                        sums[static_cast<std::size_t>(h)][static_cast<std::size_t>(w)],
                        numeric::OverflowMode::InfNan);
    }
  }
}

}  // namespace

void winograd_grad_weight(const Problem& problem, const Arithmetic& arithmetic, std::int64_t cores,
                          const Map& feature, const Map& output, const Destination& destination) {
  const Cut cut(problem, cores);
  numeric::with_adding(arithmetic.adding(), [&]<numeric::Adding adding>() {
    const TileSums<adding> sums(problem, cut, feature, output);
    for (std::int64_t number = 0; number < cut.blocks(); ++number) {
      const Block block = cut.block(number);
      for (std::int64_t o = 0; o < block.outputs; ++o) {
        for (std::int64_t c = 0; c < block.features; ++c) {
          const Pair pair{block.first_output + o, block.first_feature + c};
          store_taps(sums.of(pair, block), pair, destination);
        }
      }
    }
  });
}

}  // namespace gradproof::kernel::operators::plain
