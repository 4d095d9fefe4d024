#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "properties/findings/results/summary.h"

namespace gradproof::findings {

/// A table that is no count of cases: the seeded faults of a folder, tolerances of layers. Worked
/// out by the command that it comes from; renderers only print it.
struct ReportTable {
  /// Content of one column.
  struct Column {
    std::string name;
    std::string words;     ///< what it means; may be empty
    bool is_text = false;  ///< else numbers, which stand to the right
  };
  /// One line of the table.
  struct Row {
    std::vector<std::string> cells;  ///< one for each column; the first names the row
    bool is_bad = false;             ///< what should not be: a fault missed, a false alarm
  };

  std::string key;  ///< of its document in report.json
  std::string title;
  std::vector<std::string> lead;  ///< sentences before it
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;  ///< sentences after it
  std::string document;            ///< the JSON it was made of
};

/// Formats the table for a terminal: aligned columns, those with long texts left out.
std::string text_section(const ReportTable& table);

/// A section of a Markdown page; of more than `most_bytes` as many rows as fit, and a line that
/// says so.
std::string markdown_section(const ReportTable& table, std::size_t most_bytes);

/// Bit equality by what may differ between two calls, of the claims that a run was asked to check;
/// nullopt: none. Accuracy is no part of it.
std::optional<ReportTable> claims_table(const Summary& summary);

}  // namespace gradproof::findings
