// Whole texts as people paste them, and texts of other things: what is stated of each is all that
// may be stated (texts.txt).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::UnorderedElementsAreArray;

struct Pasted {
  std::string name, text;
  std::vector<std::string> statements;
};

/// Blocks of "##### name", a text, "##> a statement".
std::vector<Pasted> pasted_texts() {
  std::ifstream stream(std::string(GRADPROOF_SOURCES) + "/tests/properties/logs/texts.txt");
  std::vector<Pasted> all;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("##### ")) {
      all.push_back({.name = line.substr(6), .text = {}, .statements = {}});
    } else if (line.starts_with("##> ")) {
      all.back().statements.push_back(line.substr(4));
    } else {
      all.back().text += line + "\n";
    }
  }
  return all;
}

/// Everything that a reading claims.
std::vector<std::string> statements_of(const Reading& reading) {
  std::vector<std::string> said;
  for (const LogKind kind : reading.kinds) {
    if (kind != LogKind::Unknown) said.push_back("kind " + std::string(words_of(kind)));
  }
  for (const NamedOperator& one : reading.operators) said.push_back("operator " + one.name);
  if (reading.product) said.push_back("product " + reading.product->word);
  for (const std::string& code : reading.codes) said.push_back("code " + code);
  for (const NamedRule& one : reading.rules) said.push_back("rule " + one.rule);
  for (const Meaning& one : reading.meanings) {
    // Meanings of one line are other tests' matter: here those of the whole text, and quotes.
    if (one.line == 0 || one.words.find(" says: ") != std::string::npos)
      said.push_back("says " + one.words);
  }
  for (const Difference& one : reading.differences.all) said.push_back("differs " + words_of(one));
  for (const FoundCall& one : reading.calls)
    said.push_back((one.is_complete() ? "call " : "part ") + one.line_of_words());
  return said;
}

TEST(PastedTexts, AreToldWhatTheySayAndNothingElse) {
  const auto all = pasted_texts();
  EXPECT_GT(all.size(), 80U);
  for (const Pasted& one : all) {
    const auto read = reading_of(one.text);
    ASSERT_TRUE(read.has_value()) << one.name;
    EXPECT_THAT(statements_of(*read), UnorderedElementsAreArray(one.statements)) << one.name;
  }
}

}  // namespace
}  // namespace gradproof::advice
