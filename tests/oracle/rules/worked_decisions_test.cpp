#include <gtest/gtest.h>

#include "oracle/status/status_oracle.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/spec/examples.h"

// The specification's section 10, in its order.

namespace gradproof::oracle {
namespace {

TEST(WorkedDecisions, AreTakenInEveryProfileAsTheSpecificationSays) {
  ASSERT_EQ(spec::worked_decisions().size(), 21U);
  for (const spec::WorkedDecision& decision : spec::worked_decisions()) {
    SCOPED_TRACE(decision.call.id + " " + decision.note);
    ASSERT_TRUE(decision.codes.documented && decision.codes.released && decision.codes.tolerant);
    expect_admitted(decision.call, decision.codes);
  }
}

TEST(WorkedDecisions, LeaveTheValuesUndefinedWhereOnlyAReleasedLibrarySucceeds) {
  const corpus::Case& only_the_bias = spec::stored_call("decision-14");
  EXPECT_TRUE(admissible_statuses(only_the_bias, Profile::Tolerant).values_ill_defined);
  EXPECT_TRUE(admissible_statuses(only_the_bias, Profile::Released).values_ill_defined);
  EXPECT_FALSE(admissible_statuses(only_the_bias, Profile::Documented).values_ill_defined);
}

}  // namespace
}  // namespace gradproof::oracle
