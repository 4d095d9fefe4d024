#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "corpus/case.h"
#include "corpus/json/json_object.h"

namespace gradproof::corpus {

/// Kinds of calls: what has a kind in common has its parameters in common.
enum class CallKind : std::uint8_t { Aclnn, GraphOperator, TilingClass };

/// When a call computes an output.
enum class Computed : std::uint8_t { Never, Always, WhereMasked, WhereDescribed };

/// An operator as cases speak of it. All that tells operators apart here is a member of its row.
struct OperatorRow {
  Api api;
  std::string_view name;
  CallKind kind;
  PerInput<bool> operands;  ///< true: the call takes it
  PerOutput<Computed> outputs;
  /// Parameters as its cases and sentences call them; empty: it has none in this place.
  PerInput<std::string_view> input_names{"gradOutput", "input", "weight"};
  PerOutput<std::string_view> output_names{"gradInput", "gradWeight", "gradBias"};
  bool is_forward = false;  ///< see corpus::is_forward
  /// Generated, and explained as the cause of a status, only where it is asked for by its name.
  bool only_when_asked = false;

  /// Documents say what views and empty problems mean. Else a view is not judged, and an empty
  /// problem is computed like any other.
  bool documents_views = false, documents_empty_problems = false;

  /// Reads the members of a case's JSON object that are not tensors, id, product or data.
  void (*read)(JsonObject&, Case&) = nullptr;
  void (*write)(nlohmann::ordered_json&, const Case&) = nullptr;

  /// Converts the case to a call of aclnnConvolutionBackward, its tensors' axes in the order N C L;
  /// null where the oracle and the generators have their own way to read it.
  Case (*lowered)(const Case&) = nullptr;
  /// The opposite: `test_case` with what `lowered` says put in the place of its own.
  Case (*raised)(const Case& test_case, const Case& lowered) = nullptr;
  /// Where a tensor keeps N, C and L; nullopt where they are in that order.
  std::optional<std::array<std::size_t, 3>> (*axes)(const Case&, const TensorCase&) = nullptr;
};

/// Rows in the order of Api.
std::span<const OperatorRow> operator_rows();
const OperatorRow& row_of(Api api);

/// `lowered` of the case's row; nullopt where the row has none.
std::optional<Case> lowered(const Case& test_case);

// The rows, each in its own file.
extern const OperatorRow convolution_backward_row;
extern const std::array<OperatorRow, 4> attribute_rows;
extern const OperatorRow conv_tbc_backward_row;
extern const std::array<OperatorRow, 3> forward_rows;

}  // namespace gradproof::corpus
