#include "properties/cases/museum/museum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "properties/cases/coverage/corners.h"
#include "properties/cases/coverage/footprint.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path sources = GRADPROOF_SOURCES;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_of_faults() {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(sources / "kernel/with_faults/faults")) {
    std::istringstream lines(text_of(file.path()));
    for (std::string key, name, rest; lines >> key >> name && std::getline(lines, rest);) {
      if (key == "fault") names.insert(name);
    }
  }
  return names;
}

TEST(Museum, HasAFaultForEachBug) {
  const auto faults = names_of_faults();
  ASSERT_GT(faults.size(), 200U);
  for (const MuseumRow& row : museum()) {
    EXPECT_TRUE(faults.contains(std::string(row.fault))) << row.thread << ": " << row.fault;
  }
}

TEST(Museum, HasNoBugTwice) {
  std::set<std::string_view> threads;
  for (const MuseumRow& row : museum()) {
    EXPECT_TRUE(threads.insert(row.thread).second) << row.thread;
    EXPECT_THAT(std::string(row.thread),
                testing::MatchesRegex("[^/ ]+/[^/#@ ]+(#[0-9]+|@[0-9a-f]{9})"));
    EXPECT_EQ(row.triggers == nullptr, !row.why_no_trigger.empty()) << row.thread;
  }
  EXPECT_GE(threads.size(), 30U);
}

TEST(Museum, HasTriggersThatGeneratedCallsMeet) {
  constexpr std::uint64_t cases = 50'000;
  const auto source = CaseSource::of({});
  std::vector<std::uint64_t> hits(corners().size());
  std::uint64_t legal = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Footprint footprint = footprint_of({(*source)(1, i), oracle::Profile::Documented});
    legal += footprint.classes ? 1 : 0;
    for (const std::uint16_t corner : footprint.corners) ++hits[corner];
  }
  for (const MuseumRow& row : museum()) {
    if (row.triggers == nullptr) continue;
    const auto rows = corners();
    const auto corner = std::ranges::find(rows, row.thread, &Corner::name);
    ASSERT_NE(corner, rows.end()) << row.thread;
    const std::uint64_t count = hits[to_size(corner - rows.begin())];
    std::printf("%-32s %llu\n", row.thread.data(), static_cast<unsigned long long>(count));
    EXPECT_GE(count, 3U) << row.thread;
    EXPECT_LT(count, legal) << row.thread;
  }
}

TEST(Museum, HasAPageWithEachBug) {
  const std::string page = text_of(sources / "docs/seeded-faults.md");
  for (const MuseumRow& row : museum()) {
    const auto hash = row.thread.find('#');
    if (hash == std::string_view::npos) continue;  // a mend: `gradproof list museum` has it
    const std::string link = "[" + std::string(row.thread) + "](https://github.com/" +
                             std::string(row.thread.substr(0, hash)) + "/issues/" +
                             std::string(row.thread.substr(hash + 1)) + ")";
    EXPECT_THAT(page, HasSubstr("| " + link + " | " + std::string(row.library) + " | " +
                                std::string(row.mistake) + " | "));
    EXPECT_THAT(page, HasSubstr("`" + std::string(row.fault) + "`"));
  }
  EXPECT_THAT(page, HasSubstr(std::to_string(ascend_mends().size()) + " mistakes of CANN"));
}

}  // namespace
}  // namespace gradproof::cases
