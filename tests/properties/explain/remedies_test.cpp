// Changes that make a refused call legal.

#include <gtest/gtest.h>

#include "corpus/case_json.h"
#include "oracle/rules/status_rules.h"
#include "properties/cases/generators/random_case.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/simulated_backend.h"
#include "tests/properties/explain/explained_call.h"
#include "tests/spec/examples.h"

namespace gradproof::advice {
namespace {

/// "a tensor ... instead of null": the words of the first remedy of the call without an argument.
template <typename T>
std::string remedy_without(std::optional<T> Case::*argument) {
  Case test_case = typed(plain());
  (test_case.*argument).reset();
  const auto found = remedies(test_case, oracle::Profile::Documented);
  return found.empty() ? "none" : found.front().words;
}

TEST(Remedies, SupplyWhatIsNull) {
  EXPECT_EQ(remedy_without(&Case::grad_output),
            "a tensor [1, 16, 8, 8] instead of null for gradOutput");
  EXPECT_EQ(remedy_without(&Case::input), "a tensor [1, 16, 10, 10] instead of null for input");
  EXPECT_EQ(remedy_without(&Case::weight), "a tensor [16, 16, 3, 3] instead of null for weight");
}

/// The axes are gradOutput's and weight's: a padding as long as input's has no second one to fit.
/// AddressSanitizer sees a read behind the last axis.
TEST(Remedies, ReadNoAxisThatInputAloneHas) {
  Case test_case = typed(transposed(shapes("1,16,10", "16,16,3")));
  test_case.input->shape.push_back(10);
  test_case.padding->push_back(0);
  EXPECT_TRUE(remedies(test_case, oracle::Profile::Documented).empty());
}

TEST(Remedies, AreAcceptedByTheKernel) {
  targets::furnish_simulated_machine();
  const auto library = targets::LoadedLibrary::load({});
  ASSERT_TRUE(library.has_value()) << library.error();
  const auto target = (*library)->new_target();
  cases::Selection selection;
  selection.kind = cases::Kind::Invalid;
  selection.max_macs = 2'000;
  const auto source = cases::CaseSource::of(selection);
  std::size_t mended = 0;
  constexpr std::uint64_t cases = 3'000;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case test_case = (*source)(5, i);
    const auto found = remedies(test_case, oracle::Profile::Documented);
    mended += found.empty() ? 0 : 1;
    for (const ChangedCall& remedy : found) {
      const auto seen = target->run_case(remedy.call, {.status_only = true});
      if (seen.unsupported) continue;
      ASSERT_EQ(seen.phase_one, corpus::Status::Success) << remedy.words << '\n'
                                                         << corpus::to_json_line(remedy.call);
    }
  }
  // Most of these calls have one thing wrong.
  EXPECT_GT(mended, cases * 8 / 10);
}

}  // namespace
}  // namespace gradproof::advice
