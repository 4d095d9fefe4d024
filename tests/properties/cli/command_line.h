#pragma once

// The program run as a user runs it.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::tests {

namespace fs = std::filesystem;
using gradproof::tests::Ran;
using gradproof::tests::run_in_shell;
using gradproof::tests::ScratchFolder;

/// One folder a test, as the working directory of what it runs.
class CommandLine : public testing::Test {
 protected:
  Ran shell(const std::string& command) const { return run_in_shell(command, folder_.path()); }
  Ran gradproof(const std::string& arguments) const {
    return shell(std::string(GRADPROOF_PROGRAM) + " " + arguments);
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string read(const std::string& name) const { return folder_.read(name); }
  bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
  std::vector<nlohmann::json> results(const std::string& folder = "gradproof-out") const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(read(folder + "/results.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  ScratchFolder folder_;
};

inline const std::string small_case =
    R"({"id":"small","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
    R"("gradOutput":{"shape":[1,1,2,2],"dtype":"FLOAT","format":"NCHW"},)"
    R"("input":{"shape":[1,1,4,4],"dtype":"FLOAT","format":"NCHW"},)"
    R"("weight":{"shape":[1,1,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("biasSizes":[1],"stride":[1,1],"padding":[0,0],"dilation":[1,1],"transposed":false,)"
    R"("outputPadding":[0,0],"groups":1,"outputMask":[true,true,true],"cubeMathType":0,)"
    R"("gradInput":{"shape":[1,1,4,4],"dtype":"FLOAT","format":"NCHW"},)"
    R"("gradWeight":{"shape":[1,1,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("gradBias":{"shape":[1],"dtype":"FLOAT","format":"ND"}EXPECT})";

inline std::string case_line(const std::string& ending = "") {
  std::string line = small_case;
  return line.replace(line.find("EXPECT"), 6, ending) + "\n";
}

/// A shell command that interrupts a run once it has written verdicts, however long that takes.
inline std::string interrupted(const std::string& options, const std::string& signal = "INT") {
  return std::string(GRADPROOF_PROGRAM) + " verify --no-stored --time 120s " + options +
         " & child=$!; "
         "until [ \"$(cat gradproof-out/results.jsonl 2>/dev/null | wc -l)\" -gt 10 ]; "
         "do sleep 0.1; done; kill -" +
         signal + " $child; wait $child";
}

}  // namespace gradproof::tests
