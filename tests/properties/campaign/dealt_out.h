#pragma once

// A campaign that is dealt out to shards.

#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>
#include <string>

#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::tests {

using gradproof::tests::Ran;
using gradproof::tests::run_in_shell;
using gradproof::tests::ScratchFolder;
using nlohmann::json;

class DealtOut : public testing::Test {
 protected:
  /// `environment gradproof words`, by the shell.
  Ran run(const std::string& words, const std::string& environment = {}) const {
    return run_in_shell(environment + " " GRADPROOF_PROGRAM " " + words, folder_.path());
  }

  std::string read(const std::string& name) const { return folder_.read(name); }

  /// What the results say, without what differs from process to process.
  std::multiset<std::string> verdicts(const std::string& out) const {
    std::multiset<std::string> lines;
    std::istringstream text(read(out + "/results.jsonl"));
    for (std::string line; std::getline(text, line);) {
      json verdict = json::parse(line, nullptr, false);
      EXPECT_TRUE(verdict.is_object()) << line;
      for (const char* key : {"milliseconds", "line", "shard", "repro"}) verdict.erase(key);
      lines.insert(verdict.dump());
    }
    return lines;
  }

  std::set<std::string> ids(const std::string& out) const {
    std::set<std::string> ids;
    for (const std::string& line : verdicts(out)) ids.insert(json::parse(line)["id"]);
    return ids;
  }

  /// The merge of the folders, as JSON text without where it comes from; its exit code must be
  /// this.
  std::string merged(const std::string& folders, int code = 0) const {
    const Ran ran = run("report " + folders + " --write json=merged.json");
    EXPECT_EQ(ran.code, code) << ran.output;
    json report = json::parse(read("merged.json"), nullptr, false);
    if (report.is_object()) report.erase("runs");
    return report.dump();
  }

  ScratchFolder folder_;
};

}  // namespace gradproof::tests
