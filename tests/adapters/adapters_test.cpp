#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace gradproof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Ended {
  int exit_code = -1;
  std::string output;
};

Ended run_program(const std::string& arguments) {
  const std::string line =
      "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 " GRADPROOF_PROGRAM " " + arguments + " 2>&1";
  FILE* pipe = ::popen(line.c_str(), "r");
  Ended ended;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    ended.output.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

std::vector<std::string> adapters() {
  std::vector<std::string> files;
#ifdef adapter_blas_file
  files.emplace_back(adapter_blas_file);
#endif
#ifdef adapter_onednn_file
  files.emplace_back(adapter_onednn_file);
#endif
  return files;
}

std::string folder_for(const std::string& library) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("adapters_test_" + fs::path(library).stem().string());
  fs::remove_all(folder);
  return folder.string();
}

std::string verify(const std::string& library, const std::string& folder) {
  return "verify --stored no --seed 3 --jobs 2 --kind valid --dtype FLOAT --quiet --target " +
         library + " --out " + folder;
}

TEST(TargetLibrary, WithoutTheOperatorIsRefusedInsteadOfPassingForTheSimulatedBackend) {
  const Ended ended =
      run_program(verify(GRADPROOF_EMPTY_LIBRARY, folder_for("empty")) + " --cases 5");
  EXPECT_EQ(ended.exit_code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("missing aclnnConvolutionBackwardGetWorkspaceSize"));
}

/// Ascend910B in KEEP_DTYPE: the chip computes FLOAT as the libraries do. Refusals show that the
/// adapter is what answers: the simulated backend refuses no legal call.
TEST(Adapters, AnswerUnderTheirOwnNameAndRefuseWhatTheyLack) {
  for (const std::string& library : adapters()) {
    const std::string folder = folder_for(library);
    const Ended ended = run_program(verify(library, folder) + " --soc Ascend910B --cases 400");
    EXPECT_TRUE(ended.exit_code == 0 || ended.exit_code == 1) << ended.output;
    std::ifstream results(fs::path(folder) / "results.jsonl");
    std::size_t agreed = 0, refused = 0;
    for (std::string line; std::getline(results, line);) {
      const auto result = nlohmann::json::parse(line);
      EXPECT_EQ(result["target"], fs::path(library).filename().string());
      agreed += result["verdict"] == "agree" ? 1 : 0;
      refused += result["verdict"] == "refused" ? 1 : 0;
    }
    EXPECT_GT(agreed, 100U) << library;
    EXPECT_GT(refused, 10U) << library;
  }
}

}  // namespace
}  // namespace gradproof
