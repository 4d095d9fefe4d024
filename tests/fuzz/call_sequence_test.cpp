// Programs of calls from bytes.

#include "fuzz/runtime/call_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "corpus/random_source.h"
#include "fuzz/runtime/repertoire.h"

namespace gradproof::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes any_program(std::uint64_t seed) {
  corpus::RandomSource random(seed, 0);
  Bytes bytes(static_cast<std::size_t>(random.between(0, 400)));
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

template <typename... Steps>
std::set<std::string> names(runtime::StepList<Steps...>) {
  return {Steps::name...};
}

TEST(CallSequence, IsTheSameForTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(carry_out(any_program(seed)).steps, carry_out(any_program(seed)).steps);
  }
}

TEST(CallSequence, OfRandomBytesComesToEveryStepAndFailsAtNone) {
  runtime::times_carried_out.clear();
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const CallSequence done = carry_out(any_program(seed));
    EXPECT_FALSE(done.failure) << *done.failure
                               << "\nafter: " << testing::PrintToString(done.steps);
  }
  for (const std::string& name : names(runtime::Repertoire{})) {
    EXPECT_GT(runtime::times_carried_out[name], 0) << name;
  }
}

TEST(CallSequence, ThatDoesNotFailStaysAsItIs) {
  const Bytes program{9, 0, 0, 0, 6, 0, 0, 0};
  EXPECT_EQ(shortened(program), program);
}

}  // namespace
}  // namespace gradproof::fuzz
