#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::Ran;
using tests::run_in_shell;
using tests::ScratchFolder;

Ran run_program(const std::string& arguments) {
  return run_in_shell("OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 " GRADPROOF_PROGRAM " " +
                      arguments);
}

std::vector<std::string> adapters() {
  std::istringstream names(GRADPROOF_ADAPTERS);
  return {std::istream_iterator<std::string>(names), {}};
}

std::string verify(const std::string& library, const std::string& folder) {
  return "verify --no-stored --seed 3 --jobs 2 --kind valid --dtype FLOAT --quiet --target " +
         library + " --out " + folder;
}

TEST(TargetLibrary, WithoutTheOperatorIsRefusedInsteadOfPassingForTheSimulatedBackend) {
  const ScratchFolder folder;
  const Ran ended = run_program(verify(GRADPROOF_EMPTY_LIBRARY, folder.string()) + " --cases 5");
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("missing aclnnConvolutionBackwardGetWorkspaceSize"));
}

/// Ascend910B in KEEP_DTYPE: the chip computes FLOAT as the libraries do. Refusals show that the
/// adapter is what answers: the simulated backend refuses no legal call.
TEST(Adapters, AnswerUnderTheirOwnNameAndRefuseWhatTheyLack) {
  for (const std::string& library : adapters()) {
    const ScratchFolder folder;
    const Ran ended =
        run_program(verify(library, folder.string()) + " --soc Ascend910B --cases 400");
    EXPECT_TRUE(ended.code == 0 || ended.code == 1) << ended.output;
    std::ifstream results(folder / "results.jsonl");
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

/// Infinities and NaN apart: adapters put zeros between elements where a library has no stride or
/// dilation of that kind.
TEST(Adapters, AreRightInFloatWhereNothingIsInfinite) {
  for (const std::string& library : adapters()) {
    const ScratchFolder folder;
    const Ran ended =
        run_program(verify(library, folder.string()) +
                    " --soc Ascend910B --cases 600 --recipe exact_grid,sparse_full_mantissa");
    EXPECT_EQ(ended.code, 0) << library << ended.output;
  }
}

/// Both directions; the bias is added in FLOAT to the library's result.
TEST(Adapters, AreRightForwardToo) {
  for (const std::string& library : adapters()) {
    const ScratchFolder folder;
    const Ran ended = run_program(verify(library, folder.string()) +
                                  " --api aclnnConvolution --soc Ascend910B --cases 600 --recipe "
                                  "exact_grid,sparse_full_mantissa");
    EXPECT_EQ(ended.code, 0) << library << ended.output;
    std::ifstream results(folder / "results.jsonl");
    std::size_t agreed = 0;
    for (std::string line; std::getline(results, line);) {
      agreed += nlohmann::json::parse(line)["verdict"] == "agree" ? 1 : 0;
    }
    EXPECT_GT(agreed, 100U) << library;
  }
}

}  // namespace
}  // namespace gradproof
