#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "properties/targets/target/library_architecture.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::targets {
namespace {

using testing::HasSubstr;
using tests::Ran;
using tests::run_in_shell;

class UnusableTarget : public testing::Test {
 protected:
  Ran verify(const std::string& library, const std::string& environment = {}) const {
    return run_in_shell(environment +
                            " " GRADPROOF_PROGRAM
                            " verify --no-stored --seed 4 --jobs 2 "
                            "--cases 20000 --target " +
                            library,
                        folder_.path());
  }

  tests::ScratchFolder folder_;
};

TEST_F(UnusableTarget, WhoseLegalCallsAllFailAlikeEndsTheRunWithThree) {
  const Ran ran = verify(GRADPROOF_MISBEHAVING_LIBRARY, "GRADPROOF_MISBEHAVIOUR=fail_all");
  EXPECT_EQ(ran.code, 3) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("gradproof: each of 200 legal calls ended with 561000"));
  EXPECT_THAT(ran.output, HasSubstr("LD_LIBRARY_PATH"));
  EXPECT_FALSE(folder_.read("gradproof-out/report.html").empty());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "gradproof-out/findings"));
}

TEST_F(UnusableTarget, OfAnotherProcessorIsCalledThat) {
  std::ifstream stream(GRADPROOF_MISBEHAVING_LIBRARY, std::ios::binary);
  std::string library(std::istreambuf_iterator<char>(stream), {});
  EXPECT_EQ(foreign_architecture(GRADPROOF_MISBEHAVING_LIBRARY), std::nullopt);
  constexpr std::size_t machine = 18;  // e_machine, the second field after the 16 bytes of e_ident
  library.at(machine) = static_cast<char>(EM_RISCV);
  library.at(machine + 1) = 0;
  const auto other = folder_.write("libother.so", library);
  EXPECT_EQ(foreign_architecture(other), "RISC-V");
  const Ran ran = verify("./libother.so");
  EXPECT_EQ(ran.code, 3) << ran.output;
  EXPECT_THAT(ran.output,
              HasSubstr("it was built for RISC-V, this gradproof for " + own_architecture()));
  EXPECT_EQ(foreign_architecture(folder_.write("text", "no library")), std::nullopt);
}

}  // namespace
}  // namespace gradproof::targets
