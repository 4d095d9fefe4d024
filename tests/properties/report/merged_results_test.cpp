#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "properties/cases/generators/random_case.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/json_reader.h"
#include "properties/findings/results/merge.h"
#include "properties/findings/results/results_line.h"
#include "properties/findings/results/shard_record.h"
#include "tests/properties/report/made_up_runs.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

TEST(MergedResults, AreTheSummaryOfTheRunThatWroteThem) {
  const tests::ScratchFolder folder;
  const auto merged = merge_results({folder.write("a", lines_of(0, 300, plain_heading))});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->summary, summary_of(0, 300));
  EXPECT_EQ(merged->seeds, std::set<std::uint64_t>{7});
  EXPECT_TRUE(merged->cuts.empty());
}

TEST(MergedResults, CountALineOnceInWhateverFileAndOrder) {
  const tests::ScratchFolder folder;
  const auto a = folder.write("a", lines_of(0, 100, plain_heading));
  const auto b = folder.write("b", lines_of(60, 200, plain_heading));
  const auto twice =
      folder.write("twice", lines_of(0, 60, plain_heading) + lines_of(0, 60, plain_heading));
  const Summary whole = summary_of(0, 200);
  for (const auto& files : std::vector<std::vector<fs::path>>{
           {a, b}, {b, a}, {a, a, b}, {b, twice, a, b}, {twice, b}}) {
    const auto merged = merge_results(files);
    ASSERT_TRUE(merged) << merged.error();
    EXPECT_EQ(merged->summary, whole);
  }
  EXPECT_NE(merge_results({a})->summary, whole);
}

TEST(MergedResults, ReachUpToACutAndReportIt) {
  const tests::ScratchFolder folder;
  const std::string lines = lines_of(0, 20, plain_heading);
  const std::size_t last = lines.rfind('\n', lines.size() - 2) + 1;
  for (const std::size_t left : {last + 1, last + 30, lines.size() - 2}) {
    const auto merged = merge_results({folder.write("cut", lines.substr(0, left))});
    ASSERT_TRUE(merged) << merged.error();
    EXPECT_EQ(merged->summary, summary_of(0, 19));
    ASSERT_EQ(merged->cuts.size(), 1U);
    EXPECT_THAT(merged->cuts[0], HasSubstr("cut: is cut off within line 20; the 19 lines"));
  }
  const auto whole = merge_results({folder.write("whole", lines.substr(0, lines.size() - 1))});
  EXPECT_EQ(whole->summary, summary_of(0, 20)) << "only the line end is missing";
}

TEST(MergedResults, NameAMissingShard) {
  const tests::ScratchFolder folder;
  LineHeading heading = plain_heading;
  heading.shard_count = 3;
  std::vector<fs::path> files;
  for (const std::uint64_t index : {1, 3}) {
    heading.shard_index = index;
    files.push_back(
        folder.write(fmt::format("{}", index), lines_of(10 * index, 10 * index + 5, heading)));
  }
  const auto merged = merge_results(files);
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_THAT(merged->missing_shards,
              testing::Contains("shard 2/3 of the run of seed 7 on simulated is missing"));
  heading.shard_index = 2;
  files.push_back(folder.write("2", lines_of(20, 25, heading)));
  const std::string unknown = "no shards.jsonl next to them";
  EXPECT_THAT(merge_results(files)->missing_shards,
              testing::AllOf(testing::SizeIs(3), testing::Each(HasSubstr(unknown))));
  std::string records;
  for (const std::uint64_t index : {2, 1, 3, 1}) {
    const DealtWork work{"verify", "any", heading.target, "documented", heading.seed, 3};
    records += shard_record_line({work, index, 5}) + '\n';
  }
  folder.write("shards.jsonl", records);
  EXPECT_THAT(merge_results(files)->missing_shards, testing::IsEmpty());
  folder.write("shards.jsonl", "{\"shard\":[4,3]}\n");
  EXPECT_THAT(merge_results(files).error(), HasSubstr("shards.jsonl:1: "));
}

TEST(MergedResults, RefuseMoreShardsThanThereCanBe) {
  const tests::ScratchFolder folder;
  LineHeading heading = plain_heading;
  heading.shard_count = 1'000'000'000'000;  // each one of them would be named as missing
  EXPECT_THAT(merge_results({folder.write("a", lines_of(0, 1, heading))}).error(),
              HasSubstr("shard is not [I,N]"));
}

TEST(MergedResults, RefuseOtherSchemasWithBothVersions) {
  const tests::ScratchFolder folder;
  std::string lines = lines_of(0, 3, plain_heading);
  const std::string own = "\"schema\":\"" + results_schema() + '"';
  lines.replace(lines.find(own), own.size(), "\"schema\":\"99-abc\"");
  const auto merged = merge_results({folder.write("newer", lines)});
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error(),
              HasSubstr("newer:1: schema 99-abc, but this program reads " + results_schema()));
  const auto older = merge_results({folder.write(
      "older", R"({"id":"a","law":"status","verdict":"agree","outputs":{},"repro":""})"
               "\n")});
  ASSERT_FALSE(older);
  EXPECT_THAT(older.error(), HasSubstr("older:1: schema none, but"));
}

TEST(MergedResults, NameTheLineThatIsNone) {
  const tests::ScratchFolder folder;
  const std::string line = results_line(made_up(1), plain_heading, 1);
  EXPECT_THAT(merge_results({folder.path() / "absent"}).error(),
              HasSubstr("absent: cannot be read: No such file"));
  for (const std::string& wrong :
       {std::string("no json"), line + "}", line.substr(0, line.size() - 1), std::string("{}"),
        std::string("[]"), std::string(100'000, '['),
        std::string("{\"x\":") + std::string(1000, '[')}) {
    const auto merged =
        merge_results({folder.write("wrong", fmt::format("{0}\n{1}\n{0}", line, wrong))});
    ASSERT_FALSE(merged) << wrong.substr(0, 80);
    EXPECT_THAT(merged.error(), HasSubstr("wrong:2: "));
  }
}

/// A reader of untrusted files must end with an error message, whatever it reads.
TEST(MergedResults, SurviveDamageOfEveryByte) {
  const std::string line = results_line(made_up(2), plain_heading, 1);
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (const char damage : {'"', '\\', '{', ']', '9', '\0', '\xff'}) {
      std::string text = line;
      text[at] = damage;
      const auto read = parse_results_line(text);
      EXPECT_TRUE(read || !read.error().empty());
    }
    EXPECT_FALSE(parse_results_line(std::string_view(line).substr(0, at)));
  }
}

TEST(JsonReader, AgreesWithALibraryOnTexts) {
  for (const std::string text :
       {"plain", "quote \" slash \\ / tab \t line \n \x01", "\xC3\xA9\xF0\x9F\x98\x80"}) {
    for (const bool is_ascii : {false, true}) {
      const std::string written = json(text).dump(-1, ' ', is_ascii);
      EXPECT_EQ(JsonReader(written).text(), text) << written;
    }
  }
}

}  // namespace
}  // namespace gradproof::findings
