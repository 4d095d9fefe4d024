#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "corpus/case_error.h"

namespace gradproof::advice {

/// Reads a file of a tensor whole. Errors: a sentence with its name.
tl::expected<std::string, std::string> bytes_of_file(const std::string& file);

/// The begin of a plain file, which holds any header, and the file's length.
struct FileBegin {
  std::string bytes;
  std::uintmax_t file_bytes = 0;
};

/// Reads the begin of a file. nullopt: it is empty, no plain file, or can't be read.
std::optional<FileBegin> begin_of_file(const std::string& file);

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

/// A literal as Python prints it, as JSON: tuples and lists become arrays, dictionaries with names
/// as keys objects, None null. "{'stride': [2, 2], 'transposed': False}", "((2, 3), (4,))". inf and
/// nan are numbers; a large integer, or one with a fraction, is a double. Errors: what was expected
/// and where.
tl::expected<nlohmann::json, std::string> parse_python_literal(std::string_view text);

}  // namespace gradproof::advice
