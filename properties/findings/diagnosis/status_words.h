#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"

namespace gradproof::findings::diagnosis {

/// A wrong status in words: what was expected by which rule, what came, and whose answer that is.
std::vector<std::string> status_words(const corpus::Case& test_case,
                                      const corpus::Verdict& verdict);

}  // namespace gradproof::findings::diagnosis
