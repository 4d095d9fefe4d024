#include "properties/cli/colors.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

namespace gradproof::cli {
namespace {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_colored_terminal() {
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return ::isatty(STDOUT_FILENO) == 1 && !is_dumb && !is_set("NO_COLOR");
}

/// Parameters of "select graphic rendition".
std::string_view rendition(Tone tone) {
  switch (tone) {
    case Tone::Good:
      return "32";  // green
    case Tone::Wrong:
      return "1;31";  // bold red
    case Tone::Doubtful:
      return "33";  // yellow
    case Tone::Command:
      return "36";  // cyan
  }
  return "0";
}

}  // namespace

tl::expected<bool, std::string> parse_color(std::string_view word) {
  if (word == "always") return true;
  if (word == "never") return false;
  if (word == "auto") return is_colored_terminal();
  return tl::unexpected(fmt::format("\"{}\" is none of auto, always, never", word));
}

std::string in_color(bool has_colors, Tone tone, std::string_view text) {
  return has_colors ? fmt::format("\033[{}m{}\033[0m", rendition(tone), text) : std::string(text);
}

}  // namespace gradproof::cli
