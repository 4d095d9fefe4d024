#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/words/language.h"
#include "oracle/rules/status_rules.h"

namespace gradproof::advice {

/// Rules that lead to one of the statuses where they alone are broken, by the documents or in the
/// released library, in the specification's order: as seen on a generated call that breaks each.
/// `statuses`: numbers, blanks between.
std::vector<const oracle::StatusRule*> rules_leading_to(std::string_view statuses);

/// "LEN-01 to LEN-04, GRP-01": neighbours of the table in one.
std::string names_in_words(const std::vector<const oracle::StatusRule*>& rules,
                           corpus::Language language);

}  // namespace gradproof::advice
