#include "properties/findings/report/report_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "properties/findings/report/markup.h"

namespace gradproof::findings {
namespace {

/// Letters of the widest cell, the heading included.
std::size_t width_of(const ReportTable& table, std::size_t column) {
  std::size_t width = table.columns[column].name.size();
  for (const ReportTable::Row& row : table.rows) width = std::max(width, row.cells[column].size());
  return width;
}

/// A line of those columns that are no wider than a terminal has room for.
std::string text_line(const ReportTable& table, const std::vector<std::string>& cells) {
  constexpr std::size_t widest = 44;
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::size_t width = width_of(table, i);
    if (width > widest) continue;
    line += table.columns[i].is_text ? fmt::format("{:<{}}  ", cells[i], width)
                                     : fmt::format("{:>{}}  ", cells[i], width);
  }
  while (line.ends_with(' ')) line.pop_back();
  return line + '\n';
}

std::string markdown_head(const ReportTable& table) {
  std::string names = "|", rules = "|";
  for (const ReportTable::Column& column : table.columns) {
    names += fmt::format(" {} |", in_a_cell(column.name));
    rules += column.is_text ? "---|" : "--:|";
  }
  return names + '\n' + rules + '\n';
}

std::string markdown_row(const ReportTable::Row& row) {
  std::string text = "|";
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const bool is_loud = i == 0 && row.is_bad;
    const std::string cell = in_a_cell(row.cells[i]);
    text += is_loud ? fmt::format(" **{}** |", cell) : fmt::format(" {} |", cell);
  }
  return text + '\n';
}

std::string markdown_sentences(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += in_a_cell(sentence) + "\n\n";
  return text;
}

}  // namespace

std::string text_section(const ReportTable& table) {
  std::string text = table.title + '\n';
  for (const std::string& sentence : table.lead) text += sentence + '\n';
  std::vector<std::string> names;
  names.reserve(table.columns.size());
  for (const ReportTable::Column& column : table.columns) names.push_back(column.name);
  text += '\n' + text_line(table, names);
  for (const ReportTable::Row& row : table.rows) text += text_line(table, row.cells);
  text += '\n';
  for (const std::string& sentence : table.notes) text += sentence + '\n';
  return text + '\n';
}

std::string markdown_section(const ReportTable& table, std::size_t most_bytes) {
  std::string text = fmt::format("## {}\n\n", in_a_cell(table.title));
  text += markdown_sentences(table.lead) + markdown_head(table);
  const std::string notes = '\n' + markdown_sentences(table.notes);
  constexpr std::size_t room_for_a_remark = 100;
  std::size_t shown = 0;
  for (const ReportTable::Row& row : table.rows) {
    const std::string next = markdown_row(row);
    if (text.size() + next.size() + notes.size() + room_for_a_remark > most_bytes) break;
    text += next;
    ++shown;
  }
  if (shown < table.rows.size()) {
    text += fmt::format("\n{} more rows are in report.html.\n", table.rows.size() - shown);
  }
  return text + notes;
}

}  // namespace gradproof::findings
