#pragma once

#include <string>
#include <vector>

#include "properties/advice/explain/explanation.h"

namespace gradproof::advice {

/// Explains as explanation_text does, in Chinese: a broken rule as its Chinese clause and the
/// values of the parameters that the clause names, a remedy as the parameters that it changes.
std::string explanation_in_chinese(const std::vector<Explanation>& explanations,
                                   std::size_t most_lines = most_answer_lines);

/// Advises as if_it_still_fails does, in Chinese.
std::string if_it_still_fails_in_chinese(const Explanation& explanation);

}  // namespace gradproof::advice
