#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gradproof::corpus {

/// Element types that a tensor of a case can have; the values are those of CANN's `aclDataType`.
/// Most exist only so that a case can break the dtype rules.
enum class DataType : std::int32_t {
  Float = 0,
  Float16 = 1,
  Int8 = 2,
  Int32 = 3,
  UInt8 = 4,
  Int16 = 6,
  UInt16 = 7,
  UInt32 = 8,
  Int64 = 9,
  UInt64 = 10,
  Double = 11,
  Bool = 12,
  Complex64 = 16,
  Complex128 = 17,
  BFloat16 = 27,
  HiFloat8 = 34,
  Float8E5M2 = 35,
  Float8E4M3FN = 36,
};

/// All of them.
std::vector<DataType> data_types();

/// The name in case files, e.g. "BF16"; empty for a value outside the enumeration.
std::string_view name_of(DataType type);

/// The type of that name, or nullopt.
std::optional<DataType> data_type_named(std::string_view name);

/// Bytes of one element; 0 for a value outside the enumeration.
std::size_t size_bytes(DataType type);

/// True for FLOAT, FLOAT16 and BF16.
constexpr bool is_wide_float(DataType type) {
  return type == DataType::Float || type == DataType::Float16 || type == DataType::BFloat16;
}

/// True for HIFLOAT8 and FLOAT8_E4M3FN, the two that the convolution knows.
constexpr bool is_8_bit_float(DataType type) {
  return type == DataType::HiFloat8 || type == DataType::Float8E4M3FN;
}

}  // namespace gradproof::corpus
