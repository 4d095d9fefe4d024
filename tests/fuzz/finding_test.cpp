// From a fault to one line: what a fuzz target says of a crash and of a wrong value, and that the
// line replays. Runs the real programs.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "corpus/case_json.h"
#include "properties/cases/calls/case_convolution.h"

namespace gradproof::fuzz {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Ended {
  int code = -1;  ///< as the shell says it: 128 and the signal, where one ended the program
  std::string output;
};

class FoundByFuzzing : public testing::Test {
 protected:
  FoundByFuzzing() {
    std::string pattern = (fs::temp_directory_path() / "gradproof-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FoundByFuzzing() override { fs::remove_all(folder_); }

  Ended run(const std::string& command) const {
    const std::string line = fmt::format("cd {} && ( {} ) 2>&1", folder_.string(), command);
    std::FILE* pipe = ::popen(line.c_str(), "r");
    Ended ended;
    std::array<char, 4096> piece{};
    while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) {
      ended.output.append(piece.data(), count);
    }
    const int state = ::pclose(pipe);
    ended.code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return ended;
  }

  /// What stands behind `label: ` on a line of its own.
  static std::string line_after(const std::string& label, const std::string& output) {
    const std::size_t begin = output.find("\n" + label + ": ");
    if (begin == std::string::npos) return {};
    const std::size_t text = begin + label.size() + 3;
    return output.substr(text, output.find('\n', text) - text);
  }

  /// The command that was printed, with the program that was built.
  Ended replay(const std::string& setting, const std::string& output) const {
    std::string command = line_after("replay", output);
    EXPECT_TRUE(command.starts_with("gradproof ")) << output;
    return run(setting + GRADPROOF_PROGRAM + command.substr(command.find(' ')));
  }

  static std::int64_t macs_of(const corpus::Case& test_case) {
    return cases::mac_count(*cases::convolution_of(test_case));
  }

  fs::path folder_;
};

TEST_F(FoundByFuzzing, ACrashBecomesOneSmallLineThatReplays) {
  const std::string setting =
      "GRADPROOF_MISBEHAVIOUR=abort GRADPROOF_FUZZ_TARGET=" GRADPROOF_MISBEHAVING_LIBRARY " ";
  const Ended found = run(setting + GRADPROOF_FUZZ_VALUES " --runs 200000");
  EXPECT_EQ(found.code, 128 + SIGABRT) << found.output;
  EXPECT_THAT(found.output, HasSubstr("died of this case"));
  const auto large = corpus::parse_case(line_after("case", found.output));
  ASSERT_TRUE(large) << found.output;
  EXPECT_EQ(large->groups, 3);

  std::string file = line_after("replay", found.output);
  file = file.substr(file.rfind(' ') + 1);
  const Ended shrunk = run(setting + GRADPROOF_FUZZ_VALUES " --shrink " + file);
  EXPECT_EQ(shrunk.code, 1) << shrunk.output;
  EXPECT_THAT(shrunk.output, HasSubstr("ended by signal 6"));
  const auto small = corpus::parse_case(line_after("case", shrunk.output));
  ASSERT_TRUE(small) << shrunk.output;
  EXPECT_EQ(small->groups, 3);
  EXPECT_EQ(small->input->shape, (std::vector<std::int64_t>{1, 3, 1}));
  EXPECT_LE(macs_of(*small), 3);

  const Ended replayed = replay("GRADPROOF_MISBEHAVIOUR=abort ", shrunk.output);
  EXPECT_EQ(replayed.code, 1) << replayed.output;
  EXPECT_THAT(replayed.output, HasSubstr("the target died of signal 6"));
}

TEST_F(FoundByFuzzing, AWrongValueBecomesOneSmallLineThatReplays) {
  const std::string setting =
      "GRADPROOF_FAULT=dilation_for_stride_in_w GRADPROOF_FUZZ_TARGET=" GRADPROOF_FAULTY_LIBRARIES
      " ";
  const Ended found = run(setting + GRADPROOF_FUZZ_VALUES " --runs 200000");
  EXPECT_EQ(found.code, 128 + SIGABRT) << found.output;
  const auto small = corpus::parse_case(line_after("case", found.output));
  ASSERT_TRUE(small) << found.output;
  EXPECT_LE(macs_of(*small), 8);

  const Ended replayed = replay("GRADPROOF_FAULT=dilation_for_stride_in_w ", found.output);
  EXPECT_EQ(replayed.code, 1) << replayed.output;
  const Ended without_fault = replay("", found.output);
  EXPECT_EQ(without_fault.code, 0) << without_fault.output;
}

/// On a chip whose FLOAT convolution refuses cubeMathType 0, plans fail, which the model rules out.
TEST_F(FoundByFuzzing, AProgramOfCallsIsShortenedToThoseThatMatter) {
  const Ended found =
      run("GRADPROOF_DEVICES=Ascend910A " GRADPROOF_FUZZ_CALL_SEQUENCE " --runs 100000");
  EXPECT_EQ(found.code, 128 + SIGABRT) << found.output;
  EXPECT_THAT(found.output, HasSubstr("the runtime does not follow its model"));
  std::vector<std::string> steps;
  for (std::size_t at = 0; (at = found.output.find("\nstep: ", at)) != std::string::npos; ++at) {
    steps.push_back(found.output.substr(at + 7, 4));
  }
  EXPECT_THAT(steps, testing::ElementsAre("allo", "allo", "plan")) << found.output;
}

TEST_F(FoundByFuzzing, NothingIsNothing) {
  std::ofstream(folder_ / "empty").flush();
  const Ended quiet = run(GRADPROOF_FUZZ_VALUES " --shrink empty");
  EXPECT_EQ(quiet.code, 0);
  EXPECT_THAT(quiet.output, HasSubstr("nothing is wrong with it"));
  EXPECT_THAT(quiet.output, Not(HasSubstr("case:")));
}

TEST_F(FoundByFuzzing, WhatIsNoInputIsRefused) {
  EXPECT_EQ(run(GRADPROOF_FUZZ_VALUES " --shrink absent").code, 2);
  EXPECT_EQ(run(GRADPROOF_FUZZ_VALUES " absent").code, 2);
  EXPECT_EQ(run(GRADPROOF_FUZZ_VALUES " --runs many").code, 2);
  EXPECT_EQ(run(GRADPROOF_FUZZ_VALUES " --faster").code, 2);
  EXPECT_EQ(run("GRADPROOF_FUZZ_TARGET=absent.so " GRADPROOF_FUZZ_VALUES " --runs 1").code, 3);
}

}  // namespace
}  // namespace gradproof::fuzz
