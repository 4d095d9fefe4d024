#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/case.h"

namespace gradproof::fuzz {

/// Kinds of numbers that can be wrong in a call: how long something is (-1: a null pointer), and
/// what it holds.
enum class FieldKind : std::uint8_t {
  Rank,          ///< of a tensor; -1: null
  ElementType,   ///< place in data_types (choices.h)
  TensorFormat,  ///< place in formats
  Length,
  HasStrides,  ///< -1: no strides said; else one for each axis, as CANN's API takes them
  Stride,
  Offset,
  StorageRank,  ///< -1: no storage shape said
  StorageLength,
  ArraySize,  ///< -1: null
  ArrayElement,
  MaskSize,  ///< -1: null
  MaskElement,
  Groups,
  CubeMathType,
};
inline constexpr std::uint8_t field_kind_count = 15;

/// One number of a case.
struct CaseField {
  FieldKind kind = FieldKind::Rank;
  /// Tensors: inputs by InputRole, then outputs by OutputRole. Arrays: biasSizes, stride, padding,
  /// dilation, outputPadding.
  std::uint8_t owner = 0;
  std::uint8_t position = 0;  ///< of an element

  friend bool operator==(const CaseField&, const CaseField&) = default;
};

inline constexpr std::uint8_t tensor_count = 6, array_count = 5;
/// Longer shapes and arrays than this are not made.
inline constexpr std::int64_t longest = 12;

std::optional<corpus::TensorCase>& tensor_of(corpus::Case& test_case, std::uint8_t owner);

/// The number there; nullopt where the case has no such field.
std::optional<std::int64_t> read(const corpus::Case& test_case, const CaseField& field);

/// Writes the number, brought into the field's range. No such field: nothing happens.
void write(corpus::Case& test_case, const CaseField& field, std::int64_t value);

/// Every field that a case has, lengths before what they are the length of: written in this order
/// into another case, they make its fields those of this one.
std::vector<CaseField> fields_of(const corpus::Case& test_case);

}  // namespace gradproof::fuzz
