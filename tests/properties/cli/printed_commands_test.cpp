// Commands that the program prints are typed again as they are, wherever the user is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

/// A folder whose name a shell would take apart.
class PrintedCommands : public CommandLine {
 protected:
  PrintedCommands() { fs::create_directory(folder_ / awkward); }

  /// Where `gradproof` is the program, and the folder the working directory.
  Ran there(const std::string& command) const {
    const std::string programs = fs::path(GRADPROOF_PROGRAM).parent_path().string();
    return shell("cd \"" + awkward + "\" && export PATH='" + programs + "':\"$PATH\" && " +
                 command);
  }

  /// The first line of the text that holds `words`, from there on.
  static std::string command_in(const std::string& text, const std::string& words) {
    const auto begin = text.find(words);
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
  }

  const std::string awkward = "it's here";
};

TEST_F(PrintedCommands, ReplayAndShrinkAFinding) {
  write(awkward + "/a case's.jsonl", case_line(R"(,"expect":{"status":161002})"));
  const Ran ran = there("gradproof replay \"a case's.jsonl\" --status-only -o \"its out\"");
  ASSERT_EQ(ran.code, 1) << ran.output;
  const std::string replay = command_in(ran.output, "gradproof replay ");
  ASSERT_THAT(replay, HasSubstr("its out"));
  const Ran again = there(replay);
  EXPECT_EQ(again.code, 1) << replay << "\n" << again.output;
  EXPECT_THAT(again.last_line(), HasSubstr("1 disagreed"));
  // What is printed for replay is what shrink takes.
  const auto file = replay.find(" --");
  const Ran shrunk = there("gradproof replay --shrink" +
                           replay.substr(std::string("gradproof replay").size(),
                                         file - std::string("gradproof replay").size()));
  EXPECT_EQ(shrunk.code, 1) << shrunk.output;
}

TEST_F(PrintedCommands, GenerateACaseAgain) {
  const Ran ran = there("gradproof verify --no-stored --cases 3 --seed 2 --quiet -o \"its out\"");
  ASSERT_EQ(ran.code, 0) << ran.output;
  const std::string repro = results(awkward + "/its out").at(1)["repro"];
  ASSERT_THAT(repro, HasSubstr("gradproof list cases "));
  const Ran again = there(repro);
  EXPECT_EQ(again.code, 0) << repro << "\n" << again.output;
  EXPECT_THAT(again.last_line(), ContainsRegex("^replay: [1-9][0-9]* cases: [1-9][0-9]* agreed"));
}

TEST_F(PrintedCommands, ResumeARunThatWasInterrupted) {
  const Ran ran = there(
      "{ gradproof verify --no-stored --cases 4000 --jobs 1 -o \"it's out\" & child=$!; "
      "until [ \"$(cat \"it's out/results.jsonl\" 2>/dev/null | wc -l)\" -gt 10 ]; do sleep 0.1; "
      "done; kill -INT $child; wait $child; }");
  ASSERT_EQ(ran.code, 130) << ran.output;
  const std::string resume = command_in(ran.output, "gradproof verify ");
  ASSERT_THAT(resume, HasSubstr("--seed ")) << ran.output;
  const Ran again = there(resume);
  EXPECT_EQ(again.code, 0) << resume << "\n" << again.output;
  EXPECT_THAT(again.output, HasSubstr("resum"));
  EXPECT_THAT(again.last_line(), HasSubstr("verify: 4000 cases"));
}

TEST_F(CommandLine, ShowsOneMistakeFromBeginningToEnd) {
  const Ran ran = gradproof("demo");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("a kernel with one mistake: "));
  EXPECT_THAT(ran.output, ContainsRegex("exact result with stride_[hw] taken for stride_[hw]"));
  EXPECT_THAT(ran.output, ContainsRegex("again: gradproof replay .*libgradproof_demo.so"));
}

TEST_F(CommandLine, HasHelpWithExamplesAndExitCodesForEachCommand) {
  for (const char* command : {"verify", "replay", "explain", "judge", "prove", "fingerprint",
                              "report", "list", "faults", "demo"}) {
    const Ran ran = gradproof(std::string(command) + " --help");
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.output, HasSubstr("Examples:\n  gradproof " + std::string(command)));
    for (const char* code :
         {"  0   ", "  1   ", "  2   ", "  3   ", "  4   ", "  5   ", "  130 ", "  143 "}) {
      EXPECT_THAT(ran.output, HasSubstr(code)) << command;
    }
  }
  EXPECT_THAT(gradproof("verify --help").output, ContainsRegex("Budget:\n  -t,--time TIME"));
}

}  // namespace
}  // namespace gradproof::tests
