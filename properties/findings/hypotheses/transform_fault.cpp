#include "properties/findings/hypotheses/transform_fault.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/operands/operands.h"

namespace gradproof::findings::diagnosis {
namespace {

using oracle::Shape;

/// F(3, 2): tiles of 4 and 2 elements, 3 results.
constexpr std::size_t entries = 4;
constexpr std::int64_t step = 2;

/// Source: winograd-convolution literature; A. Lavin and S. Gray, CVPR 2016, transposed for
/// gradWeight.
constexpr TransformMatrix matrices[] = {
    {4, 4, {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1}},
    {4, 2, {1, 0, 1, 1, 1, -1, 0, -1}},
    {3, 4, {1, 0.5, 0.5, 0, 0, 0.5, -0.5, 0, 0, 0.5, 0.5, 1}},
};

double kept_bits(double value, const TransformFault& fault) {
  if (fault.bits == 0 || value == 0) return value;
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(value, &exponent), fault.bits);
  const double rounded = fault.truncates ? std::trunc(scaled) : std::nearbyint(scaled);
  return std::ldexp(rounded, exponent - fault.bits);
}

/// A square of numbers, row by row, of the rows that it has.
struct Square {
  std::size_t size = 0;
  std::array<double, 16> values{};
};

/// Applies a transform along both axes, with the fault if it has one; of magnitudes, without signs.
class Transforming {
 public:
  Transforming(Transform transform, const TransformFault* fault, bool of_magnitudes)
      : matrix_(matrix_of(transform)),
        fault_(fault != nullptr && fault->transform == transform ? fault : nullptr),
        of_magnitudes_(of_magnitudes) {}

  Square operator()(const Square& given) const {
    const std::size_t from = matrix_.columns, to = matrix_.rows;
    std::array<double, 16> half{};  // rows transformed: to x from
    for (std::size_t i = 0; i < to; ++i) {
      for (std::size_t j = 0; j < from; ++j) {
        half.at(i * from + j) =
            result(i, [&](std::size_t k) { return given.values.at(k * from + j); });
      }
    }
    Square whole{.size = to};
    for (std::size_t i = 0; i < to; ++i) {
      for (std::size_t j = 0; j < to; ++j) {
        whole.values.at(i * to + j) =
            result(j, [&](std::size_t k) { return half.at(i * from + k); });
      }
    }
    return whole;
  }

 private:
  template <typename Read>
  double result(std::size_t row, const Read& read) const {
    const bool is_wrong = fault_ != nullptr && fault_->row == row;
    double sum = 0;
    for (std::size_t k = 0; k < matrix_.columns; ++k) {
      const double factor = of_magnitudes_ ? std::fabs(matrix_.at(row, k)) : matrix_.at(row, k);
      double value = read(k);
      if (is_wrong && fault_->entry == k) value = changed(value);
      sum += factor * value;
    }
    return is_wrong && !fault_->entry ? changed(sum) : sum;
  }

  double changed(double value) const {
    return of_magnitudes_ ? value * std::max(1.0, std::fabs(fault_->factor))
                          : kept_bits(value * fault_->factor, *fault_);
  }

  const TransformMatrix& matrix_;
  const TransformFault* fault_;
  bool of_magnitudes_;
};

double read(const Numbers& numbers, const Shape& at) {
  for (std::size_t axis = 2; axis < at.size(); ++axis) {
    if (at[axis] < 0 || at[axis] >= numbers.shape()[axis]) return 0;
  }
  return oracle::to_double(numbers.at(at));
}

/// Elements of one channel from a corner on, zeros beyond the map; false: all are zero.
bool read_tile(const Numbers& numbers, Shape corner, std::size_t size, bool of_magnitudes,
               Square& tile) {
  tile.size = size;
  bool any = false;
  const Shape first = corner;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      corner[3] = first[3] + static_cast<std::int64_t>(i);
      corner[4] = first[4] + static_cast<std::int64_t>(j);
      const double value = read(numbers, corner);
      tile.values.at(i * size + j) = of_magnitudes ? std::fabs(value) : value;
      any = any || value != 0;
    }
  }
  return any;
}

