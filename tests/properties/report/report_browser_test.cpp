#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/properties/report/report_page.h"
#include "tests/support/shell.h"

namespace {

using gradproof::tests::PageInABrowser;
using gradproof::tests::Ran;
using gradproof::tests::run_in_shell;
using testing::HasSubstr;
using testing::Not;

/// The same small case on a product, with whatever its author expects.
std::string case_line(const std::string& id, const std::string& soc, const std::string& dtype,
                      const std::string& ending) {
  const auto tensor = [&](const char* shape, const char* format) {
    return fmt::format(R"({{"shape":{},"dtype":"{}","format":"{}"}})", shape, dtype, format);
  };
  return fmt::format(
      R"({{"id":"{}","api":"aclnnConvolutionBackward","soc":"{}","gradOutput":{},"input":{},)"
      R"("weight":{},"biasSizes":[1],"stride":[1,1],"padding":[0,0],"dilation":[1,1],)"
      R"("transposed":false,"outputPadding":[0,0],"groups":1,"outputMask":[true,true,true],)"
      R"("cubeMathType":0,"gradInput":{},"gradWeight":{},"gradBias":{}{}}})"
      "\n",
      id, soc, tensor("[1,1,2,2]", "NCHW"), tensor("[1,1,4,4]", "NCHW"),
      tensor("[1,1,3,3]", "NCHW"), tensor("[1,1,4,4]", "NCHW"), tensor("[1,1,3,3]", "NCHW"),
      tensor("[1]", "ND"), ending);
}

/// A report of a run in which one case, FLOAT16 on Ascend950, is expected to be refused and is not.
class ReportInABrowser : public PageInABrowser {
 protected:
  void make_report() override {
    std::ofstream(folder_ / "cases.jsonl")
        << case_line("a", "Ascend910B", "FLOAT", "") << case_line("b", "Ascend950", "FLOAT", "")
        << case_line("seeded", "Ascend950", "FLOAT16", R"(,"expect":{"status":161002})");
    const Ran run = run_in_shell(
        GRADPROOF_PROGRAM " replay cases.jsonl --seed 1 --out gradproof-out", folder_.path());
    ASSERT_EQ(run.code, 1) << run.output;
  }
};

TEST_F(ReportInABrowser, ShowsTheSeededFindingAndLogsNoError) {
  const Ran page = opened("");
  EXPECT_EQ(page.code, 0) << page.output;
  EXPECT_THAT(page.output, HasSubstr("1 finding shown"));
  EXPECT_THAT(page.output,
              HasSubstr("gradproof replay gradproof-out/findings/disagree-expectation"));
  for (const char* section : {"Laws", "Tolerance by precision mode", "Verdicts by mode",
                              "Error against the length of the sum", "Distance in ULP",
                              "Rules met from both sides", "Pairs of parameters"}) {
    EXPECT_THAT(page.output, HasSubstr(fmt::format("<h2>{}</h2>", section)));
  }
  EXPECT_THAT(page.output, testing::ContainsRegex("<td role=\"cell\" class=\"over\"[^>]*>[1-9]"))
      << "a breach stands out";
  EXPECT_THAT(page.output, Not(HasSubstr("CONSOLE"))) << page.output;
}

TEST_F(ReportInABrowser, ShowsATableOfFaultsAndRunsNothingThatItSays) {
  const std::string fault =
      R"({"fault":"a_miss","quantity":"q","file":"f","found":false,"seconds":1,"sentence":")"
      R"(</script><script>undefined_function()</script>"})";
  folder_.write("gradproof-out/faults.json",
                fmt::format(R"({{"seeded":1,"found":0,"falseAlarms":0,"named":0,)"
                            R"("medianSecondsToFind":0,"medianNonZeros":0,"clean":{0},)"
                            R"("faults":[{0}]}})",
                            fault));
  ASSERT_EQ(run_in_shell(GRADPROOF_PROGRAM " report gradproof-out --html gradproof-out/report.html",
                         folder_.path())
                .code,
            1);
  const Ran page = opened("");
  EXPECT_THAT(page.output,
              testing::ContainsRegex("<th scope=\"row\"[^>]* class=\"over\"[^>]*>a_miss</th>"));
  EXPECT_THAT(page.output,
              HasSubstr("&lt;/script&gt;&lt;script&gt;undefined_function()&lt;/script&gt;</td>"));
  EXPECT_THAT(page.output, Not(HasSubstr("CONSOLE"))) << page.output;
}

TEST_F(ReportInABrowser, FiltersByWhatTheAddressSays) {
  const Ran fitting = opened("#soc=Ascend950&dtype=FLOAT16&verdict=disagree");
  EXPECT_THAT(fitting.output, HasSubstr(">1 of 3 modes, 1 finding shown<"));
  const Ran other = opened("#soc=Ascend910B");
  EXPECT_THAT(other.output, HasSubstr(">1 of 3 modes, 0 findings shown<"));
  EXPECT_THAT(other.output, HasSubstr("data-verdict=\"disagree\" hidden"));
  EXPECT_THAT(other.output, Not(HasSubstr("CONSOLE")));
}

TEST_F(ReportInABrowser, FiltersWhatAPersonChooses) {
  const Ran page = opened("",
                          "var s=document.querySelector('select[name=dtype]');s.value='FLOAT16';"
                          "s.dispatchEvent(new Event('change',{bubbles:true}));"
                          "document.getElementById('theme').click();"
                          "document.querySelector('button.copy').click();");
  EXPECT_THAT(page.output, HasSubstr(">1 of 3 modes, 1 finding shown<"));
  EXPECT_THAT(page.output, HasSubstr("data-theme=\"dark\""));
  EXPECT_THAT(page.output, Not(HasSubstr("CONSOLE"))) << page.output;
}

TEST_F(ReportInABrowser, WouldShowAnErrorIfThereWereOne) {
  EXPECT_THAT(opened("", "undefined_function();").output, HasSubstr("CONSOLE"));
}

}  // namespace
