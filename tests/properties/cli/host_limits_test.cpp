// What the shell and the system do to the program: closed streams, limits, links in its folder.

#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/properties/cli/command_line.h"
#include "tests/support/repeats.h"

namespace gradproof::tests {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

const std::string a_run = GRADPROOF_PROGRAM " verify --no-stored --seed 1 --jobs 1 --cases 60 ";

class HostLimits : public CommandLine {};

/// Limits on memory, of which a sanitizer takes terabytes and deeper stacks for itself.
class HostMemory : public HostLimits {
 protected:
  void SetUp() override {
    if (is_sanitized) GTEST_SKIP() << "sanitizers need more memory themselves";
  }
};

TEST_F(HostLimits, ClosedStreamsAreNoPlaceForResults) {
  for (const char* closed : {">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    const Ran ran = shell(a_run + "--out out " + closed);
    EXPECT_EQ(ran.code, 0) << closed;
    EXPECT_GE(results("out").size(), 60U) << closed;  // throws where a line is no JSON
    shell("rm -r out");
  }
}

TEST_F(HostLimits, NothingToPrintOnIsNoCrash) {
  write("case.jsonl", case_line());
  for (const char* command : {"list rules >&- 2>&-", "shrink case.jsonl 2>/dev/full",
                              "list rules >/dev/full 2>/dev/full", "nonsense 2>/dev/full"}) {
    EXPECT_THAT(gradproof(command).code, AnyOf(0, 2, 5)) << command;
  }
}

TEST_F(HostLimits, ALimitOnFilesIsASentence) {
  const Ran ran = shell("ulimit -f 10; " + a_run);
  EXPECT_THAT(ran.code, AnyOf(2, 5));
  EXPECT_THAT(ran.output, HasSubstr("File too large"));
}

TEST_F(HostMemory, ASmallStackIsEnough) { EXPECT_EQ(shell("ulimit -s 128; " + a_run).code, 0); }

TEST_F(HostMemory, LittleMemoryIsNoFinding) {
  const Ran ran = shell("ulimit -d 40000; " + a_run);
  EXPECT_THAT(ran.code, AnyOf(0, 3, 4, 5)) << ran.output;
  EXPECT_THAT(ran.output, Not(HasSubstr(" 1 disagreed")));
}

TEST_F(HostMemory, LittleAddressSpaceIsReserved) {
  EXPECT_EQ(shell("ulimit -v 1000000000; " + a_run).code, 0) << "a TiB at most";
}

TEST_F(HostLimits, LinksInTheFolderAreNotFollowed) {
  write("victim", "untouched");
  for (const char* name : {"report.html", "report.md", "run.json", "journal.jsonl", "results.jsonl",
                           "provenance.jsonl", "report.html.part"}) {
    shell(std::string("rm -rf out; mkdir out; ln -s ../victim out/") + name);
    const Ran ran = shell(a_run + "--out out");
    EXPECT_THAT(ran.code, AnyOf(0, 2, 5)) << ran.output;
    EXPECT_EQ(read("victim"), "untouched") << name;
  }
}

TEST_F(HostLimits, FoldersThatCantBeAreBadUsage) {
  shell("ln -s loop loop");
  EXPECT_EQ(shell(a_run + "--out loop").code, 2);
  EXPECT_EQ(shell(a_run + "--out loop/below").code, 2);
  EXPECT_EQ(shell(a_run + "--out " + std::string(300, 'o')).code, 2);
  const Ran folder = shell(a_run + "--target .");
  EXPECT_THAT(folder.code, AnyOf(2, 3)) << folder.output;
  EXPECT_THAT(folder.output, Not(HasSubstr("basic_filebuf")));
}

TEST_F(HostLimits, AKilledRunIsNotGreenInItsReport) {
  ASSERT_EQ(shell(a_run + "--out out").code, 0);
  EXPECT_EQ(gradproof("report out").code, 0);
  shell("rm -r out; " + std::string(GRADPROOF_PROGRAM) +
        " verify --no-stored --seed 1 --time 100s --out out & child=$!; "
        "until [ \"$(cat out/results.jsonl 2>/dev/null | wc -l)\" -gt 10 ]; do sleep 0.1; done; "
        "kill -KILL $child");
  const Ran report = gradproof("report out");
  EXPECT_EQ(report.code, 4) << report.output;
  EXPECT_THAT(report.output, HasSubstr("out: its run has not ended"));
  EXPECT_EQ(gradproof("report out --baseline out").code, 2);
}

TEST_F(HostLimits, WordsOfAProgramAreShownAndEscaped) {
  const Ran ran = gradproof(
      "verify --target 'pipe:printf \"gradproof-pipe 1 <b>\\`\\033[2J\\n\"' --no-stored --seed 1 "
      "--cases 3 --jobs 1 --soc Ascend910B");
  EXPECT_THAT(ran.output, Not(HasSubstr("\x1b")));
  const std::string report = read("gradproof-out/report.md");
  EXPECT_THAT(report, Not(HasSubstr("\x1b")));
  EXPECT_THAT(report, HasSubstr("&lt;b&gt;`\\x1b[2J"));
}

}  // namespace
}  // namespace gradproof::tests
