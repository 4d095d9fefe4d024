#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "acl/acl_base.h"
#include "kernel/numeric/format.h"

namespace gradproof::kernel::api {

/// Properties of a dtype by itself.
struct DataTypeRow {
  aclDataType type;
  std::string_view name;  ///< in messages
  std::size_t bytes = 0;  ///< of an element; 0 for texts and what is narrower than a byte
  std::optional<numeric::Format> format{};  ///< of gradients in it; none for other dtypes
};

inline constexpr std::array data_type_rows{
    DataTypeRow{ACL_DT_UNDEFINED, "UNDEFINED"},
    DataTypeRow{ACL_FLOAT, "FLOAT", 4, numeric::Format::Binary32},
    DataTypeRow{ACL_FLOAT16, "FLOAT16", 2, numeric::Format::Half},
    DataTypeRow{ACL_INT8, "INT8", 1},
    DataTypeRow{ACL_INT32, "INT32", 4},
    DataTypeRow{ACL_UINT8, "UINT8", 1},
    DataTypeRow{ACL_INT16, "INT16", 2},
    DataTypeRow{ACL_UINT16, "UINT16", 2},
    DataTypeRow{ACL_UINT32, "UINT32", 4},
    DataTypeRow{ACL_INT64, "INT64", 8},
    DataTypeRow{ACL_UINT64, "UINT64", 8},
    DataTypeRow{ACL_DOUBLE, "DOUBLE", 8},
    DataTypeRow{ACL_BOOL, "BOOL", 1},
    DataTypeRow{ACL_STRING, "STRING"},
    DataTypeRow{ACL_COMPLEX64, "COMPLEX64", 8},
    DataTypeRow{ACL_COMPLEX128, "COMPLEX128", 16},
    DataTypeRow{ACL_BF16, "BFLOAT16", 2, numeric::Format::BFloat16},
    DataTypeRow{ACL_INT4, "INT4"},
    DataTypeRow{ACL_UINT1, "UINT1"},
    DataTypeRow{ACL_COMPLEX32, "COMPLEX32", 4},
    DataTypeRow{ACL_HIFLOAT8, "HIFLOAT8", 1, numeric::Format::HiFloat8},
    DataTypeRow{ACL_FLOAT8_E5M2, "FLOAT8_E5M2", 1},
    DataTypeRow{ACL_FLOAT8_E4M3FN, "FLOAT8_E4M3FN", 1, numeric::Format::Float8E4M3},
    DataTypeRow{ACL_FLOAT8_E8M0, "FLOAT8_E8M0", 1},
};

/// The row of a dtype, or null for a number that has none.
constexpr const DataTypeRow* row_of(aclDataType type) {
  const auto* row = std::ranges::find(data_type_rows, type, &DataTypeRow::type);
  return row == data_type_rows.end() ? nullptr : row;
}

/// True for HIFLOAT8 and FLOAT8_E4M3FN: the 8-bit dtypes that gradients can have.
constexpr bool is_eight_bit(const DataTypeRow& row) { return row.format && row.bytes == 1; }

}  // namespace gradproof::kernel::api
