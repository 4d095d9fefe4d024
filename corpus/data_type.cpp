#include "corpus/data_type.h"

#include <algorithm>

#include "corpus/data_type_row.h"

namespace gradproof::corpus {
namespace {

/// A type of CANN's that no rule lists and no generated call has: a case may name it to be refused.
constexpr DataType string_type{13};
constexpr std::string_view string_name = "STRING";
constexpr std::size_t string_bytes = 16;

}  // namespace

std::vector<DataType> data_types() {
  std::vector<DataType> types;
  types.reserve(std::size(data_type_rows));
  for (const DataTypeRow& row : data_type_rows) types.push_back(row.type);
  return types;
}

std::string_view name_of(DataType type) {
  if (type == string_type) return string_name;
  const auto* row = std::ranges::find(data_type_rows, type, &DataTypeRow::type);
  return row == data_type_rows.end() ? std::string_view{} : row->name;
}

std::optional<DataType> data_type_named(std::string_view name) {
  if (name == string_name) return string_type;
  const auto* row = std::ranges::find(data_type_rows, name, &DataTypeRow::name);
  if (row == data_type_rows.end()) return std::nullopt;
  return row->type;
}

std::size_t size_bytes(DataType type) {
  if (type == string_type) return string_bytes;
  const auto* row = std::ranges::find(data_type_rows, type, &DataTypeRow::type);
  return row == data_type_rows.end() ? 0 : row->size_bytes;
}

}  // namespace gradproof::corpus
