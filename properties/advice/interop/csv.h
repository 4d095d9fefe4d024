#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case_error.h"

namespace gradproof::advice {

/// A record of a CSV file, and the line on which it begins.
struct CsvRecord {
  std::size_t line = 1;
  std::vector<std::string> fields;
};

/// The records of a CSV text (RFC 4180): commas between fields, quotes around one that holds
/// commas, line ends or quotes, each of these quotes doubled. A comma inside brackets that are not
/// quoted belongs to its field too, as in `1,{'a': [2, 3]}`. Empty lines are passed over. Errors:
/// the line of a quote that does not end.
tl::expected<std::vector<CsvRecord>, corpus::CaseError> parse_csv(std::string_view text);

}  // namespace gradproof::advice
