#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gradproof::fuzz {

/// A case as a record of small numbers at fixed places: what fuzzers mutate. Every value of every
/// number means something, and zero is the plainest choice, so that any string of bytes is a record
/// (missing bytes are zeros) and a shorter string is a plainer case. Which case a record stands for
/// is told by case_from_bytes.h.
///
/// The convolution is described by numbers that are free of each other, so that mutating one of
/// them leaves the call consistent; what makes a call inconsistent are the edits at the end.
struct AxisGenes {
  std::uint16_t positions = 0, kernel = 0, stride = 0, dilation = 0;  ///< all stored minus 1
  std::uint16_t padding_begin = 0;
  std::uint16_t padding_more = 0;  ///< padding_end minus padding_begin, modulo 2^16
  std::uint16_t unread = 0;        ///< elements that the division by the stride drops

  friend bool operator==(const AxisGenes&, const AxisGenes&) = default;
};

/// Layout of one tensor in its storage; all zero: contiguous, no view.
struct LayoutGenes {
  std::uint8_t order = 0;  ///< 0: row-major; n: the n-th permutation of the axes in memory
  std::uint8_t gaps = 0;  ///< low two bits: innermost stride minus 1; above: axes followed by a gap
  std::uint8_t offset = 0;  ///< elements
  std::uint8_t behind = 0;  ///< elements of storage behind the view

  friend bool operator==(const LayoutGenes&, const LayoutGenes&) = default;
};

/// One number of the finished case set to something else (case_fields.h), consistent or not.
struct Edit {
  enum class Operation : std::uint8_t { Set, SetBoundary, Add };
  static constexpr std::uint8_t operation_count = 3;

  std::uint8_t kind = 0, owner = 0, position = 0;  ///< of the field
  std::uint8_t operation = 0;                      ///< Operation, modulo operation_count
  std::int64_t value = 0;  ///< the number, its place among the boundary values, or what is added

  friend bool operator==(const Edit&, const Edit&) = default;
};

struct CaseGenes {
  std::uint8_t product = 0, rank = 0, flags = 0;
  std::uint8_t type = 0;                         ///< of all inputs ...
  std::uint8_t input_type = 0, weight_type = 0;  ///< ... unless these say otherwise: index plus 1
  std::uint8_t cube_math_type = 0;
  std::uint8_t unrequested = 0;   ///< bit i: output i is not asked for
  std::uint8_t nulls = 0;         ///< bit i: output i is a null pointer; bit 3: biasSizes
  std::uint8_t free_formats = 0;  ///< bit i: tensor i has format ND
  std::uint8_t recipe = 0;
  std::uint64_t seed = 0;                              ///< of the data
  std::uint16_t batch = 0, groups = 0;                 ///< stored minus 1
  std::uint16_t small_channels = 0, big_channels = 0;  ///< per group, stored minus 1
  std::array<AxisGenes, 3> axes;
  std::array<LayoutGenes, 6> layouts;
  std::vector<Edit> edits;

  friend bool operator==(const CaseGenes&, const CaseGenes&) = default;
};

/// Bits of CaseGenes::flags.
inline constexpr std::uint8_t transposed_flag = 1, deterministic_flag = 2, four_paddings_flag = 4,
                              inconsistent_flag = 8;

/// Bytes of everything but the edits, and of one edit. Numbers are little-endian.
inline constexpr std::size_t fixed_bytes = 11 + 8 + 4 * 2 + 3 * 7 * 2 + 6 * 4, edit_bytes = 12;
/// Edits beyond are not read.
inline constexpr std::size_t most_edits = 96;
inline constexpr std::size_t most_bytes = fixed_bytes + most_edits * edit_bytes;

/// The record that a string of bytes is; missing bytes are zeros, an incomplete edit is none.
CaseGenes genes_from_bytes(std::span<const std::uint8_t> bytes);

/// The shortest string of bytes that is the record.
std::vector<std::uint8_t> bytes_of_genes(const CaseGenes& genes);

}  // namespace gradproof::fuzz
