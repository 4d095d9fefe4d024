#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(ReportInABrowser, ShowsPicturesBeforeTables) {
  const std::string page = opened("").output;
  const auto errors = page.find("<h2>Error against the length of the sum</h2>");
  ASSERT_NE(errors, std::string::npos);
  for (const char* later : {"Tolerance by precision mode", "Laws", "Verdicts by mode"}) {
    EXPECT_LT(errors, page.find(fmt::format("<h2>{}</h2>", later))) << later;
  }
}

/// A tensor of a batch of 64 of which only the last element is not zero.
std::string drawn_batch(const std::string& name) {
  std::string zeros;
  for (int i = 0; i < 63; ++i) zeros += "\"0\",";
  return fmt::format(
      R"({{"name":"{}","axes":["N","C","L"],"shape":[64,1,1],"from":[0,0,0],"size":[64,1,1],)"
      R"("values":[{}"1"]}})",
      name, zeros);
}

TEST_F(ReportInABrowser, DrawsTheWrongOutputFirstAndFoldsZeros) {
  std::string zeros;
  for (int i = 0; i < 63; ++i) zeros += "\"0\",";
  const std::string picture = fmt::format(
      R"("picture":{{"output":"gradInput","compute_format":"FLOAT","operands":[{0}],"computed":{1},)"
      R"("exact":[{2}"131072"],"expected":[{2}"inf"],"bound":[{2}"0"],"states":"{3}w",)"
      R"("element":[63,0,0],"products":[],"product_count":0,"map":null,"why_no_map":"none"}},)",
      drawn_batch("gradOutput"), drawn_batch("gradInput"), zeros, std::string(63, 'r'));
  const std::string file = "gradproof-out/findings/disagree-expectation-status-0.json";
  folder_.write(file, "{" + picture + folder_.read(file).substr(1));
  ASSERT_EQ(
      run_in_shell(GRADPROOF_PROGRAM " report gradproof-out --write html=gradproof-out/report.html",
                   folder_.path())
          .code,
      1);
  const std::string page = opened("").output;
  const auto output = page.find(">gradInput[0..62]: 0</p>"), worst = page.find("class=\"w worst\""),
             operand = page.find(">gradOutput[0..62]: 0</p>");
  ASSERT_NE(operand, std::string::npos) << page;
  EXPECT_LT(output, worst);
  EXPECT_LT(worst, operand);
  EXPECT_THAT(page, HasSubstr("computed 1, expected inf, exact 131072, admitted error 0"));
  EXPECT_THAT(page, Not(HasSubstr("gradInput[5,:,:]"))) << "zeros are drawn one by one";
  EXPECT_THAT(page, Not(HasSubstr("CONSOLE"))) << page;
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
  ASSERT_EQ(
      run_in_shell(GRADPROOF_PROGRAM " report gradproof-out --write html=gradproof-out/report.html",
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
