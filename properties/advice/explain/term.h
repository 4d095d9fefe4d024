#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/words/language.h"

namespace gradproof::advice {

/// True if a word is a status (161002), a message's code (EZ1001) or the name of a rule (RANGE-03),
/// whether known or not.
bool is_term(std::string_view word);

/// True if term_text has an answer to a word that is no file: a term, a status's name
/// (ACLNN_ERR_PARAM_INVALID), or what rules are about (stride, "步长").
bool is_known_word(std::string_view word);

/// Name of a status or of a message's code and what it means, "ACL_ERROR_RT_CONTEXT_NULL: the
/// thread has no context"; nullopt: not known here.
std::optional<std::string> name_of_code(std::string_view code);

/// Explains the code or rule: its causes where aclnnConvolutionBackward is called, and what to look
/// at; or the rules about a word. Text for a person; a Chinese word is answered in Chinese. Errors:
/// a sentence, with the nearest name that there is.
tl::expected<std::string, std::string> term_text(
    std::string_view word, corpus::Language language = corpus::Language::English);

}  // namespace gradproof::advice
