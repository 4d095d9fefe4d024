// The program reads other tools' files wherever it reads cases.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class ImportedFiles : public CommandLine {
 protected:
  ImportedFiles() { shell("cp " + std::string(GRADPROOF_SOURCES) + "/docs/examples/interop/* ."); }
};

TEST_F(ImportedFiles, AreRecognisedByContent) {
  shell(
      "for file in atk.json ttk.csv dump.json trace.json; do cp $file ${file%.*}.jsonl; "
      "cp $file ${file%.*}; done");
  const std::pair<const char*, const char*> runs[] = {
      {"atk", "2 cases: 2 agreed"},
      {"ttk", "3 cases: 3 agreed"},
      {"dump", "1 cases: 1 agreed"},
      {"trace", "2 cases: 2 agreed"},
  };
  for (const auto& [name, words] : runs) {
    for (const std::string& file : {name + std::string(".jsonl"), std::string(name)}) {
      const Ran ran = gradproof("replay " + file);
      EXPECT_EQ(ran.code, 0) << ran.output;
      EXPECT_THAT(ran.last_line(), HasSubstr(words)) << file;
    }
    const std::string program = GRADPROOF_PROGRAM;
    EXPECT_THAT(shell(program + " replay - <" + name).last_line(), HasSubstr(words));
    EXPECT_EQ(gradproof("explain " + std::string(name)).code, 0);
    // What was read is a case file of our own.
    const Ran own = shell(fmt::format("{0} explain --code case {1} | {0} replay -", program, name));
    EXPECT_THAT(own.last_line(), HasSubstr(words)) << own.output;
  }
}

TEST_F(ImportedFiles, RunTheGoodCasesAndNameTheOthers) {
  shell("sed -i '0,/fp16/s//fp61/' atk.json");
  for (const std::string command : {"replay", "explain"}) {
    const Ran ran = gradproof(command + " atk.json");
    EXPECT_EQ(ran.code, 2) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr("gradproof: left out: atk.json: [0].inputs[0] (gradOutput): "
                                      "\"fp61\" is no dtype"));
  }
  EXPECT_THAT(gradproof("replay atk.json").last_line(), HasSubstr("1 cases: 1 agreed"));
  shell("sed -i 's/\"ConvolutionBackward/\"Cat/' atk.json");
  const Ran none = gradproof("replay atk.json");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.output, HasSubstr("left out: atk.json: cases of other operators: Cat"));
  EXPECT_THAT(none.output, HasSubstr("atk.json: holds no case"));
}

TEST_F(ImportedFiles, RunOnTheProductThatIsAskedFor) {
  const Ran ran = gradproof("replay atk.json --soc Ascend910B,Ascend950 --out out");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_EQ(results("out").size(), 4U);
  write("own.jsonl", case_line());
  EXPECT_THAT(gradproof("replay own.jsonl atk.json --soc Ascend950").output,
              HasSubstr("--soc: a case file says itself"));
}

TEST_F(ImportedFiles, LeaveOneCaseOverManyLinesToTheCaseReader) {
  write("pretty.json", nlohmann::json::parse(case_line()).dump(2));
  const Ran ran = gradproof("replay pretty.json");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(gradproof("explain pretty.json").output, Not(HasSubstr("not a finding")));
  const Ran other = shell("echo '{\"a\": 1}' >other.json; " + std::string(GRADPROOF_PROGRAM) +
                          " replay other.json");
  EXPECT_THAT(other.output, HasSubstr("other.json: case: not a finding"));
  EXPECT_THAT(gradproof("replay lacking.json").output, HasSubstr("can't be opened"));
  EXPECT_THAT(gradproof("replay .").output, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace gradproof::tests
