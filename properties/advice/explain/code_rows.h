#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "corpus/words/language.h"

namespace gradproof::advice {

/// A status or a message's code, as aclnnConvolutionBackward's callers meet it, or a family of
/// codes.
struct CodeRow {
  std::string code;        ///< "161002", "EZ1001"; with a ? for any digit: a family
  std::string name;        ///< CANN's, "ACLNN_ERR_PARAM_INVALID"; empty: it has none
  corpus::Clause meaning;  ///< what it says; empty where the name does
  corpus::Clause causes;   ///< on this API
  corpus::Clause look_at;  ///< what to do
  /// Statuses of the rules that lead to it, blanks between.
  std::string_view statuses = {};
};

std::span<const CodeRow> code_rows();

/// The row of "161002", or of its family with the name that CANN's header has; nullopt: not known
/// here.
std::optional<CodeRow> code_row(std::string_view code);

/// Text of CANN's header of the runtime's codes (written by CMake).
extern const std::string_view runtime_header;

}  // namespace gradproof::advice
