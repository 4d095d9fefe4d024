// The program's verify and generate: cases that are drawn.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CommandLine, RefusesFilesThatARunKeepsAndOneFileForTwoKinds) {
  const auto refused = [&](const std::string& words, const std::string& why) {
    const Ran ran = gradproof(words);
    EXPECT_EQ(ran.code, 2) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(why)) << words;
  };
  refused("verify --cases 1 --out o --write certificate=o/results.jsonl",
          "a file that a run keeps");
  refused("verify --cases 1 --out o --write certificate=o/../o/report.json",
          "a file that a run keeps");
  ASSERT_EQ(gradproof("verify --cases 1 --out o").code, 0);
  refused("report o --write json=r,html=./r", "is named twice");
  refused("report o --write json=o/results.jsonl", "a file that a run keeps");
  EXPECT_EQ(gradproof("report o --write json=o/report.json").code, 0);
  write("ok.py", "def f(*operands):\n  return None\n");
  refused("gate --python ok.py:f --without 1d,2d,3d", "--without: every call is one of 1d, 2d, 3d");
  refused("gate --python ok.py:f --without 4d", "\"4d\" is none of 1d");
  refused("verify --max-macs 0 --time 1s", "--max-macs: it takes a number from 1");
  refused("fingerprint --input 1,1,100000,100000 --weight 1,1,1,1", "multiply-accumulates");
}

TEST_F(CommandLine, StopsWhereTheResultsNoLongerFit) {
  // 200 KiB: the trial before the run passes, the run itself does not fit.
  const Ran ran = shell("ulimit -f 200; " + std::string(GRADPROOF_PROGRAM) +
                        " verify --no-stored --cases 100000 --seed 4 --quiet");
  EXPECT_EQ(ran.code, 5) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("results.jsonl: cannot be written"));
}

TEST_F(CommandLine, GivesTheSameCasesAndVerdictsForEveryNumberOfJobs) {
  for (const std::string jobs : {"1", "2", "5"}) {
    const Ran ran = gradproof(
        fmt::format("verify --no-stored --cases 400 --seed 12 --jobs {0} --out jobs{0}", jobs));
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_THAT(ran.last_line(), StartsWith("verify: 400 cases: "));
    EXPECT_THAT(ran.last_line(), HasSubstr("; seed 12; "));
  }
  auto one = results("jobs1"), two = results("jobs2"), five = results("jobs5");
  for (auto* lines : {&one, &two, &five}) {
    for (auto& line : *lines) line.erase("milliseconds");
  }
  EXPECT_EQ(one, two);
  EXPECT_EQ(one, five);
}

/// The second function is none of those that are generated: health would count skipped cases.
TEST_F(CommandLine, HoldsCallsToLawsOfTwoFunctions) {
  for (const std::string law : {"forward_adjoint", "operator_equivalence"}) {
    const Ran ran = gradproof("verify --no-stored --cases 200 --seed 12 --law " + law);
    EXPECT_EQ(ran.code, 0) << ran.output;
  }
}

TEST_F(CommandLine, TakesTheMemoryOfGeneratedCasesAsASizeAndRecordsIt) {
  for (const auto& [size, bytes] : {std::pair("1.5K", "1536"), {"2MiB", "2097152"}}) {
    const Ran ran = gradproof(
        fmt::format("verify --no-stored --cases 40 --seed 4 --set max-bytes={0} --out {0}", size));
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_THAT(read(fmt::format("{}/run.json", size)),
                HasSubstr(fmt::format("--set max-bytes={} ", bytes)));
  }
  const Ran bad = gradproof("verify --cases 4 --set max-bytes=64Q");
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.output, HasSubstr("--set: max-bytes: \"64Q\" is not a size"));
}

TEST_F(CommandLine, HasColoursWhereTheyAreAskedFor) {
  const std::string verify = "verify --no-stored --cases 40 --seed 4 --quiet --set color=";
  const std::string green = "\033[32m";
  EXPECT_THAT(gradproof(verify + "always").output, HasSubstr(green));
  EXPECT_THAT(gradproof(verify + "never").output, Not(HasSubstr("\033")));
  EXPECT_THAT(gradproof(verify + "auto").output, Not(HasSubstr("\033"))) << "no terminal";
  const Ran bad = gradproof(verify + "perhaps");
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.output, HasSubstr("--set: color: \"perhaps\" is none of auto, always, never"));

  // script(1) gives a program a terminal.
  const auto on_a_terminal = [&](const std::string& variables, const std::string& color) {
    return shell(fmt::format("{} script -qec '{} {}{} --out t' /dev/null", variables,
                             GRADPROOF_PROGRAM, verify, color))
        .output;
  };
  if (shell("command -v script").code != 0) GTEST_SKIP() << "no script(1)";
  EXPECT_THAT(on_a_terminal("NO_COLOR= TERM=xterm", "auto"), HasSubstr(green));
  EXPECT_THAT(on_a_terminal("NO_COLOR=1 TERM=xterm", "auto"), Not(HasSubstr("\033")));
  EXPECT_THAT(on_a_terminal("NO_COLOR= TERM=dumb", "auto"), Not(HasSubstr("\033")));
  EXPECT_THAT(on_a_terminal("NO_COLOR=1 TERM=xterm", "always"), HasSubstr(green));
}

