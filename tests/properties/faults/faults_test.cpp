#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "properties/runs/faults/child_process.h"
#include "properties/runs/faults/fault_table.h"
#include "properties/runs/faults/seeded_faults.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::runs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(ChildProcess, ReportsHowAProgramEnded) {
  const auto shell = [](const std::string& script, std::chrono::milliseconds limit) {
    return run_process({"/bin/sh", "-c", script}, {{"WORD", "given"}}, limit);
  };
  constexpr std::chrono::milliseconds long_enough{20'000};
  const ProcessEnd exited = shell("echo first; echo $WORD >&2; exit 7", long_enough);
  EXPECT_EQ(exited.exit_code, 7);
  EXPECT_EQ(exited.words, "exit code 7");
  EXPECT_EQ(exited.last_output, "given");
  const ProcessEnd killed = shell("kill -SEGV $$", long_enough);
  EXPECT_EQ(killed.exit_code, std::nullopt);
  EXPECT_EQ(killed.words, "killed by signal " + std::to_string(SIGSEGV));
  const ProcessEnd late = shell("echo begun; exec sleep 60", std::chrono::milliseconds(300));
  EXPECT_EQ(late.exit_code, std::nullopt);
  EXPECT_THAT(late.words, HasSubstr("still ran"));
  EXPECT_EQ(late.last_output, "begun");
  const ProcessEnd missing = run_process({"/nowhere/to/be/found"}, {}, long_enough);
  EXPECT_EQ(missing.exit_code, std::nullopt);
  EXPECT_THAT(missing.last_output, HasSubstr("No such file"));
}

Trial found_trial(const std::string& quantity, std::vector<std::string> diagnosis, double seconds) {
  Trial trial;
  trial.fault = {.name = "a_fault", .quantity = quantity, .file = "file.cpp"};
  trial.found.emplace();
  trial.found->seconds = seconds;
  trial.found->diagnosis = std::move(diagnosis);
  return trial;
}

TEST(FaultTable, CountsWhatWasFoundMissedAndNamed) {
  FaultTrials trials;
  trials.seeded = {found_trial("stride", {"something", "Stride_w taken | for"}, 0.5),
                   found_trial("batch", {"needs groups 2"}, 1.5), Trial{}};
  trials.seeded.back().fault.name = "the_missed_one";
  EXPECT_EQ(faults_last_line(trials),
            "faults: 3 seeded, 2 found, 1 missed, 0 false alarms; median 1.0 s to find");
  EXPECT_EQ(trials.named(), 1U);
  const std::string markdown = faults_as_markdown(trials);
  EXPECT_THAT(markdown, HasSubstr("Stride\\_w taken \\| for"));
  EXPECT_THAT(markdown, HasSubstr("the_missed_one"));
  trials.clean = found_trial("", {}, 1);
  EXPECT_THAT(faults_last_line(trials), HasSubstr("1 false alarms"));
}

/// `gradproof faults` itself, in a folder of its own.
class Faults : public testing::Test {
 protected:
  ProcessEnd run(std::vector<std::string> options) const {
    std::vector<std::string> words{GRADPROOF_PROGRAM, "faults",        "--seed", "7",
                                   "--out",           folder_.string()};
    words.insert(words.end(), options.begin(), options.end());
    return run_process(words, {}, std::chrono::minutes(2));
  }
  nlohmann::json table() const {
    std::ifstream stream(folder_ / "faults" / "faults.json");
    return nlohmann::json::parse(stream, nullptr, false);
  }

  tests::ScratchFolder folder_;
};

TEST_F(Faults, AreFoundMadeSmallAndExplained) {
  const ProcessEnd end =
      run({"dilation_for_stride_in_w,rule_stride_01_missing", "--time", "5s", "--jobs", "1"});
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("2 seeded, 2 found, 0 missed, 0 false alarms"));
  const auto json = table();
  ASSERT_TRUE(json.is_object());
  ASSERT_EQ(json["faults"].size(), 2U);
  const auto& stride = json["faults"][0];
  EXPECT_EQ(stride["fault"], "dilation_for_stride_in_w");
  EXPECT_LE(stride["nonZeros"], 4);
  EXPECT_TRUE(stride["namesTheQuantity"]);
  EXPECT_EQ(json["faults"][1]["by"], "status");
  EXPECT_FALSE(json["clean"]["found"]);
}

/// One that shows in the bits alone, and only where a schedule is not always the same.
TEST_F(Faults, OfTheSimulatedCoresAreFoundInTheBitsAndInTheValues) {
  const std::string faults =
      "atomics_in_deterministic_mode,l0c_stale_from_the_sample_before,k_tail_lost,"
      "left_fractals_in_the_other_order";
  const ProcessEnd end = run({faults, "--time", "30s", "--jobs", "1"});
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("4 seeded, 4 found, 0 missed, 0 false alarms"));
  const auto json = table();
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["faults"][0]["fault"], "atomics_in_deterministic_mode");
  EXPECT_TRUE(json["faults"][0]["namesTheQuantity"]) << json["faults"][0];
}

