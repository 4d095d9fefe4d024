#include "properties/report/report_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "properties/report/markup.h"

namespace gradproof::properties {
namespace {

std::string html_head(const ReportTable& table) {
  std::string text;
  for (const ReportTable::Column& column : table.columns) {
    text += fmt::format(
        "<th scope=\"col\"{}{}>{}</th>", column.is_text ? " class=\"t\"" : "",
        column.words.empty() ? std::string() : fmt::format(" title=\"{}\"", escaped(column.words)),
        escaped(column.name));
  }
  return text;
}

/// Sentences wrap; figures and names stay on their line.
std::string_view look_of(const ReportTable::Column& column, std::string_view words) {
  constexpr std::size_t longest_name = 48;
  if (!column.is_text) return "";
  return words.size() > longest_name ? " class=\"t long\"" : " class=\"t\"";
}

std::string html_row(const ReportTable& table, const ReportTable::Row& row) {
  std::string text = "<tr>";
  for (std::size_t i = 0; i < row.cells.size() && i < table.columns.size(); ++i) {
    const std::string words = escaped(row.cells[i]);
    if (i == 0) {
      text +=
          fmt::format("<th scope=\"row\"{}>{}</th>", row.is_bad ? " class=\"over\"" : "", words);
    } else {
      text += fmt::format("<td{}>{}</td>", look_of(table.columns[i], words), words);
    }
  }
  return text + "</tr>";
}

std::string html_sentences(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    text += fmt::format("<p class=\"sub\">{}</p>", escaped(sentence));
  }
  return text;
}

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
  if (!table.is_long) {
    std::vector<std::string> names;
    names.reserve(table.columns.size());
    for (const ReportTable::Column& column : table.columns) names.push_back(column.name);
    text += '\n' + text_line(table, names);
    for (const ReportTable::Row& row : table.rows) text += text_line(table, row.cells);
    text += '\n';
  }
  for (const std::string& sentence : table.notes) text += sentence + '\n';
  return text + '\n';
}

std::string html_section(const ReportTable& table) {
  std::string rows;
  for (const ReportTable::Row& row : table.rows) rows += html_row(table, row);
  const std::string body = fmt::format(
      "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead>"
      "<tr>{}</tr></thead><tbody>{}</tbody></table></div>",
      escaped(table.title), html_head(table), rows);
  const std::string folded =
      table.is_long
          ? fmt::format("<details><summary>{} rows</summary>{}</details>", table.rows.size(), body)
          : body;
  return fmt::format("<section><h2>{}</h2>{}{}{}</section>", escaped(table.title),
                     html_sentences(table.lead), folded, html_sentences(table.notes));
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

}  // namespace gradproof::properties
