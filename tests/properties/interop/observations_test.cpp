// Results as observations of test cases, the format of Hypothesis's observability.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

class Observations : public CommandLine {
 protected:
  std::vector<nlohmann::json> lines(const std::string& file) const {
    std::vector<nlohmann::json> result;
    std::istringstream text(read(file));
    for (std::string line; std::getline(text, line);) result.push_back(nlohmann::json::parse(line));
    return result;
  }
};

/// What the schema of Hypothesis requires of a test case, and it admits nothing else.
const std::set<std::string> required{
    "type",     "status",   "status_reason", "representation", "arguments", "how_generated",
    "features", "coverage", "timing",        "metadata",       "property",  "run_start"};

TEST_F(Observations, AreOneForEachRunAndNameWhatTheSchemaRequires) {
  ASSERT_EQ(gradproof("verify --no-stored --cases 60 --seed 7").code, 0);
  const Ran ran =
      gradproof("report gradproof-out gradproof-out/results.jsonl --write observability=o");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.last_line(), StartsWith("report: 60 cases: "));
  const auto given = results();
  const auto observed = lines("o");
  ASSERT_EQ(observed.size(), given.size());  // each once, though it is given twice
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : observed[i].items()) keys.push_back(key);
    EXPECT_THAT(keys, UnorderedElementsAreArray(required));
    const std::string verdict = given[i]["verdict"];
    EXPECT_EQ(observed[i]["status"], verdict == "agree" ? "passed" : "gave_up");
    EXPECT_EQ(observed[i]["status_reason"], given[i].value("reason", ""));
    EXPECT_EQ(observed[i]["representation"], given[i]["repro"]);
    EXPECT_EQ(observed[i]["features"]["soc"], given[i]["soc"]);
    EXPECT_GT(observed[i]["run_start"], 1.7e9);
    EXPECT_GE(observed[i]["timing"]["execute:test"], 0);
  }
}

TEST_F(Observations, OfADisagreementHoldTheCall) {
  write("wrong.jsonl", case_line(R"(,"expect":{"status":161002})"));
  ASSERT_EQ(gradproof("replay wrong.jsonl --status-only -o gradproof-out").code, 1);
  EXPECT_EQ(gradproof("report gradproof-out --write observability=o").code, 1);
  const auto observed = lines("o");
  ASSERT_EQ(observed.size(), 1U);
  EXPECT_EQ(observed[0]["status"], "failed");
  EXPECT_EQ(observed[0]["arguments"]["stride"], results()[0]["case"]["stride"]);
  EXPECT_THAT(observed[0]["status_reason"], HasSubstr("161002"));
}

TEST_F(Observations, OfACutFileLeaveItsLastLineOut) {
  ASSERT_EQ(gradproof("verify --no-stored --cases 20 --seed 7").code, 0);
  const std::size_t count = results().size();
  shell("truncate -s -9 gradproof-out/results.jsonl");
  EXPECT_EQ(gradproof("report gradproof-out/results.jsonl --write observability=o").code, 0);
  EXPECT_EQ(lines("o").size(), count - 1);
  const Ran ran = gradproof("report gradproof-out --write observability=/nowhere/o");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, HasSubstr("/nowhere/o: can't be written"));
}

}  // namespace
}  // namespace gradproof::tests