/// Calls that `verify` asks for only by name, each fault's by its own row; the clean kernel has no
/// false alarm in them.
TEST_F(Faults, OfForwardOperatorsAreFoundInTheirCalls) {
  const std::string faults =
      "forward_bias_dropped,forward_bias_alone_left_out,forward_depthwise_reads_the_first_channel";
  const ProcessEnd end = run({faults, "--time", "8s", "--jobs", "1"});
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("3 seeded, 3 found, 0 missed, 0 false alarms"));
}

TEST_F(Faults, StandInTheReportOfTheirFolder) {
  ASSERT_EQ(run({"dilation_for_stride_in_w", "--time", "5s", "--jobs", "1"}).exit_code, 0);
  const auto report = [&](const std::string& folder) {
    return run_process({GRADPROOF_PROGRAM, "report", folder, "--write",
                        fmt::format("html={0}/h,markdown={0}/m,json={0}/j", folder_.string())},
                       {}, std::chrono::minutes(1));
  };
  const auto text_of = [&](const char* name) {
    std::ifstream stream(folder_ / name);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  for (const fs::path& folder : {folder_.path(), folder_ / "faults"}) {
    const ProcessEnd end = report(folder.string());
    EXPECT_EQ(end.exit_code, 0) << end.last_output;
    EXPECT_THAT(text_of("h"), HasSubstr("dilation_for_stride_in_w"));
    EXPECT_THAT(text_of("m"), HasSubstr("## Seeded faults"));
    EXPECT_EQ(nlohmann::json::parse(text_of("j"))["faults"]["found"], 1);
  }
  std::ofstream(folder_ / "faults" / "faults.json") << "{\"seeded\": 1";
  const ProcessEnd end = report(folder_.string());
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.last_output, HasSubstr("faults.json: not a table of seeded faults"));
}

/// Faults of one file of kernel/with_faults/faults.
std::vector<std::string> faults_of(const std::string& file) {
  std::ifstream stream(fs::path(GRADPROOF_SOURCES) / "kernel/with_faults/faults" / file);
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("fault ")) names.push_back(line.substr(6));
  }
  return names;
}

/// As a person's own library is judged: no option says what it promises.
void expect_found_by_default(const std::string& fault, const fs::path& folder) {
  const auto libraries = libraries_with_faults();
  ASSERT_TRUE(libraries) << libraries.error();
  std::string target;
  for (const fs::path& library : *libraries) {
    target += (target.empty() ? "" : ",") + library.string();
  }
  const ProcessEnd end = run_process(
      {GRADPROOF_PROGRAM, "verify", "--target", target, "--no-stored", "--jobs", "1", "--seed", "1",
       "--findings", "1", "--cases", "20000", "--time", "20s", "--quiet", "--out", folder.string()},
      {{"GRADPROOF_FAULT", fault}}, std::chrono::minutes(2));
  EXPECT_EQ(end.exit_code, 1) << fault << ": " << end.last_output;
}

TEST_F(Faults, InSpecialValuesAreFoundInAForeignLibraryByDefault) {
  const auto faults = faults_of("special_values.txt");
  EXPECT_GE(faults.size(), 5U);
  for (const std::string& fault : faults) expect_found_by_default(fault, folder_ / fault);
}

TEST_F(Faults, InSpecialValuesAreCountedWhereALibraryPromisesLess) {
  const auto libraries = libraries_with_faults();
  ASSERT_TRUE(libraries) << libraries.error();
  const std::string target =
      (*libraries)[1].string() + "," + (*libraries)[2].string() + "," + (*libraries)[3].string();
  const ProcessEnd end = run_process(
      {GRADPROOF_PROGRAM, "verify", "--target", target, "--no-stored", "--seed", "1", "--cases",
       "2000", "--machine", "specials=ignored", "--quiet", "--out", folder_.string()},
      {{"GRADPROOF_FAULT", "zero_operands_skipped"}}, std::chrono::minutes(2));
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  std::ifstream stream(folder_ / "report.json");
  const auto tallies = nlohmann::json::parse(stream)["tallies"];
  EXPECT_GT(tallies["outputs with elements not compared for infinite or NaN products: gradInput"],
            10);
}

TEST_F(Faults, InTheTwoPhasesAreFoundInAForeignLibraryByDefault) {
  const auto faults = faults_of("phases.txt");
  EXPECT_GE(faults.size(), 8U);
  for (const std::string& fault : faults) expect_found_by_default(fault, folder_ / fault);
}

TEST_F(Faults, ThatAreNotFoundFailTheRun) {
  // Too short to run a single case.
  const ProcessEnd end = run({"kernel_not_rotated", "--time", "0ms"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.last_output, HasSubstr("1 seeded, 0 found, 1 missed"));
}

TEST_F(Faults, ThatDoNotExistAreBadUsage) {
  const ProcessEnd end = run({"gremlins"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.last_output, HasSubstr("\"gremlins\" is no seeded fault"));
}

}  // namespace
}  // namespace gradproof::runs
