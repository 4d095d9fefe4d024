// What people do with the page of a failing run: look at pictures, sort, read on a phone, use the
// keyboard alone.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/properties/report/report_page.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// What a script says about the page, as text in it.
std::string telling(const std::string& expression) {
  return fmt::format(
      "document.body.append(Object.assign(document.createElement('pre'),{{textContent:'TOLD '+"
      "JSON.stringify({})}}))",
      expression);
}

/// The page of a run on a kernel that takes the dilation for the stride, compared with one on a
/// right kernel.
class FailingPage : public PageInABrowser {
 protected:
  void make_report() override {
    const std::string right = GRADPROOF_PROGRAM " verify --no-stored --cases 60 --seed 1 --out ";
    ASSERT_EQ(run_in_shell(right + "right", folder_.path()).code, 0);
    const std::string folder = GRADPROOF_FAULTY_LIBRARIES;
    const Ran run =
        run_in_shell(fmt::format("GRADPROOF_FAULT=dilation_for_stride_in_w " GRADPROOF_PROGRAM
                                 " verify --findings 2 --seed 1 --jobs 1 --target "
                                 "{0}/libopapi_nn.so,{0}/libnnopbase.so,{0}/libascendcl.so",
                                 folder),
                     folder_.path());
    ASSERT_EQ(run.code, 1) << run.output;
    render();
  }
  void render() const {
    const Ran run = run_in_shell(GRADPROOF_PROGRAM
                                 " report gradproof-out --baseline right "
                                 "--write html=gradproof-out/report.html",
                                 folder_.path());
    ASSERT_EQ(run.code, 1) << run.output;
  }
  std::string told(const std::string& expression, const std::string& before = "") const {
    const std::string output = opened("", before + telling(expression)).output;
    EXPECT_THAT(output, Not(HasSubstr("CONSOLE"))) << output.substr(0, 4000);
    const auto begin = output.find(">TOLD ");
    if (begin == std::string::npos) return "nothing";
    return output.substr(begin + 6, output.find("</pre>", begin) - begin - 6);
  }
};

TEST_F(FailingPage, DrawsTheTensorsAndWhereTheyAreWrong) {
  const Ran page = opened("");
  EXPECT_THAT(page.output, HasSubstr("<td class=\"w worst\""));
  EXPECT_THAT(page.output, ContainsRegex("<td class=\"met\"[^>]*>[^0-9<]* [0-9]"));
  EXPECT_THAT(page.output, ContainsRegex("computed [^,]*, expected [^,]*, admitted error"));
  EXPECT_THAT(page.output, ContainsRegex("elements? of [0-9]+ wrong"));
  EXPECT_THAT(page.output, ContainsRegex("[0-9]+ of [0-9]+ elements wrong</title>"));
  EXPECT_THAT(page.output, Not(HasSubstr("CONSOLE")));
}

TEST_F(FailingPage, ComparesWithTheEarlierRun) {
  const Ran page = opened("");
  EXPECT_THAT(page.output, HasSubstr("<h2>Compared with earlier runs</h2>"));
  EXPECT_THAT(page.output, ContainsRegex("Since right: [0-9]+ new finding"));
  EXPECT_THAT(page.output, HasSubstr("<h3>Trend</h3>"));
}

TEST_F(FailingPage, SortsTheWorstFirstAndThenAsOneAsks) {
  const std::string column =
      "const t=document.querySelector('#laws table'),h=t.tHead.rows[0].cells[0],b=h.firstChild;"
      "const names=()=>[...t.tBodies[0].rows].map(r=>r.cells[0].textContent);";
  EXPECT_EQ(told("[names().join()===names().sort().join(),h.getAttribute('aria-sort')]",
                 column + "b.click();"),
            "[true,\"ascending\"]");
  EXPECT_EQ(told("[names().join()===names().sort().reverse().join(),h.getAttribute('aria-sort')]",
                 column + "b.click();b.click();"),
            "[true,\"descending\"]");
  EXPECT_EQ(told("[...document.querySelectorAll('#modes tr')].map(r=>r.cells[4].textContent)"
                 ".map(w=>Number(w.replace(/\\D/g,''))).every((n,i,all)=>i===0||all[i-1]>=n)"),
            "true");
  EXPECT_EQ(
      told("(c=>c[0]==='inf'||Number(c[0])>=Number(c.at(-1)))([...document.querySelectorAll("
           "'#tolerance-by-precision-mode .scroll tbody tr')].map(r=>r.cells[3].textContent))"),
      "true");
}

