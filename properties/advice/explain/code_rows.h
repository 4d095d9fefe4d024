#pragma once

#include <span>
#include <string_view>

#include "corpus/words/language.h"

namespace gradproof::advice {

/// A status or a message's code, as aclnnConvolutionBackward's callers meet it.
struct CodeRow {
  std::string_view code;   ///< "161002", "EZ1001"
  std::string_view name;   ///< CANN's, "ACLNN_ERR_PARAM_INVALID"; empty: it has none
  corpus::Clause meaning;  ///< what it says; empty where the name does
  corpus::Clause causes;   ///< on this API
  corpus::Clause look_at;  ///< what to do
  /// Statuses of the rules that lead to it, blanks between.
  std::string_view statuses = {};
};

std::span<const CodeRow> code_rows();

/// The clause that a cell of the tables of codes is, or that "$name" stands for in several.
corpus::Clause shared_clause(std::string_view cell);

}  // namespace gradproof::advice
