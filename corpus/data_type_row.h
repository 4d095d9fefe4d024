#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "corpus/data_type.h"

namespace gradproof::corpus {

/// Coding of a type's elements as numbers.
enum class Coding : std::uint8_t {
  None,         ///< no case lists its elements as numbers
  Interchange,  ///< of IEEE 754: the top exponent holds infinity and NaN
  FiniteTop,    ///< the top exponent holds finite numbers too, and NaN where all bits are set
  HiFloat8,     ///< exponent and fraction of a width that a prefix says; one zero and one NaN
};

/// Properties of an element type by itself.
struct DataTypeRow {
  DataType type;
  std::string_view name;  ///< in case files
  std::size_t size_bytes;
  std::array<std::string_view, 6> words{};  ///< other names, in plain spelling, without a library's
  std::string_view torch{};                 ///< PyTorch's name, if it has the type
  Coding coding = Coding::None;
  int exponent_bits = 0, fraction_bits = 0;  ///< of the codings with fields
  std::uint64_t sentinel = 0;                ///< bits that old contents of an output have: a NaN
  std::uint64_t one = 0;                     ///< bits of the number 1
  std::int64_t weight = 0;          ///< of generated calls in one type, relative to the others
  bool has_weight_gradient = true;  ///< of the graph operator, where it has a convolution
};

// FLOAT8_E4M3FN has two NaNs and HIFLOAT8 one: as sentinels they carry no payload.
inline constexpr std::array data_type_rows{
    DataTypeRow{.type = DataType::Float,
                .name = "FLOAT",
                .size_bytes = 4,
                .words = {"float32", "fp32", "f32", "single"},
                .torch = "torch.float32",
                .coding = Coding::Interchange,
                .exponent_bits = 8,
                .fraction_bits = 23,
                .sentinel = 0x7FD5A3C7,
                .one = 0x3F800000,
                .weight = 35},
    DataTypeRow{.type = DataType::Float16,
                .name = "FLOAT16",
                .size_bytes = 2,
                .words = {"half", "fp16", "f16"},
                .torch = "torch.float16",
                .coding = Coding::Interchange,
                .exponent_bits = 5,
                .fraction_bits = 10,
                .sentinel = 0x7ED5,
                .one = 0x3C00,
                .weight = 28},
    DataTypeRow{DataType::Int8, "INT8", 1, {"char", "i8"}},
    DataTypeRow{DataType::Int32, "INT32", 4, {"int", "i32"}},
    DataTypeRow{DataType::UInt8, "UINT8", 1, {"byte", "u8"}},
    DataTypeRow{DataType::Int16, "INT16", 2, {"short"}},
    DataTypeRow{DataType::UInt16, "UINT16", 2},
    DataTypeRow{DataType::UInt32, "UINT32", 4},
    DataTypeRow{DataType::Int64, "INT64", 8, {"long", "i64"}},
    DataTypeRow{DataType::UInt64, "UINT64", 8},
    DataTypeRow{.type = DataType::Double,
                .name = "DOUBLE",
                .size_bytes = 8,
                .words = {"float64", "fp64", "f64"},
                .torch = "torch.float64",
                .coding = Coding::Interchange,
                .exponent_bits = 11,
                .fraction_bits = 52,
                .sentinel = 0x7FFD5A3C7D5A3C7D,
                .one = 0x3FF0000000000000,
                .weight = 35},
    DataTypeRow{DataType::Bool, "BOOL", 1},
    DataTypeRow{DataType::Complex64, "COMPLEX64", 8, {"cfloat"}},
    DataTypeRow{DataType::Complex128, "COMPLEX128", 16, {"cdouble"}},
    DataTypeRow{.type = DataType::BFloat16,
                .name = "BF16",
                .size_bytes = 2,
                .words = {"bfloat16"},
                .torch = "torch.bfloat16",
                .coding = Coding::Interchange,
                .exponent_bits = 8,
                .fraction_bits = 7,
                .sentinel = 0x7FD5,
                .one = 0x3F80,
                .weight = 20},
    DataTypeRow{.type = DataType::HiFloat8,
                .name = "HIFLOAT8",
                .size_bytes = 1,
                .words = {"hif8"},
                .coding = Coding::HiFloat8,
                .sentinel = 0x80,
                .one = 0x08,
                .weight = 35},
    DataTypeRow{DataType::Float8E5M2, "FLOAT8_E5M2", 1, {"fp8_e5m2", "fp8e5m2", "e5m2"}},
    DataTypeRow{.type = DataType::Float8E4M3FN,
                .name = "FLOAT8_E4M3FN",
                .size_bytes = 1,
                .words = {"float8_e4m3", "fp8_e4m3", "fp8_e4m3fn", "fp8e4m3", "e4m3", "e4m3fn"},
                .torch = "torch.float8_e4m3fn",
                .coding = Coding::FiniteTop,
                .exponent_bits = 4,
                .fraction_bits = 3,
                .sentinel = 0xFF,
                .one = 0x38,
                .weight = 35,
                .has_weight_gradient = false},
};

/// The row of a type of the enumeration.
constexpr const DataTypeRow& row_of(DataType type) {
  return *std::ranges::find(data_type_rows, type, &DataTypeRow::type);
}

/// The types for which `is_one` holds, in the order of the rows.
template <bool (*is_one)(DataType)>
consteval auto data_types_where() {
  constexpr auto count = std::ranges::count_if(data_type_rows, is_one, &DataTypeRow::type);
  std::array<DataType, static_cast<std::size_t>(count)> types{};
  auto place = types.begin();
  for (const DataTypeRow& row : data_type_rows) {
    if (is_one(row.type)) *place++ = row.type;
  }
  return types;
}

constexpr bool is_convolution_type(DataType type) {
  return is_wide_float(type) || is_8_bit_float(type);
}

/// Element types that CANN's convolution can have: FLOAT, FLOAT16, BF16, HIFLOAT8, FLOAT8_E4M3FN.
inline constexpr std::array convolution_types = data_types_where<is_convolution_type>();
inline constexpr std::array eight_bit_types = data_types_where<is_8_bit_float>();

}  // namespace gradproof::corpus
