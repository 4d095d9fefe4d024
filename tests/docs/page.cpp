#include "tests/docs/page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string_view>

namespace gradproof::docs {
namespace {

constexpr std::string_view fence = "```";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Block block_opened_by(const std::string& line, std::size_t number) {
  Block block;
  block.line = number;
  const std::string words = line.substr(fence.size());
  const auto space = words.find(' ');
  block.language = words.substr(0, space);
  if (space != std::string::npos) block.mark = words.substr(space + 1);
  return block;
}

/// Lower case, blanks as hyphens, everything else that is no letter or digit dropped.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_chinese = byte >= 0x80;  // or of any language but English
    if (std::isalnum(byte) != 0 || is_chinese || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(byte));
    }
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

void read_links(const std::string& line, std::size_t number, Page& page) {
  for (auto at = line.find("]("); at != std::string::npos; at = line.find("](", at + 2)) {
    const auto before = line.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::count(line.begin(), before, '`') % 2 == 1) continue;  // in code
    const auto end = line.find(')', at);
    if (end == std::string::npos) return;
    page.links.push_back({number, line.substr(at + 2, end - at - 2)});
  }
}

void read_inline_commands(const std::string& line, std::size_t number, Page& page) {
  std::size_t begin = line.find('`');
  while (begin != std::string::npos) {
    const auto end = line.find('`', begin + 1);
    if (end == std::string::npos) return;
    const std::string span = line.substr(begin + 1, end - begin - 1);
    if (span.starts_with("gradproof ")) page.inline_commands.push_back({number, span});
    begin = line.find('`', end + 1);
  }
}

void read_text(const std::string& line, std::size_t number, Page& page) {
  if (line.starts_with("#")) page.anchors.push_back(anchor_of(line));
  read_links(line, number, page);
  read_inline_commands(line, number, page);
}

bool looks_like_a_command(const std::string& line) {
  constexpr std::array<std::string_view, 8> beginnings{
      "$ ", "gradproof ", "./dev ", "cmake ", "g++ ", "build/release/bin/", "export ", "git "};
  return std::ranges::any_of(beginnings,
                             [&](std::string_view word) { return line.starts_with(word); });
}

void refuse_hidden_command(const Block& block, Page& page) {
  if (holds_commands(block) || (!block.language.empty() && block.language != "text")) return;
  if (!std::ranges::any_of(block.lines, looks_like_a_command)) return;
  page.problems.push_back(
      "line " + std::to_string(block.line) +
      ": a command in a block that no test runs; mark it sh or console (tests/docs/README.md)");
}

std::string after(const std::string& text, std::string_view beginning) {
  return text.starts_with(beginning) ? text.substr(beginning.size()) : std::string();
}

/// The word of `<<'WORD'`, or empty.
std::string here_document_end(const std::string& line) {
  const auto at = line.find("<<");
  if (at == std::string::npos || line.compare(at, 3, "<<<") == 0) return {};
  std::string word;
  for (std::size_t i = at + 2; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\'') continue;
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
    word += c;
  }
  return word;
}

int exit_code_said_in(const std::string& text) {
  constexpr std::string_view words = "# exit code ";
  const auto at = text.rfind(words);
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + words.size()));
}

/// Reads one command and what belongs to it, from `next` on.
Command read_command(const Block& block, std::size_t& next, std::size_t prompt_width) {
  Command command;
  command.line = block.line + 1 + next;
  std::string line = block.lines[next++].substr(prompt_width);
  command.text = line;
  const std::string end = here_document_end(line);
  while (next < block.lines.size() && (!end.empty() || line.ends_with('\\'))) {
    line = block.lines[next++];
    command.text += "\n" + line;
    if (!end.empty() && line == end) break;
  }
  command.exit_code = exit_code_said_in(command.text);
  return command;
}

}  // namespace

Page page_of(const std::string& text) {
  Page page;
  bool inside = false;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (line.starts_with(fence)) {
      if (!inside) page.blocks.push_back(block_opened_by(line, number));
      inside = !inside;
    } else if (inside) {
      page.blocks.back().lines.push_back(line);
    } else {
      read_text(line, number, page);
    }
  }
  if (inside) {
    page.problems.push_back("line " + std::to_string(page.blocks.back().line) +
                            ": the block does not end");
  }
  for (const Block& block : page.blocks) refuse_hidden_command(block, page);
  return page;
}

bool holds_commands(const Block& block) {
  return block.language == "sh" || block.language == "console";
}

std::vector<Command> commands_of(const Block& block) {
  constexpr std::string_view prompt = "$ ";
  const bool shows_output = block.language == "console";
  std::vector<Command> commands;
  for (std::size_t next = 0; next < block.lines.size();) {
    const std::string& line = block.lines[next];
    if (shows_output && line.starts_with(prompt)) {
      commands.push_back(read_command(block, next, prompt.size()));
    } else if (!shows_output && !line.empty() && !line.starts_with("#")) {
      commands.push_back(read_command(block, next, 0));
    } else {
      if (shows_output && !commands.empty()) commands.back().expected.push_back(line);
      ++next;
    }
  }
  return commands;
}

std::string reason_not_run(const Block& block) { return after(block.mark, "not run: "); }

std::string needed_path(const Block& block) { return after(block.mark, "needs "); }

bool numbers_vary(const Block& block) { return block.mark == "numbers vary"; }

std::string python_of(const Page& page) {
  std::string program;
  std::size_t line = 1;
  for (const Block& block : page.blocks) {
    if (block.language != "python" || !reason_not_run(block).empty()) continue;
    for (; line <= block.line; ++line) program += '\n';
    for (const std::string& text : block.lines) program += text + '\n';
    line += block.lines.size();
  }
  return program;
}

std::string excerpted_path(const Block& block) {
  return holds_commands(block) || block.language == "python" ? std::string() : block.mark;
}

}  // namespace gradproof::docs
