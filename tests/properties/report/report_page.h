#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::tests {

inline std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (run_in_shell(std::string("command -v ") + name).code == 0) return name;
  }
  return {};
}

/// A folder with a report's page, opened in a browser. Skips the test where there is no browser.
class PageInABrowser : public testing::Test {
 protected:
  void SetUp() override {
    browser_ = browser();
    if (browser_.empty()) GTEST_SKIP() << "no Chromium is installed: the page was not opened";
    make_report();
  }
  /// Leaves a page in gradproof-out/report.html.
  virtual void make_report() = 0;

  /// The page as the browser has it after `script`, and what it logged. `milliseconds`: of the
  /// page's own time, for what a script waits for.
  Ran opened(const std::string& fragment, const std::string& script = "",
             int milliseconds = 2000) const {
    std::string page = folder_.read("gradproof-out/report.html");
    if (!script.empty()) page += "<script>" + script + "</script>";
    folder_.write("page.html", page);
    return run_in_shell(fmt::format(
        "HOME={0} timeout 100 {1} --headless=new --no-sandbox --disable-gpu --user-data-dir={0}/"
        "profile --enable-logging=stderr --virtual-time-budget={3} --dump-dom 'file://{0}/"
        "page.html{2}'",
        folder_.string(), browser_, fragment, milliseconds));
  }

  std::string browser_;
  ScratchFolder folder_;
};

}  // namespace gradproof::tests
