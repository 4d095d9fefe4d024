// The help is short unless all of it is asked for, and the words of the release before still work.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;

using Names = std::set<std::string>;

/// Options that a help names: lines such as "  -t,--time TIME   how long".
Names options_in(const std::string& help) {
  static const std::regex option("^ +(?:-[a-zA-Z],)?(--[a-z0-9-]+)");
  Names names;
  std::istringstream lines(help);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, option)) names.insert(found[1]);
  }
  return names;
}

std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(std::min(help.find("Subcommands:\n"), help.size())));
  std::string line;
  std::getline(lines, line);
  for (; std::getline(lines, line);) {
    // Words that continue are further to the right.
    if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

class Help : public CommandLine {};

TEST_F(Help, NamesAtMostTwelveOptionsUnlessAllAreAskedFor) {
  const auto commands = commands_in(gradproof("--help").output);
  EXPECT_LE(commands.size(), 11U);
  EXPECT_GE(commands.size(), 9U);
  Names all;
  for (const std::string& command : commands) {
    const std::string brief = gradproof(command + " --help").output;
    const Names usual = options_in(brief),
                every = options_in(gradproof(command + " --help-all").output);
    EXPECT_LE(usual.size(), 12U) << brief;
    EXPECT_TRUE(std::ranges::includes(every, usual)) << command;
    const std::size_t more = every.size() - usual.size();
    const std::string pointer =
        std::to_string(more) + " more options: gradproof " + command + " --help-all";
    EXPECT_EQ(brief.find(pointer) != std::string::npos, more > 0) << brief;
    all.insert(every.begin(), every.end());
  }
  all.erase("--help");
  all.erase("--help-all");
  EXPECT_LE(all.size(), 53U);
  EXPECT_GE(all.size(), 40U) << "so many are not read from the help";
}

TEST_F(Help, SaysWhichModeOfACommandHasAnOption) {
  const auto refused = [&](const std::string& words) {
    const Ran ran = gradproof(words);
    EXPECT_EQ(ran.code, 2) << words;
    return ran.output;
  };
  EXPECT_THAT(refused("replay --shrink a.jsonl --jobs 2"),
              HasSubstr("replay --shrink: there is no option \"--jobs\"; `gradproof replay`"));
  EXPECT_THAT(refused("explain 161002 --target x.so"),
              HasSubstr("`gradproof explain --tolerance` has it"));
  EXPECT_THAT(refused("list rules --cases 3"), HasSubstr("`gradproof list cases` has it"));
  EXPECT_THAT(refused("list rules laws"), HasSubstr("one topic, not also \"laws\""));
  EXPECT_THAT(refused("verify --set predict=3"), HasSubstr("\"predict\" is no key of verify here"));
  EXPECT_THAT(refused("verify --set quick"), HasSubstr("\"quick\" is no KEY=VALUE"));
  EXPECT_THAT(refused("verify --machine ieee,adder=block"), HasSubstr("adder is given twice"));
}

TEST_F(Help, TakesKeysTogetherAndApart) {
  ASSERT_EQ(gradproof("verify --no-stored --cases 5 --seed 1 --quiet --set "
                      "results=failures,max-bytes=64M --machine adder=block --machine hf32=even")
                .code,
            0);
  EXPECT_EQ(gradproof("report gradproof-out --write html=a,b.html --write junit=c").code, 0);
  EXPECT_TRUE(exists("a,b.html"));
  EXPECT_TRUE(exists("c"));
}

struct Spelling {
  std::string before, note;
};

/// Those that need no target; exit code and output are those of the new words.
TEST_F(Help, UnderstandsTheWordsOfTheReleaseBeforeWithOneLine) {
  write("good.jsonl", case_line());
  const std::string call = " --input 1,1,4,4 --weight 1,1,3,3 --soc 910B";
  const std::vector<Spelling> spellings{
      {"verify --stored no --cases 2 --seed 1 -q", "--stored no is now --no-stored"},
      {"verify --stored yes --cases 2 --seed 1 -q", "--stored yes is not needed any more"},
      {"verify --no-stored --isolate no --cases 2 --seed 1 -q", "--isolate no is now --in-process"},
      {"verify --no-stored --isolate yes --cases 2 --seed 1 -q",
       "--isolate yes is not needed any more"},
      {"verify --no-stored --dictionary no --cases 2 --seed 1 -q",
       "--dictionary no is not needed any more"},
      {"verify --no-stored --dictionary auto --cases 2 --seed 1 -q",
       "--dictionary auto is not needed"},
      {"verify --no-stored --adder=block --cases 2 --seed 1 -q",
       "--adder block is now --machine adder=block"},
      {"verify --no-stored --hf32 even --cases 2 --seed 1 -q",
       "--hf32 even is now --machine hf32=even"},
      {"verify --no-stored --specials ignored --cases 2 --seed 1 -q",
       "--specials ignored is now --machine specials=ignored"},
      {"verify --no-stored --results all --cases 2 --seed 1 -q",
       "--results all is now --set results=all"},
      {"verify --no-stored --max-bytes 1M --cases 2 --seed 1 -q",
       "--max-bytes 1M is now --set max-bytes=1M"},
      {"verify --no-stored --color never --cases 2 --seed 1 -q",
       "--color never is now --set color=never"},
      {"verify --no-stored --cases 2 --seed 1 -q -o cert --certificate c",
       "--certificate c is now --write certificate=c"},
      {"report gradproof-out --html h", "--html h is now --write html=h"},
      {"report gradproof-out --json j", "--json j is now --write json=j"},
      {"report gradproof-out --junit u", "--junit u is now --write junit=u"},
      {"report gradproof-out --markdown m", "--markdown m is now --write markdown=m"},
      {"report gradproof-out --observability o",
       "--observability o is now --write observability=o"},
      {"replay good.jsonl --sample 1", "--sample 1 is now --set sample=1"},
      {"shrink good.jsonl", "`shrink` is now `replay --shrink`"},
      {"generate --cases 1 --seed 3 --first 7", "--first 7 is now --set first=7"},
      {"generate --cases 1", "`generate` is now `list cases`"},
      {"tolerance" + call, "`tolerance` is now `explain --tolerance`"},
      {"tolerance --case" + call, "--case is now --code case"},
      {"explain --case" + call, "--case is now --code case"},
      {"explain --torch \"Conv2d(1, 1, 3)\" --input 1,1,4,4", "--torch 'Conv2d(1, 1, 3)' is now "},
      {"fingerprint --calls 100000" + call, "--calls 100000 is now --cases 100000"},
      {"fingerprint --predict 100" + call, "--predict 100 is now --set predict=100"},
      {"fingerprint --against gradproof-out/machine.json" + call,
       "--against gradproof-out/machine.json is now --baseline "}};
  for (const auto& [before, note] : spellings) {
    const Ran ran = gradproof(before);
    EXPECT_EQ(ran.code, 0) << before << ": " << ran.output;
    EXPECT_THAT(ran.output, HasSubstr("gradproof: note: " + note)) << before;
  }
  EXPECT_EQ(gradproof("generate --cases 1 --seed 3 --first 7 2>/dev/null").output,
            gradproof("list cases --cases 1 --seed 3 --set first=7").output);
}

/// With targets, scopes and faults that are none: what is refused shows that they were read.
TEST_F(Help, PassesOldWordsOnToWhatTakesThemNow) {
  const std::vector<Spelling> spellings{
      {"prove --scope tinny", "tinny: is neither small nor blocks"},
      {"prove --mode FLOATY", "--dtype: \"FLOATY\""},
      {"prove --attacks some", "--set: attacks: \"some\""},
      {"faults --fault gremlins --time soon", "--fault gremlins is now gremlins alone"},
      {"faults --museum --time-per-fault soon", "--time: \"soon\""},
      {"explain --input 1,1,3,3 --weight 1,1,1,1 --bias-sizes x", "--bias: \"(x)\""},
      {"verify --views yes", "--set: views: programs behind a pipe alone"},
      {"verify --repeat yes", "--set: repeat: programs behind a pipe alone"},
      {"verify --domain any", "--set: domain: programs behind a pipe alone"},
      {"verify --dictionary 5,63", "there is no --dictionary any more"}};
  for (const auto& [before, problem] : spellings) {
    const Ran ran = gradproof(before);
    EXPECT_EQ(ran.code, 2) << before << ": " << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(problem)) << before;
  }
}

}  // namespace
}  // namespace gradproof::tests
