#include "corpus/operators/operator_row.h"

#include <algorithm>

namespace gradproof::corpus {

std::span<const OperatorRow> operator_rows() {
  static const std::array rows{convolution_backward_row, attribute_rows[0], attribute_rows[1],
                               attribute_rows[2],        attribute_rows[3], conv_tbc_backward_row,
                               forward_rows[0],          forward_rows[1],   forward_rows[2]};
  return rows;
}

const OperatorRow& row_of(Api api) {
  const auto place = to_size(api);
  return operator_rows()[place < operator_rows().size() ? place : 0];
}

std::optional<Case> lowered(const Case& test_case) {
  const OperatorRow& row = row_of(test_case.api);
  if (row.lowered == nullptr) return std::nullopt;
  return row.lowered(test_case);
}

std::string_view name_of(Api api) {
  const auto place = to_size(api);
  return place < operator_rows().size() ? operator_rows()[place].name : std::string_view{};
}

std::optional<Api> api_named(std::string_view name) {
  const auto row = std::ranges::find(operator_rows(), name, &OperatorRow::name);
  if (row == operator_rows().end()) return std::nullopt;
  return row->api;
}

bool is_graph_operator(Api api) { return row_of(api).kind == CallKind::GraphOperator; }

bool is_tiling_class(Api api) { return row_of(api).kind == CallKind::TilingClass; }

bool has_attributes(Api api) { return row_of(api).kind != CallKind::Aclnn; }

bool computes_dx(Api api) { return !row_of(api).operands[InputRole::Input]; }

bool is_forward(Api api) { return row_of(api).is_forward; }

std::string_view name_of(const Case& test_case, InputRole role) {
  return row_of(test_case.api).input_names[role];
}

std::string_view name_of(const Case& test_case, OutputRole role) {
  return row_of(test_case.api).output_names[role];
}

bool is_operand(const Case& test_case, InputRole role) {
  return row_of(test_case.api).operands[role];
}

bool is_requested(const Case& test_case, OutputRole role) {
  switch (row_of(test_case.api).outputs[role]) {
    case Computed::Never:
      return false;
    case Computed::Always:
      return true;
    case Computed::WhereDescribed:
      return tensor(test_case, role).has_value();
    case Computed::WhereMasked:
      break;
  }
  const auto index = to_size(role);
  return test_case.output_mask && index < test_case.output_mask->size() &&
         (*test_case.output_mask)[index];
}

}  // namespace gradproof::corpus
