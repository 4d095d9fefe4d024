// docs/vendor-cases.md says what the program says of the published cases. Where it does not, and
// what the program says is right, write the page again:
//   GRADPROOF_WRITE_PAGES=1 build/dev/bin/properties_interop_test --gtest_filter='VendorCases.*'

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "corpus/case_json.h"
#include "tests/properties/cli/command_line.h"
#include "tests/properties/interop/vendor_page.h"

namespace gradproof::tests {
namespace {

class VendorCases : public CommandLine {
 protected:
  std::map<std::string, nlohmann::json> run(const std::string& file,
                                            const std::string& options) const {
    const Ran ran = gradproof("replay " + file + " " + options + " --quiet --out out");
    EXPECT_EQ(ran.code, 0) << ran.output;
    std::map<std::string, nlohmann::json> lines;
    for (nlohmann::json& line : results("out")) {
      const std::string id = line["id"];
      EXPECT_TRUE(lines.emplace(id, std::move(line)).second) << id;
    }
    shell("rm -r out");
    return lines;
  }

  VendorSuite suite(const std::string& name, const std::string& file) const {
    const std::string path = std::string(GRADPROOF_SOURCES) + "/corpus/cases/published/" + file;
    const auto cases = corpus::read_cases(path);
    EXPECT_TRUE(cases) << cases.error().text();
    const std::string statuses = "--status-only --profile ";
    return {name,
            file,
            *cases,
            {run(path, statuses + "documented"), run(path, statuses + "released"),
             run(path, "--profile released --max-macs 1e8")}};
  }
};

TEST_F(VendorCases, HaveTheVerdictsOfTheirPage) {
  const std::string page =
      vendor_page({suite("ATK, system tests", "atk.jsonl"), suite("Unit tests", "ut.jsonl"),
                   suite("TTK, system tests", "ttk.jsonl"),
                   suite("TTK, tests of the graph operators", "v2.jsonl")},
                  "100 million");
  const std::string file = std::string(GRADPROOF_SOURCES) + "/docs/vendor-cases.md";
  if (std::getenv("GRADPROOF_WRITE_PAGES") != nullptr) std::ofstream(file) << page;
  std::ifstream stream(file);
  const std::string written{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(written, page) << "the first lines of this file say how to write the page again";
}

}  // namespace
}  // namespace gradproof::tests
