#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "corpus/case_json.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {

/// The source of the selection; one that there is none for fails the test.
inline CaseSource source_of(const Selection& selection) {
  auto source = CaseSource::of(selection);
  EXPECT_TRUE(source) << (source ? "" : source.error());
  return std::move(*source);
}

/// The rules that the first so many of a source's cases break, each of them the one that it names.
inline std::set<std::string> rules_broken(const CaseSource& source, std::uint64_t cases) {
  std::set<std::string> broken;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const corpus::Case test_case = source(2, i);
    const auto at = test_case.source.find("breaks ");
    EXPECT_NE(at, std::string::npos) << test_case.source;
    if (at == std::string::npos) break;
    const std::string rule = test_case.source.substr(at + 7);
    const std::string name = rule.substr(0, rule.find(','));
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    EXPECT_THAT(admitted.broken_rules, testing::Contains(name)) << corpus::to_json_line(test_case);
    broken.insert(name);
  }
  return broken;
}

}  // namespace gradproof::cases
