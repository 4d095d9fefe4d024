#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "corpus/words/language.h"

namespace gradproof::advice {

/// Meaning that a code without a row of its own has by its place in CANN's and torch_npu's
/// numbering.
struct CodeOfFamily {
  std::string name;        ///< CANN's, "ACL_ERROR_RT_PARAM_INVALID"; empty: it has none
  corpus::Clause meaning;  ///< of the family
  corpus::Clause causes;   ///< whose fault it can be
  corpus::Clause look_at;  ///< what to do
};

/// Family of "107033", "EE9999" or "ERR00100"; nullopt if none is known here.
std::optional<CodeOfFamily> family_of_code(std::string_view code);

}  // namespace gradproof::advice
