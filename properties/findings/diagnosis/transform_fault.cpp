#include "properties/findings/diagnosis/transform_fault.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "oracle/operands/operands.h"
#include "properties/findings/diagnosis/hypothesis.h"

namespace gradproof::findings::diagnosis {
namespace {

using oracle::Shape;

/// F(3, 2): tiles of 4 and 2 elements, 3 results.
constexpr std::size_t entries = 4, results = 3;
constexpr std::int64_t step = 2;

struct Matrix {
  std::size_t rows, columns;
  std::array<double, 16> values;  ///< row by row

  double at(std::size_t row, std::size_t column) const {
    return values.at((row * columns) + column);
  }
};

/// Source: winograd-convolution literature; A. Lavin and S. Gray, CVPR 2016, transposed for
/// gradWeight.
constexpr Matrix matrices[] = {
    {4, 4, {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1}},
    {4, 2, {1, 0, 1, 1, 1, -1, 0, -1}},
    {3, 4, {1, 0.5, 0.5, 0, 0, 0.5, -0.5, 0, 0, 0.5, 0.5, 1}},
};

const Matrix& matrix_of(Transform transform) { return matrices[static_cast<int>(transform)]; }

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

  const Matrix& matrix_;
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

bool computes_so(const Witness& witness) {
  const auto& [depth, height, width] = witness.geometry.axes;
  return witness.role == corpus::OutputRole::GradWeight && witness.tiles &&
         witness.tiles->algorithm == corpus::Algorithm::Winograd3x2 &&
         !witness.tiles->begins_anywhere && depth.kernel == 1 && height.kernel == 3 &&
         width.kernel == 3 && witness.geometry.groups == 1;
}

// ---- hypotheses

std::string row_words(const Witness& example, Transform transform, std::size_t row) {
  const bool transposed = example.geometry.transposed;
  const Matrix& matrix = matrix_of(transform);
  if (transform == Transform::Inverse) {
    return fmt::format("row {} of {} of the inverse transform", row + 1, matrix.rows);
  }
  const bool is_input = (transform == Transform::Larger) != transposed;
  return fmt::format("row {} of {} of the transform of {}", row + 1, matrix.rows,
                     is_input ? "input" : "gradOutput");
}

std::string fault_words(const Witness& example, const TransformFault& fault) {
  const std::string place = row_words(example, fault.transform, fault.row);
  const std::string what =
      fault.entry ? fmt::format("term {} of {}", *fault.entry + 1, place) : place;
  if (fault.bits > 0) {
    return fmt::format("with {} {} to {}", what, fault.truncates ? "truncated" : "rounded",
                       fault.bits == 11 ? "11 bits, those of FLOAT16 and HF32" : "BF16");
  }
  if (fault.factor == -1) return fmt::format("with the sign of {} wrong", what);
  if (fault.factor == 0) return fmt::format("without {}", what);
  return fmt::format("with a factor of {} before {}", fault.factor, what);
}

std::vector<TransformFault> faults_of(Transform transform) {
  const Matrix& matrix = matrix_of(transform);
  std::vector<TransformFault> faults;
  const auto add = [&](std::size_t row, std::optional<std::size_t> entry) {
    for (const double factor : {-1.0, 0.0, 2.0, 0.5}) {
      faults.push_back({transform, row, entry, factor});
    }
    for (const int bits : {11, 8}) {
      for (const bool truncates : {false, true}) {
        faults.push_back({transform, row, entry, 1, bits, truncates});
      }
    }
  };
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    add(row, std::nullopt);
    for (std::size_t entry = 0; entry < matrix.columns; ++entry) {
      if (matrix.at(row, entry) != 0) add(row, entry);
    }
  }
  return faults;
}

}  // namespace

bool agrees_in_tiles(const Witness& witness, const TransformFault& fault) {
  if (!computes_so(witness)) return false;
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

std::vector<Hypothesis> transform_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!computes_so(example)) return hypotheses;
  for (const Transform transform : {Transform::Larger, Transform::Smaller, Transform::Inverse}) {
    for (const TransformFault& fault : faults_of(transform)) {
      hypotheses.push_back({fault_words(example, fault), [fault](const Witness& witness) {
                              World world = right_world(witness);
                              if (computes_so(witness)) world.transform_fault = fault;
                              return std::optional(std::move(world));
                            }});
    }
  }
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
