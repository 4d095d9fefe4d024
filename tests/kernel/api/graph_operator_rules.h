#pragma once

// The rules that a graph operator names in its message.

#include "tests/support/operator_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

namespace gradproof::kernel {

using testing::HasSubstr;

/// The ids in brackets, newest line first.
inline std::vector<std::string> rules_in(const std::string& text) {
  static const std::regex bracketed(R"(\[([A-Z]+(-[A-Z0-9]+)?)\])");
  std::vector<std::string> ids;
  for (std::sregex_iterator match(text.begin(), text.end(), bracketed), end; match != end;
       ++match) {
    ids.push_back((*match)[1]);
  }
  return ids;
}

class GraphOperatorRules : public GraphOperators {
 protected:
  static void expect_refusal(const PhaseOne& broken, Operator kind) {
    EXPECT_EQ(broken.workspace_size, untouched_size);
    EXPECT_EQ(broken.executor, nullptr);
    EXPECT_THAT(broken.text, HasSubstr(kind == input_v2 ? "(Conv3DBackpropInputV2, "
                                                        : "(Conv3DBackpropFilterV2, "));
  }

  /// Refused for this alone, on every product that has the operators.
  static void expect_refused(const Arguments& arguments, const std::string& rule,
                             aclnnStatus status = refused) {
    for (const Device device : every) {
      SCOPED_TRACE(testing::Message() << rule << " on device " << device);
      use(device);
      const PhaseOne broken = asked(arguments);
      EXPECT_EQ(broken.status, status) << broken.text;
      expect_refusal(broken, arguments.kind);
      const auto named = rules_in(broken.text);
      EXPECT_EQ(std::set<std::string>(named.begin(), named.end()), std::set{rule}) << broken.text;
    }
  }
};

}  // namespace gradproof::kernel
