#include <algorithm>
#include <iterator>

#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {
namespace {

struct DataTypeWord {
  std::string_view word;  ///< in plain spelling, without the library's name
  DataType type;
};

// The names of case files are found without this table.
constexpr DataTypeWord data_type_words[] = {
    {"float32", DataType::Float},
    {"fp32", DataType::Float},
    {"f32", DataType::Float},
    {"single", DataType::Float},
    {"half", DataType::Float16},
    {"fp16", DataType::Float16},
    {"f16", DataType::Float16},
    {"bfloat16", DataType::BFloat16},
    {"float64", DataType::Double},
    {"fp64", DataType::Double},
    {"f64", DataType::Double},
    {"char", DataType::Int8},
    {"i8", DataType::Int8},
    {"byte", DataType::UInt8},
    {"u8", DataType::UInt8},
    {"short", DataType::Int16},
    {"int", DataType::Int32},
    {"i32", DataType::Int32},
    {"long", DataType::Int64},
    {"i64", DataType::Int64},
    {"cfloat", DataType::Complex64},
    {"cdouble", DataType::Complex128},
    {"hif8", DataType::HiFloat8},
    {"float8_e4m3", DataType::Float8E4M3FN},
    {"fp8_e4m3", DataType::Float8E4M3FN},
    {"fp8_e4m3fn", DataType::Float8E4M3FN},
    {"fp8e4m3", DataType::Float8E4M3FN},
    {"e4m3", DataType::Float8E4M3FN},
    {"e4m3fn", DataType::Float8E4M3FN},
    {"fp8_e5m2", DataType::Float8E5M2},
    {"fp8e5m2", DataType::Float8E5M2},
    {"e5m2", DataType::Float8E5M2},
};

}  // namespace

Meaning<DataType> data_type_from_words(std::string_view words) {
  if (const auto named = data_type_named(words)) return *named;
  const std::string plain = plain_spelling(words);
  const std::string_view word =
      without_prefix(plain, {"torch_npu.", "torch.", "numpy.", "np.", "paddle.", "mindspore.",
                             "ms.", "tf.", "ml_dtypes.", "acl_", "ge.dt_", "ge::dt_", "dt_"});
  std::vector<std::string> allowed;
  for (const DataType type : data_types()) {
    allowed.emplace_back(name_of(type));
    if (plain_spelling(allowed.back()) == word) return type;
  }
  const auto* row = std::ranges::find(data_type_words, word, &DataTypeWord::word);
  if (row != std::end(data_type_words)) return row->type;
  return tl::unexpected(unknown_word(words, "dtype", allowed));
}

}  // namespace gradproof::corpus