/// A line of at most 80 characters each, the last one apart, which programs read.
TEST_F(CommandLine, SaysOnSuccessWhatFitsOnAScreen) {
  const Ran ran = gradproof("verify --cases 3000 --seed 4");
  ASSERT_EQ(ran.code, 0) << ran.output;
  std::istringstream text(ran.output);
  std::size_t count = 0;
  for (std::string line; std::getline(text, line);) {
    const bool is_progress = line.find(" cases/s, ") != std::string::npos;  // on a slow machine
    if (is_progress) continue;
    ++count;
    const bool is_last = line == ran.last_line();
    EXPECT_TRUE(is_last || line.size() <= 80) << line;
  }
  EXPECT_LE(count, 12U) << ran.output;
}

TEST_F(CommandLine, GeneratesTheCasesThatVerifyRuns) {
  const Ran many = gradproof("list cases --cases 30 --seed 12 --soc Ascend910B --kind valid");
  ASSERT_EQ(many.code, 0);
  EXPECT_EQ(many.output,
            gradproof("list cases --cases 30 --seed 12 --soc Ascend910B --kind valid").output);
  EXPECT_NE(many.output,
            gradproof("list cases --cases 30 --seed 13 --soc Ascend910B --kind valid").output);
  EXPECT_THAT(
      many.output,
      EndsWith(
          gradproof("list cases --cases 1 --set first=29 --seed 12 --soc Ascend910B --kind valid")
              .output));

  EXPECT_EQ(gradproof("verify --no-stored --cases 20 --seed 12 --soc Ascend910B --kind valid").code,
            0);
  auto line = results().back();
  std::string repro = line["repro"];
  ASSERT_THAT(repro, AllOf(StartsWith("gradproof list cases "), HasSubstr("| gradproof replay -")));
  for (std::size_t at = 0; (at = repro.find("gradproof ", at)) != std::string::npos; at += 60) {
    repro.replace(at, 9, GRADPROOF_PROGRAM);
    break;
  }
  repro.replace(repro.find("| gradproof") + 2, 9, GRADPROOF_PROGRAM);
  const Ran again = shell(repro + " --out again");
  EXPECT_EQ(again.code, 0) << again.output;
  bool found = false;
  for (auto& other : results("again")) {
    found |= other["id"] == line["id"] && other["recipe"] == line["recipe"] &&
             other["outputs"] == line["outputs"] && other["verdict"] == line["verdict"];
  }
  EXPECT_TRUE(found) << line.dump() << '\n' << read("again/results.jsonl");
}

TEST_F(CommandLine, DrawsInsideItsSelectionAndShards) {
  const Ran ran = gradproof(
      "list cases --cases 40 --seed 3 --soc Ascend950 --dtype BF16 --rank 5 --transposed yes "
      "--kind "
      "valid");
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["soc"], "Ascend950");
    EXPECT_EQ(json["input"]["dtype"], "BF16");
    EXPECT_EQ(json["input"]["shape"].size(), 5U);
    EXPECT_EQ(json["transposed"], true);
  }
  EXPECT_EQ(gradproof("verify --no-stored --cases 30 --seed 3 --shard 1/2 --out one").code, 0);
  EXPECT_EQ(shell("GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=2 " + std::string(GRADPROOF_PROGRAM) +
                  " verify --no-stored --cases 30 --seed 3 --out two")
                .code,
            0);
  for (const auto& one : results("one")) {
    for (const auto& two : results("two")) EXPECT_NE(one["id"], two["id"]);
  }
}

TEST_F(CommandLine, EndsInOrderOnCtrlC) {
  const Ran ran = shell(interrupted("--seed 2"));
  EXPECT_EQ(ran.code, 130) << ran.output;
  EXPECT_THAT(ran.last_line(), ContainsRegex("^verify: [1-9][0-9]* cases: "));
  EXPECT_GT(results().size(), 10U);
  EXPECT_THAT(ran.output,
              HasSubstr("interrupted; this resumes the run: gradproof verify --no-stored"));
}

TEST_F(CommandLine, EndsInOrderOnTerminate) {
  const Ran ran = shell(interrupted("--seed 2", "TERM"));
  EXPECT_EQ(ran.code, 143) << ran.output;
  EXPECT_THAT(ran.last_line(), ContainsRegex("^verify: [1-9][0-9]* cases: "));
}

TEST_F(CommandLine, VerifiesTheCheapStoredCasesFirst) {
  EXPECT_EQ(gradproof("verify --cases 2000 --seed 1 --law status").code, 0);
  std::set<std::string> ids;
  for (const auto& line : results()) ids.insert(line["id"]);
  // Ours; published ones of each file, a tiling class asked about a large problem.
  for (const char* id : {"channels-15", "atk-000", "ut-030", "ttk-000", "example-1d", "v2-000",
                         "tiling-117", "tiling-150"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  // Too many multiply-accumulates; too large tensors.
  EXPECT_FALSE(ids.contains("ut-000"));
  EXPECT_FALSE(ids.contains("tiling-138"));
  EXPECT_TRUE(std::ranges::any_of(ids, [](const auto& id) { return id.starts_with("1-"); }));
}

TEST_F(CommandLine, ShowsWhereTheRunHasBeen) {
  const Ran ran = gradproof("verify --no-stored --cases 200 --seed 3 --table");
  EXPECT_THAT(ran.output, ContainsRegex("legal pairs of classes +[1-9][0-9]* of [1-9][0-9]*\n"));
  EXPECT_THAT(ran.output, ContainsRegex("rules broken or used +[1-9][0-9]* of [1-9][0-9]*\n"));
  EXPECT_THAT(ran.last_line(), ContainsRegex("^verify: 200 cases: "));
}

TEST_F(CommandLine, PrintsTheSeedThatItChose) {
  const Ran ran = gradproof("verify --no-stored --cases 5");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, ContainsRegex("seed [0-9]+\n"));
}

}  // namespace
}  // namespace gradproof::tests
