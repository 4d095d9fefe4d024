#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/architecture/include_graph.h"

namespace gradproof::architecture {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const IncludeGraph& project() {
  static const IncludeGraph graph = include_graph(GRADPROOF_SOURCES);
  return graph;
}

TEST(Layering, AllowsEveryInclude) {
  EXPECT_GT(project().edge_count(), 5000U) << "the check does not see the sources";
  EXPECT_THAT(violations(project()), IsEmpty());
}

TEST(Layering, HasNoCircleOfMoreThanTwoModules) { EXPECT_THAT(circles(project()), IsEmpty()); }

/// Rooms, as their README's table calls them, that it does not name.
std::vector<std::string> unnamed_rooms(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "README.md");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::vector<std::string> unnamed;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = "`" + entry.path().filename().string() + "/`";
    if (entry.is_directory() && text.find(name) == std::string::npos) unnamed.push_back(name);
  }
  return unnamed;
}

TEST(Rooms, HaveARowInTheirFoldersReadme) {
  for (const char* folder : {"kernel", "kernel/api", "kernel/operators", "oracle", "properties",
                             "properties/targets", "properties/cases", "properties/findings",
                             "properties/runs", "properties/advice", "fuzz", "tests"}) {
    EXPECT_THAT(unnamed_rooms(std::filesystem::path(GRADPROOF_SOURCES) / folder), IsEmpty())
        << folder << "/README.md";
  }
}

struct Edge {
  const char* file;
  const char* included;
  const char* complaint;
};

class SeededEdge : public testing::TestWithParam<Edge> {};

TEST_P(SeededEdge, IsFound) {
  const IncludeGraph graph{{{GetParam().file, {GetParam().included}}}};
  ASSERT_EQ(violations(graph).size(), 1U);
  EXPECT_THAT(violations(graph).front(), HasSubstr(GetParam().complaint));
}

constexpr Edge seeded[] = {
    {"oracle/judge/x.cpp", "kernel/device/memory/memory.h", "oracle may include only"},
    {"oracle/judge/x.cpp", "acl/acl.h", "oracle may include only"},
    {"oracle/judge/x.cpp", "gradproof/graph_operators.hpp", "oracle may include only"},
    {"oracle/judge/x.cpp", "properties/cases/check/check.h", "oracle may include only"},
    {"oracle/numbers/x.cpp", "oracle/judge/judge.h", "lowest first, numbers"},
    {"oracle/x.cpp", "vector", "is in no room"},
    {"properties/targets/target/x.h", "properties/cases/laws/law.h", "lowest first, targets"},
    {"kernel/operators/x.cpp", "oracle/judge/judge.h", "kernel may include only"},
    {"kernel/operators/x.cpp", "corpus/case.h", "kernel may include only"},
    {"kernel/include/acl/x.h", "kernel/device/memory/memory.h", "cann may include only"},
    {"kernel/device/x.cpp", "kernel/api/objects/executor.h", "lowest first, numeric"},
    {"corpus/x.cpp", "oracle/judge/judge.h", "corpus may include only"},
    {"properties/findings/report/x.cpp", "kernel/device/memory/memory.h",
     "properties may include only"},
    {"adapters/x.cpp", "kernel/api/objects/objects.h", "adapters may include only"},
    {"adapters/x.cpp", "properties/cases/check/check.h", "adapters may include only"},
    {"properties/findings/report/x.cpp", "adapters/objects.h", "properties may include only"},
    {"properties/findings/report/x.cpp", "../kernel/device/memory.h", "from the root"},
};
INSTANTIATE_TEST_SUITE_P(Table, SeededEdge, testing::ValuesIn(seeded));

TEST(Layering, AllowsWhatTheTablesAllow) {
  const IncludeGraph graph{
      {{"properties/findings/report/x.cpp", {"oracle/judge/judge.h", "acl/acl.h", "vector"}},
       {"oracle/judge/x.cpp", {"oracle/numbers/dense.h"}}}};
  EXPECT_THAT(violations(graph), IsEmpty());
}

TEST(Circles, AreFoundAcrossHeadersAndSources) {
  const IncludeGraph circle{{{"corpus/a.h", {"corpus/b.h"}},
                             {"corpus/b.h", {}},
                             {"corpus/b.cpp", {"corpus/c.h"}},
                             {"corpus/c.h", {}},
                             {"corpus/c.cpp", {"corpus/a.h"}}}};
  ASSERT_EQ(circles(circle).size(), 1U);
  EXPECT_THAT(circles(circle).front(), HasSubstr("corpus/a, corpus/b, corpus/c"));
  const IncludeGraph pair{{{"corpus/a.h", {"corpus/b.h"}},
                           {"corpus/a.cpp", {}},
                           {"corpus/b.h", {}},
                           {"corpus/b.cpp", {"corpus/a.h"}}}};
  EXPECT_THAT(circles(pair), IsEmpty());
}

}  // namespace
}  // namespace gradproof::architecture
