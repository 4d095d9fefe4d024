#include "corpus/words/foreign_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "nlohmann/json.hpp"

namespace gradproof::corpus {
namespace {

TEST(ForeignText, KeepsWhatIsFitForATerminal) {
  for (const char* text :
       {"", "plain", "two\nlines\tand a tab", "内存不足: 5 GiB", "≤ 0.5 ulp", "\\x1b"}) {
    EXPECT_EQ(foreign_text(text), text);
  }
}

TEST(ForeignText, ShowsControlCharactersAndMarksOfDirection) {
  EXPECT_EQ(foreign_text("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(foreign_text("\xC2\x9B"
                         "2J"),
            "\\xc2\\x9b2J")
      << "an escape of one character";
  EXPECT_EQ(foreign_text("\xE2\x80\xAE"
                         "txt"),
            "\\xe2\\x80\\xaetxt");
  EXPECT_EQ(foreign_text(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(foreign_name("one\nline\r"), "one\\x0aline\\x0d");
}

TEST(ForeignText, DecodesChineseInGbk) {
  EXPECT_EQ(foreign_text("\xC4\xDA\xB4\xE6\xB2\xBB\xD7\xE3: 5 GiB"), "内存不足: 5 GiB");
}

TEST(ForeignText, ShowsBytesThatAreNoText) {
  EXPECT_EQ(foreign_text("\xFF\xFE"), "\\xff\\xfe");
  EXPECT_EQ(foreign_text("caf\xE9 noir"), "caf\\xe9 noir") << "Latin 1 is not taken for Chinese";
  EXPECT_EQ(foreign_text("\xE0\x80\x80"), "\\xe0\\x80\\x80") << "overlong";
  EXPECT_EQ(foreign_text("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
}

TEST(ForeignText, IsNoLongerThanAsked) {
  const std::string long_text(50 << 20, 'x');
  EXPECT_EQ(foreign_text(long_text).size(), longest_foreign_text);
  EXPECT_EQ(foreign_text("abcdefgh", LineBreaks::Kept, 8), "abcdefgh");
  EXPECT_EQ(foreign_text("abcdefghi", LineBreaks::Kept, 8), "abcde...");
  EXPECT_EQ(foreign_text("内存不足", LineBreaks::Kept, 8), "内...");
}

TEST(ForeignText, OfRandomBytesIsTextThatStaysAsItIs) {
  std::mt19937_64 bits(20261126);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(bits() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(bits() % 3 != 0 ? bits() % 256 : 'a');
    const std::string text = foreign_text(bytes, LineBreaks::Shown, 64);
    EXPECT_EQ(foreign_text(text, LineBreaks::Shown, 64), text);
    EXPECT_NO_THROW(nlohmann::json(text).dump());
    for (const char letter : text) EXPECT_GE(static_cast<unsigned char>(letter), 0x20);
  }
}

}  // namespace
}  // namespace gradproof::corpus