/// gradWeight of one pair of channels by F(3x3,2x2): all nine taps.
class PairOfChannels {
 public:
  PairOfChannels(const Witness& witness, const TransformFault* fault)
      : geometry_(witness.geometry),
        small_(witness.geometry.transposed ? witness.other : witness.grad_output),
        big_(witness.geometry.transposed ? witness.grad_output : witness.other),
        fault_(fault) {}

  Square operator()(std::int64_t small_channel, std::int64_t big_channel,
                    bool of_magnitudes) const {
    const Transforming larger(Transform::Larger, fault_, of_magnitudes),
        smaller(Transform::Smaller, fault_, of_magnitudes),
        inverse(Transform::Inverse, fault_, of_magnitudes);
    Square sums{.size = entries};
    const auto& [depth, height, width] = geometry_.axes;
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      for (std::int64_t h = 0; h < height.small; h += step) {
        for (std::int64_t w = 0; w < width.small; w += step) {
          Square g, d;
          const Shape of_big{n, big_channel, 0, h - height.padding_begin, w - width.padding_begin};
          if (!read_tile(small_, {n, small_channel, 0, h, w}, step, of_magnitudes, g) ||
              !read_tile(big_, of_big, entries, of_magnitudes, d)) {
            continue;
          }
          const Square u = smaller(g), v = larger(d);
          for (std::size_t i = 0; i < sums.values.size(); ++i) {
            sums.values.at(i) += u.values.at(i) * v.values.at(i);
          }
        }
      }
    }
    return inverse(sums);
  }

 private:
  const oracle::Geometry& geometry_;
  const Numbers &small_, &big_;
  const TransformFault* fault_;
};

std::vector<std::uint64_t> elements_of(const Witness& witness) {
  if (!witness.looked_at.empty()) return witness.looked_at;
  std::vector<std::uint64_t> all(
      to_size(oracle::element_count(witness.geometry.shape(witness.role))));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

}  // namespace

const TransformMatrix& matrix_of(Transform transform) {
  return matrices[static_cast<int>(transform)];
}

bool may_compute_in_tiles(const Witness& witness) {
  const auto& [depth, height, width] = witness.geometry.axes;
  return witness.role == corpus::OutputRole::GradWeight && witness.tiles &&
         witness.tiles->algorithm == corpus::Algorithm::Winograd3x2 &&
         !witness.tiles->begins_anywhere && depth.kernel == 1 && height.kernel == 3 &&
         width.kernel == 3 && witness.geometry.groups == 1;
}

bool agrees_in_tiles(const Witness& witness, const TransformFault& fault) {
  if (!may_compute_in_tiles(witness)) return false;
  const PairOfChannels right(witness, nullptr), wrong(witness, &fault);
  const Shape shape = witness.geometry.shape(witness.role);
  const Numbers computed =
      oracle::decoded(witness.arithmetics.front().output, witness.observed.bits, shape);
  std::size_t unlike_right = 0, mismatches = 0;
  for (const std::uint64_t index : elements_of(witness)) {
    const Shape at = oracle::coordinate_of(shape, index);
    const auto tap = static_cast<std::size_t>(at[3] * shape[4] + at[4]);
    const double value = oracle::to_double(computed[index]);
    const double slack = 0x1p-19 * wrong(at[0], at[1], true).values.at(tap);
    const auto is_far = [&](const PairOfChannels& pair) {
      return !(std::fabs(value - pair(at[0], at[1], false).values.at(tap)) <= slack);
    };
    const bool is_unlike = is_far(wrong);
    mismatches += is_unlike ? 1 : 0;
    if (is_unlike && fault.bits == 0) return false;
    if (fault.bits > 0) unlike_right += is_far(right) ? 1 : 0;
  }
  constexpr std::size_t few = 20;
  return mismatches * few <= unlike_right;
}

}  // namespace gradproof::findings::diagnosis
