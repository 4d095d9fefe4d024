#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradproof::docs {

/// One command of a page, as it is typed; several lines where it is continued.
struct Command {
  std::size_t line = 0;  ///< of the page, from 1
  std::string text;
  int exit_code = 0;                  ///< what the page says that it ends with
  std::vector<std::string> expected;  ///< its output, as the page shows it
};

/// What stands between two fences.
struct Block {
  std::size_t line = 0;  ///< of the opening fence
  std::string language;  ///< first word after the fence
  std::string mark;      ///< the words after it
  std::vector<std::string> lines;
};

struct Link {
  std::size_t line = 0;
  std::string target;
};

/// A command inside a line of text, e.g. `gradproof replay FILE`.
struct InlineCommand {
  std::size_t line = 0;
  std::string text;
};

/// A Markdown page, taken apart.
struct Page {
  std::vector<Block> blocks;
  std::vector<Link> links;
  std::vector<InlineCommand> inline_commands;
  std::vector<std::string> anchors;   ///< of its headings
  std::vector<std::string> problems;  ///< an open fence, a block that hides a command
};

Page page_of(const std::string& text);

/// Blocks of commands: `sh`, or `console` with their output.
bool holds_commands(const Block& block);
/// The commands of such a block.
std::vector<Command> commands_of(const Block& block);

/// "needs an Ascend host" of the mark "not run: needs an Ascend host"; empty where it is run.
std::string reason_not_run(const Block& block);
/// The path of a mark "needs PATH", or empty.
std::string needed_path(const Block& block);
bool numbers_vary(const Block& block);
/// The page's Python as one program: what is shown at a line of the page stands at that line, all
/// else is blank. Empty where there is none that is run.
std::string python_of(const Page& page);
/// The file that an excerpt is of, or empty.
std::string excerpted_path(const Block& block);

}  // namespace gradproof::docs
