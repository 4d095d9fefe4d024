#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "properties/advice/interop/foreign_formats.h"
#include "properties/advice/interop/imported_cases.h"

namespace gradproof::advice {
namespace {

/// Tensors in the order of the function's arguments; outputs may be left out.
constexpr std::array tensor_order{"gradOutput", "input",      "weight",
                                  "gradInput",  "gradWeight", "gradBias"};

/// A record by the names of its header.
class TtkRow {
 public:
  TtkRow(const CsvRecord& header, const CsvRecord& record) : header_(header), record_(record) {}

  /// Text of a column; empty where there is no such column, or the record is shorter.
  std::string text(std::string_view column) const {
    const auto found = std::ranges::find(header_.fields, column);
    const auto i = to_size(found - header_.fields.begin());
    return i < record_.fields.size() ? record_.fields[i] : std::string();
  }

  std::size_t line() const { return record_.line; }

 private:
  const CsvRecord& header_;
  const CsvRecord& record_;
};

class TtkReader {
 public:
  TtkReader(const TtkRow& row, const std::string& file) : row_(row) {
    call_.id = row.text("testcase_name");
    call_.source = fmt::format("TTK, {}:{}", file, row.line());
    call_.line = row.line();
  }

  tl::expected<ForeignCall, corpus::CaseError> operator()() {
    read_tensors();
    read_attributes();
    if (problem_) return tl::unexpected(*problem_);
    return std::move(call_);
  }

 private:
  void fail(const std::string& column, std::string problem) {
    if (!problem_) problem_ = corpus::CaseError{{}, row_.line(), column, std::move(problem)};
  }

  /// Literal of a column; null where the column is empty or not there.
  nlohmann::json literal(const std::string& column) {
    const std::string text = row_.text(column);
    if (text.find_first_not_of(" \t") == std::string::npos) return {};
    const auto value = parse_python_literal(text);
    if (!value) fail(column, value.error());
    return value.value_or(nlohmann::json());
  }

  /// Returns a value for each tensor; null beyond the list. One name alone is that of all.
  std::vector<nlohmann::json> for_each_tensor(const std::string& column, std::size_t count) {
    const nlohmann::json values = literal(column);
    std::vector<nlohmann::json> result(count);
    if (values.is_null()) return result;
    if (!values.is_array()) {
      fail(column, "expected one value for each tensor, in brackets");
      return result;
    }
    const bool is_for_all = values.size() == 1;
    for (std::size_t i = 0; i < count && !values.empty(); ++i) {
      if (is_for_all || i < values.size()) result[i] = values[is_for_all ? 0 : i];
    }
    return result;
  }

  void read_tensors() {
    const nlohmann::json shapes = literal("tensor_view_shapes");
    if (!shapes.is_array() || shapes.size() < 3 || shapes.size() > tensor_order.size()) {
      return fail("tensor_view_shapes",
                  "expected the shapes of gradOutput, input and weight, and of the outputs where "
                  "they are listed");
    }
    const std::size_t count = shapes.size();
    const auto dtypes = for_each_tensor("tensor_dtypes", count);
    const auto formats = for_each_tensor("tensor_formats", count);
    const auto strides = for_each_tensor("tensor_view_strides", count);
    const auto offsets = for_each_tensor("tensor_view_offsets", count);
    const auto storage = for_each_tensor("tensor_storage_shapes", count);
    const nlohmann::json ranges = literal("input_data_ranges");
    for (std::size_t i = 0; i < count; ++i) {
      call_.tensors[tensor_order[i]] = {.shape = shapes[i],
                                        .dtype = word(dtypes[i]),
                                        .format = word(formats[i]),
                                        .strides = none_if_empty(strides[i]),
                                        .offset = offsets[i],
                                        .storage_shape = none_if_empty(storage[i]),
                                        .range = i < 3 ? range_of(ranges, i) : nlohmann::json(),
                                        .key = tensor_order[i]};
    }
  }

  static std::string word(const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
  }

  static nlohmann::json none_if_empty(const nlohmann::json& value) {
    return value.is_array() && value.empty() ? nlohmann::json() : value;
  }

  /// One range for all, or one for each input.
  static nlohmann::json range_of(const nlohmann::json& ranges, std::size_t i) {
    if (!ranges.is_array() || ranges.empty()) return {};
    if (ranges[0].is_number()) return ranges;
    if (ranges.size() == 1) return ranges[0];
    return i < ranges.size() ? ranges[i] : nlohmann::json();
  }

  void read_attributes() {
    const nlohmann::json attributes = literal("attributes");
    if (problem_) return;
    if (!attributes.is_object()) {
      return fail("attributes", "expected a dictionary such as {'stride': [1, 1], ...}");
    }
    for (const auto& [spelling, value] : attributes.items()) {
      const std::string name = argument_named(spelling);
      const std::string key = "attributes." + spelling;
      if (name.empty()) return fail(key, "is no argument of aclnnConvolutionBackward");
      call_.values[name] = {value, key};
    }
  }

  const TtkRow& row_;
  ForeignCall call_;
  std::optional<corpus::CaseError> problem_;
};

bool is_switched_off(const std::string& word) {
  return word == "False" || word == "false" || word == "0" || word == "FALSE";
}

bool is_gradient_of_convolution(const std::string& name) {
  return name == "aclnnConvolutionBackward" || name == "torch.ops.aten.convolution_backward";
}

}  // namespace

tl::expected<ImportedCases, corpus::CaseError> cases_of_ttk(std::string_view text,
                                                            const std::string& file) {
  auto records = parse_csv(text);
  if (!records) {
    records.error().file = file;
    return tl::unexpected(std::move(records.error()));
  }
  const CsvRecord& header = records->front();
  if (std::ranges::find(header.fields, "api_name") == header.fields.end()) {
    return tl::unexpected(corpus::CaseError{
        file, header.line, "api_name",
        "TTK's cases of the aclnn and e2e modes are read, which have this column; those of its "
        "kernel mode are not"});
  }
  ImportedCases result;
  for (std::size_t i = 1; i < records->size(); ++i) {
    const TtkRow row(header, (*records)[i]);
    const std::string name = row.text("api_name");
    if (is_switched_off(row.text("is_enabled"))) continue;
    if (!is_gradient_of_convolution(name)) {
      result.other_operators.insert(name);
      continue;
    }
    auto call = TtkReader(row, file)();
    if (call) call->seed = i - 1;
    result.add(call);
  }
  return result;
}

}  // namespace gradproof::advice
