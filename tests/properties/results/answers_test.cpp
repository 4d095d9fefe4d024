#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/findings/results/answers.h"
#include "properties/runs/campaign/ledger.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;
using corpus::Status;
using testing::HasSubstr;

corpus::Verdict verdict_of(Outcome outcome, Status status) {
  corpus::Verdict verdict;
  verdict.outcome = outcome;
  verdict.status = status;
  if (outcome == Outcome::Disagree) verdict.kind = corpus::DisagreementKind::Status;
  return verdict;
}

cases::Footprint legal_call() {
  cases::Footprint footprint;
  footprint.is_legal = true;
  return footprint;
}

Answers failures(int count, Status status) {
  Answers answers;
  for (int i = 0; i < count; ++i) answers.add(legal_call(), verdict_of(Outcome::Disagree, status));
  return answers;
}

TEST(BrokenEnvironment, IsWhereEachOfManyLegalCallsFailsAlike) {
  EXPECT_EQ(broken_environment(failures(199, Status::Inner)), std::nullopt);
  const auto problem = broken_environment(failures(200, Status::Inner));
  ASSERT_TRUE(problem);
  EXPECT_THAT(*problem, HasSubstr("each of 200 legal calls ended with 561000"));
  EXPECT_THAT(*problem, HasSubstr("LD_LIBRARY_PATH"));
}

TEST(BrokenEnvironment, IsNotWhereOneCallWorkedOrFailedOtherwise) {
  for (const auto& [outcome, status] : {std::pair(Outcome::Agree, Status::Success),
                                        {Outcome::Disagree, Status::Success},
                                        {Outcome::Refused, Status::Inner},
                                        {Outcome::Disagree, Status::ParamInvalid}}) {
    Answers answers = failures(1000, Status::Inner);
    answers.add(legal_call(), verdict_of(outcome, status));
    EXPECT_EQ(broken_environment(answers), std::nullopt);
  }
}

TEST(BrokenEnvironment, IsTheSameOfPartsThatAreMerged) {
  Answers answers = failures(150, Status::Inner);
  EXPECT_EQ(broken_environment(answers), std::nullopt);
  answers.merge(failures(50, Status::Inner));
  EXPECT_TRUE(broken_environment(answers));
}

TEST(BrokenEnvironment, EndsACampaignAtTheSameCaseWhateverTheBlocks) {
  for (const std::size_t block : {1U, 7U, 300U}) {
    const tests::ScratchFolder folder;
    auto results = ResultsFile::open(folder.path());
    ASSERT_TRUE(results);
    runs::Ledger ledger(*results, {"fake", "documented"}, std::nullopt);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 300; i += block) {
      std::vector<RunRecord> records;
      for (std::size_t j = i; j < std::min<std::size_t>(i + block, 300); ++j) {
        RunRecord record{{}, verdict_of(Outcome::Disagree, Status::Inner), "again"};
        record.test_case.id = std::to_string(j);
        record.footprint = legal_call();
        records.push_back(std::move(record));
      }
      ledger.enter(number++, std::move(records));
    }
    EXPECT_TRUE(ledger.is_closed());
    EXPECT_TRUE(ledger.target_problem());
    EXPECT_EQ(ledger.summary().cases(), 200U) << "blocks of " << block;
  }
}

}  // namespace
}  // namespace gradproof::findings