TEST_F(FailingPage, LeadsFromItsContentsToEachSection) {
  EXPECT_EQ(told("[...document.querySelectorAll('.contents a')].filter(a=>!document.querySelector("
                 "a.getAttribute('href'))).length"),
            "0");
  EXPECT_EQ(told("document.querySelectorAll('main>section').length==="
                 "document.querySelectorAll('.contents a').length"),
            "true");
}

TEST_F(FailingPage, ExplainsEveryColumnToTheKeyboard) {
  EXPECT_EQ(
      told("[...document.querySelectorAll('#tolerance-by-precision-mode .sort, #verdicts-by-"
           "mode .sort')].filter(b=>!b.dataset.tip||b.dataset.tip==='sorts the table').map(b=>"
           "b.textContent)"),
      "[]");
  const std::string focus = "const b=document.querySelector('.sort');b.focus();";
  EXPECT_EQ(told("[tip.hidden,tip.textContent===b.dataset.tip]",
                 focus + "const tip=document.getElementById('tip');"),
            "[false,true]");
  EXPECT_EQ(told("document.getElementById('tip').hidden",
                 focus + "document.dispatchEvent(new KeyboardEvent('keydown',{key:'Escape'}));"),
            "true");
}

/// The page in a frame that is as wide as a phone: `expression` is told from inside.
TEST_F(FailingPage, ShowsItsNumbersOnAPhone) {
  folder_.write("frame.html",
                folder_.read("gradproof-out/report.html") +
                    "<script>parent.postMessage(JSON.stringify([document"
                    ".documentElement.scrollWidth<=390,[...document.querySelectorAll("
                    "'.scroll tbody td:not(.long)')].filter(c=>c.offsetParent&&(c."
                    "getBoundingClientRect().right>390||c.getBoundingClientRect().left"
                    "<0)).length]),'*')</script>");
  folder_.write("gradproof-out/report.html",
                "<!DOCTYPE html><body><iframe src='frame.html' width='390' height='800'></iframe>"
                "<script>onmessage=e=>document.body.append('TOLD '+e.data)</script></body>");
  EXPECT_THAT(opened("").output, HasSubstr("TOLD [true,0]"));
}

TEST_F(FailingPage, RunsNothingThatAPictureSays) {
  int pictures = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_ / "gradproof-out/findings")) {
    const std::string file = "gradproof-out/findings/" + entry.path().filename().string();
    std::string text = folder_.read(file);
    const std::string name = "\"name\":\"grad",
                      hostile = "<img src=x onerror=undefined_function()>";
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      text.insert(at + name.size() - 4, hostile);
      ++pictures;
    }
    folder_.write(file, text);
  }
  ASSERT_GT(pictures, 0);
  render();
  const Ran page = opened("");
  EXPECT_THAT(page.output, HasSubstr("&lt;img src=x onerror=undefined_function()&gt;"));
  EXPECT_THAT(page.output, Not(HasSubstr("<img")));
  EXPECT_THAT(page.output, Not(HasSubstr("CONSOLE")));
}

/// axe-core, where GRADPROOF_AXE names its file or npm has it installed globally.
std::string axe() {
  const char* named = std::getenv("GRADPROOF_AXE");
  const Ran root = run_in_shell("npm root -g 2>/dev/null");
  std::string path = named != nullptr ? named : root.output;
  if (named == nullptr) path = path.substr(0, path.find('\n')) + "/axe-core/axe.min.js";
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(FailingPage, HasNoViolationThatAxeKnows) {
  const std::string library = axe();
  if (library.empty()) GTEST_SKIP() << "axe-core is not installed";
  for (const char* theme : {"light", "dark"}) {
    const std::string run = fmt::format(
        "document.documentElement.dataset.theme='{}';for(const d of document.querySelectorAll("
        "'details'))d.open=true;axe.run().then(r=>{{{}}})",
        theme,
        telling("[r.violations.map(v=>[v.id,v.nodes.map(n=>n.target)]),r.passes.length>20]"));
    const Ran page = opened("", fmt::format("{};</script><script>{}", library, run), 60'000);
    EXPECT_THAT(page.output, HasSubstr("TOLD [[],true]</pre>"))
        << theme << page.output.substr(std::min(page.output.size(), page.output.rfind(">TOLD ")));
  }
}

}  // namespace
}  // namespace gradproof::tests
