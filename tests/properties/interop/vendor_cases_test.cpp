// Every case that the vendor publishes gets the verdict that corpus/cases/published/README.md
// states.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "corpus/case_json.h"
#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using corpus::Case;
using Lines = std::map<std::string, nlohmann::json>;  ///< of a results file, by the case's id

const std::string published_folder = std::string(GRADPROOF_SOURCES) + "/corpus/cases/published/";

bool has_the_stated_status(const Case& published_case, const Lines& lines) {
  const nlohmann::json& line = lines.at(published_case.id);
  return line["verdict"] == "agree" && line["status"] == code(published_case.expect->status);
}

/// "agree" is said of gradients and of refusals alike.
std::string values_verdict(const nlohmann::json& line) {
  const std::string verdict = line["verdict"];
  return verdict == "agree" && line.value("status", 0) != 0 ? "refused" : verdict;
}

class VendorCases : public CommandLine, public testing::WithParamInterface<const char*> {
 protected:
  VendorCases() {
    const auto cases = corpus::read_cases(published_folder + GetParam());
    EXPECT_TRUE(cases) << cases.error().text();
    if (cases) cases_ = *cases;
  }

  Lines replay(const std::string& options) const {
    const Ran ran =
        gradproof("replay " + published_folder + GetParam() + " " + options + " --quiet --out out");
    EXPECT_EQ(ran.code, 0) << ran.output;
    Lines lines;
    for (nlohmann::json& line : results("out")) {
      const std::string id = line["id"];
      EXPECT_TRUE(lines.emplace(id, std::move(line)).second) << id;
    }
    shell("rm -r out");
    return lines;
  }

  std::vector<Case> cases_;
};

INSTANTIATE_TEST_SUITE_P(Published, VendorCases,
                         testing::Values("atk.jsonl", "ut.jsonl", "ttk.jsonl", "v2.jsonl"),
                         [](const auto& info) {
                           const std::string file = info.param;
                           return file.substr(0, file.find('.'));
                         });

TEST_P(VendorCases, HaveTheStatedStatus) {
  const Lines documented = replay("--status-only --profile documented");
  const Lines released = replay("--status-only --profile released");
  for (const Case& published_case : cases_) {
    EXPECT_TRUE(has_the_stated_status(published_case, released)) << published_case.id;
    const bool is_documented = published_case.expect->profile != "released";
    EXPECT_EQ(has_the_stated_status(published_case, documented), is_documented)
        << published_case.id;
  }
}

TEST_P(VendorCases, HaveTheVerdictsOfTheReadme) {
  std::map<std::string, std::size_t> counts;
  const Lines lines = replay("--profile released --max-macs 1e8");
  for (const Case& published_case : cases_) ++counts[values_verdict(lines.at(published_case.id))];
  const std::string row = fmt::format("| `{}` | {} | {} | {} | {} |\n", GetParam(), counts["agree"],
                                      counts["refused"], counts["vacuous"], counts["skipped"]);
  EXPECT_EQ(counts["agree"] + counts["refused"] + counts["vacuous"] + counts["skipped"],
            cases_.size());
  std::ifstream stream(published_folder + "README.md");
  const std::string readme{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(readme, testing::HasSubstr(row));
}

}  // namespace
}  // namespace gradproof::tests
