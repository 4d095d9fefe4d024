#include "corpus/data_type.h"

#include <algorithm>
#include <iterator>

namespace gradproof::corpus {
namespace {

struct DataTypeRow {
  DataType type;
  std::string_view name;
  std::size_t size_bytes;
};

constexpr DataTypeRow data_type_rows[] = {
    {DataType::Float, "FLOAT", 4},
    {DataType::Float16, "FLOAT16", 2},
    {DataType::Int8, "INT8", 1},
    {DataType::Int32, "INT32", 4},
    {DataType::UInt8, "UINT8", 1},
    {DataType::Int16, "INT16", 2},
    {DataType::UInt16, "UINT16", 2},
    {DataType::UInt32, "UINT32", 4},
    {DataType::Int64, "INT64", 8},
    {DataType::UInt64, "UINT64", 8},
    {DataType::Double, "DOUBLE", 8},
    {DataType::Bool, "BOOL", 1},
    {DataType::Complex64, "COMPLEX64", 8},
    {DataType::Complex128, "COMPLEX128", 16},
    {DataType::BFloat16, "BF16", 2},
    {DataType::HiFloat8, "HIFLOAT8", 1},
    {DataType::Float8E5M2, "FLOAT8_E5M2", 1},
    {DataType::Float8E4M3FN, "FLOAT8_E4M3FN", 1},
};

}  // namespace

std::vector<DataType> data_types() {
  std::vector<DataType> types;
  for (const DataTypeRow& row : data_type_rows) types.push_back(row.type);
  return types;
}

std::string_view name_of(DataType type) {
  const auto* row = std::ranges::find(data_type_rows, type, &DataTypeRow::type);
  return row == std::end(data_type_rows) ? std::string_view{} : row->name;
}

std::optional<DataType> data_type_named(std::string_view name) {
  const auto* row = std::ranges::find(data_type_rows, name, &DataTypeRow::name);
  if (row == std::end(data_type_rows)) return std::nullopt;
  return row->type;
}

std::size_t size_bytes(DataType type) {
  const auto* row = std::ranges::find(data_type_rows, type, &DataTypeRow::type);
  return row == std::end(data_type_rows) ? 0 : row->size_bytes;
}

}  // namespace gradproof::corpus
