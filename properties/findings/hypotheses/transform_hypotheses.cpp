#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "properties/findings/hypotheses/hypothesis.h"
#include "properties/findings/hypotheses/transform_fault.h"

namespace gradproof::findings::diagnosis {
namespace {

std::string row_words(const Witness& example, Transform transform, std::size_t row) {
  const bool transposed = example.geometry.transposed;
  const TransformMatrix& matrix = matrix_of(transform);
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
  const TransformMatrix& matrix = matrix_of(transform);
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

std::vector<Hypothesis> transform_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  if (!may_compute_in_tiles(example)) return hypotheses;
  for (const Transform transform : {Transform::Larger, Transform::Smaller, Transform::Inverse}) {
    for (const TransformFault& fault : faults_of(transform)) {
      hypotheses.push_back({fault_words(example, fault), [fault](const Witness& witness) {
                              World world = right_world(witness);
                              if (may_compute_in_tiles(witness)) world.transform_fault = fault;
                              return std::optional(std::move(world));
                            }});
    }
  }
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
