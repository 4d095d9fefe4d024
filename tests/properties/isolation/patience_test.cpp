// How long a call may take, by what a target's calls took before.

#include "properties/targets/isolation/patience.h"

#include <gtest/gtest.h>

#include <chrono>

namespace gradproof::targets {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

Patience learning() { return Patience({.timeout = 30s, .learns = true}); }

TEST(Patience, IsTheTimeoutThatSomebodyChose) {
  Patience patience({.timeout = 30s});
  patience.note(1000, 1ms);
  EXPECT_EQ(patience.to_suspect(), 30s);
  EXPECT_EQ(patience.to_be_sure(steady_clock::now() + 6s), 30s);
  EXPECT_FALSE(patience.is_shortened());
}

/// A first call may load and compile: it is suspected early, and then gets all of its time.
TEST(Patience, BlamesNothingBeforeATargetIsKnown) {
  const Patience patience = learning();
  EXPECT_EQ(patience.to_suspect(), 5s);
  EXPECT_EQ(patience.to_be_sure(steady_clock::now() + 6s), 30s);
}

TEST(Patience, IsShortWithATargetThatAnswersQuickly) {
  Patience patience = learning();
  patience.note(100, 1ms);
  EXPECT_EQ(patience.to_suspect(), 2s);
  EXPECT_TRUE(patience.is_shortened());
  // Asked alone a call gets a third of the rest of the run, or all where the run has no end.
  const auto sure = patience.to_be_sure(steady_clock::now() + 18s);
  EXPECT_GT(sure, 5s);
  EXPECT_LE(sure, 6s);
  EXPECT_EQ(patience.to_be_sure(steady_clock::now() + 10min), 30s);
  EXPECT_EQ(patience.to_be_sure(steady_clock::now() - 1s), 2s);
  EXPECT_EQ(patience.to_be_sure({}), 30s);
}

TEST(Patience, GrowsWithTheSlowestCall) {
  Patience patience = learning();
  patience.note(100, 1ms);
  patience.note(1, 80ms);
  patience.note(100, 1ms);
  EXPECT_EQ(patience.to_suspect(), 8s);
  patience.note(1, 400ms);
  EXPECT_EQ(patience.to_suspect(), 30s);
  EXPECT_FALSE(patience.is_shortened());
}

TEST(Patience, IsWholeAgainAfterAWrongSuspicion) {
  Patience patience = learning();
  patience.note(100, 1ms);
  patience.end_learning();
  EXPECT_EQ(patience.to_suspect(), 30s);
  EXPECT_EQ(patience.to_be_sure(steady_clock::now() + 18s), 30s);
}

/// Making a call small asks for many that hang.
TEST(Patience, IsShortTooForAskingAgainWhereATargetHangs) {
  Patience patience = learning();
  patience.note(100, 1ms);
  patience.note_hang();
  EXPECT_EQ(patience.to_be_sure({}), 2s);
  EXPECT_EQ(patience.to_be_sure(steady_clock::now() + 10min), 2s);
}

TEST(Patience, NeverExceedsAShortTimeout) {
  Patience patience({.timeout = 300ms, .learns = true});
  EXPECT_EQ(patience.to_suspect(), 300ms);
  patience.note(100, 1ms);
  EXPECT_EQ(patience.to_suspect(), 300ms);
}

}  // namespace
}  // namespace gradproof::targets
