#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace gradproof::properties {

/// Whether a word is a status (161002), a message's code (EZ1001) or the name of a rule (RANGE-03),
/// whether known or not.
bool is_term(std::string_view word);

/// The name of a status or of a message's code, e.g. "ACLNN_ERR_PARAM_INVALID"; nullopt: not known
/// here.
std::optional<std::string_view> name_of_code(std::string_view code);

/// What the code or rule is, its causes where aclnnConvolutionBackward is called, and what to look
/// at, as text for a person. Errors: a sentence, with the nearest name that there is.
tl::expected<std::string, std::string> term_text(std::string_view word);

}  // namespace gradproof::properties
