// Words that a shell reads back, and that may be printed.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "properties/findings/results/shell_word.h"
#include "tests/support/shell.h"

namespace gradproof::findings {
namespace {

TEST(ShellWord, IsReadBackByTheShellAndHasNoControlCharacters) {
  const std::string words[] = {"plain/path.json",  "",           "two words",  "a'b\"c",
                               "$(false)`x`",      "a\x1b[31mb", "\xff%s\\n'", "\x7f",
                               "caf\xC3\xA9 \x01", "--x=%d\x02"};
  for (const std::string& word : words) {
    const std::string quoted = shell_word(word);
    EXPECT_EQ(tests::run_in_shell("printf '%s' " + quoted).output, word) << quoted;
    EXPECT_TRUE(std::ranges::none_of(quoted, [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
        << quoted;
  }
}

}  // namespace
}  // namespace gradproof::findings
