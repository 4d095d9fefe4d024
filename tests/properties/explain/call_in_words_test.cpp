#include "properties/cases/calls/call_in_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/product_row.h"
#include "properties/advice/explain/explanation.h"
#include "properties/cases/generators/random_case.h"
#include "tests/properties/explain/explained_call.h"

namespace gradproof::advice {
namespace {

using corpus::OutputRole;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t seed = 11, drawn_calls = 1000;

cases::CaseSource all_calls() { return cases::CaseSource::of(cases::Selection{}).value(); }

TEST(CallInWords, LeavesOutWhatIsDefault) {
  EXPECT_EQ(cases::call_in_words(typed(shapes("1,1,3", "1,1,2", "FLOAT"))),
            "input [1,1,3] FLOAT, weight [1,1,2], for gradInput and gradWeight");
  CallTexts words = strided(shapes("2,3,8,8", "6,3,3,3", "bf16"), "2,1");
  words.padding = "1";
  words.mask = "1,0,0";
  words.cube_math_type = "3";
  EXPECT_EQ(cases::call_in_words(typed(words, "Ascend950")),
            "input [2,3,8,8] BF16, weight [6,3,3,3], stride [2,1], padding 1, for gradInput, "
            "cubeMathType 3, on Ascend950");
}

TEST(CallInWords, SaysWhatDoesNotFollowFromTheRest) {
  Case test_case = typed(shapes("1,1,3", "1,1,2", "FLOAT"));
  test_case.grad_output->dtype = corpus::DataType::Float16;
  test_case.weight.reset();
  test_case.stride.reset();
  test_case.grad_input->strides = {6, 6, 2};
  const std::string words = cases::call_in_words(test_case);
  for (const char* part : {"weight null", "gradOutput [1,1,2] FLOAT16", "stride null",
                           "gradInput [1,1,3] strides [6,6,2]"}) {
    EXPECT_THAT(words, HasSubstr(part));
  }
}

/// What words leave out of a case: names, data, expectations, and tensors that the call does not
/// read.
Case as_called(Case test_case) {
  test_case.id.clear();
  test_case.source.clear();
  test_case.soc_exercised.reset();
  test_case.data.reset();
  test_case.expect.reset();
  test_case.shape_consistent = true;
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) corpus::tensor(test_case, role).reset();
  }
  if (!corpus::is_requested(test_case, OutputRole::GradBias)) test_case.bias_sizes.reset();
  for (const corpus::InputRole role : corpus::input_roles) {
    if (!corpus::is_operand(test_case, role)) corpus::tensor(test_case, role).reset();
  }
  return test_case;
}

/// The call with one thing changed, each in turn; what it does not have stays away.
std::vector<Case> neighbours(const Case& test_case) {
  std::vector<Case> changed;
  const auto add = [&](auto&& change) {
    changed.push_back(test_case);
    change(changed.back());
  };
  using Lengths = std::optional<std::vector<std::int64_t>> Case::*;
  for (const Lengths lengths :
       {&Case::stride, &Case::padding, &Case::dilation, &Case::output_padding, &Case::bias_sizes}) {
    if (!(test_case.*lengths) || (test_case.*lengths)->empty()) continue;
    add([&](Case& one) { (one.*lengths)->back() ^= 1; });
    add([&](Case& one) { (one.*lengths)->push_back(0); });
    add([&](Case& one) { (one.*lengths).reset(); });
  }
  add([](Case& one) { one.transposed = !one.transposed; });
  add([](Case& one) { one.groups ^= 1; });
  add([](Case& one) { one.cube_math_type ^= 1; });
  add([](Case& one) { one.deterministic = !one.deterministic; });
  add([](Case& one) { one.soc += "x"; });
  const auto change_tensor = [&](auto role) {
    if (!corpus::tensor(test_case, role)) return;
    add([&](Case& one) { corpus::tensor(one, role)->shape.push_back(3); });
    add([&](Case& one) { corpus::tensor(one, role)->offset += 2; });
    add([&](Case& one) { corpus::tensor(one, role)->dtype = corpus::DataType::Int64; });
    add([&](Case& one) { corpus::tensor(one, role).reset(); });
  };
  for (const corpus::InputRole role : corpus::input_roles) change_tensor(role);
  for (const OutputRole role : corpus::output_roles) change_tensor(role);
  return changed;
}

TEST(CallInWords, TellsCallsApart) {
  const cases::CaseSource source = all_calls();
  std::size_t told_apart = 0;
  for (std::uint64_t i = 0; i < drawn_calls; ++i) {
    const Case test_case = as_called(source.generate(seed, i).test_case);
    if (test_case.api != corpus::Api::ConvolutionBackward) continue;
    const std::string words = cases::call_in_words(test_case);
    EXPECT_EQ(words.find('\n'), std::string::npos);
    for (const Case& other : neighbours(test_case)) {
      if (as_called(other) == test_case) continue;
      ASSERT_NE(cases::call_in_words(other), words) << corpus::to_json_line(test_case) << '\n'
                                                    << corpus::to_json_line(other);
      ++told_apart;
    }
  }
  EXPECT_GT(told_apart, 20 * drawn_calls / 2);
}

TEST(DataInWords, ListsTheFirstElements) {
  Case test_case = typed(shapes("1,1,3", "1,1,2", "FLOAT"));
  EXPECT_EQ(cases::data_in_words(test_case), "");
  test_case.data.emplace().distribution = corpus::Distribution::Listed;
  EXPECT_EQ(cases::data_in_words(test_case), "every element 0");
  test_case.data->listed[0] = {{{0, 0, 1}, 0x3F800000}};
  test_case.data->listed[2] = {{{0, 0, 0}, 0x7F800000}};
  EXPECT_EQ(cases::data_in_words(test_case),
            "gradOutput[0,0,1] = 1, weight[0,0,0] = inf, all else 0");
  test_case.data->listed[1].assign(8, {{0, 0, 2}, 0x40000000});
  EXPECT_THAT(cases::data_in_words(test_case),
              testing::EndsWith("input[0,0,2] = 2, 4 more, all else 0"));
  test_case.data.emplace().seed = 7;
  test_case.data->distribution = corpus::Distribution::ExactGrid;
  EXPECT_EQ(cases::data_in_words(test_case), "exact_grid of seed 7");
}

/// Whatever is wrong with a call, and on whatever products.
TEST(ExplanationText, FitsAScreen) {
  const cases::CaseSource source = all_calls();
  constexpr std::uint64_t calls = 150;
  std::int64_t most = 0;
  for (std::uint64_t i = 0; i < calls; ++i) {
    std::vector<Explanation> answers;
    Case test_case = source.generate(seed, i).test_case;
    for (const corpus::ProductRow& row : corpus::product_rows) {
      test_case.soc = corpus::name_of(row.product);
      answers.push_back(explained(test_case));
    }
    for (const std::string& text : {explanation_text(answers), explanation_in_chinese(answers)}) {
      most = std::max<std::int64_t>(most, std::ranges::count(text, '\n'));
      for (const Explanation& answer : answers) EXPECT_THAT(text, HasSubstr(answer.test_case.soc));
    }
  }
  EXPECT_LE(most, static_cast<std::int64_t>(most_answer_lines));
  EXPECT_GT(most, 8) << "some calls have much to be said";
}

TEST(ExplanationText, SpeaksOfOneProductInASentence) {
  std::vector<Explanation> answers;
  for (const char* soc : {"Ascend310P", "Ascend910"}) {
    answers.push_back(explained(typed(shapes("1,16,10,10", "16,16,3,3", "BF16"), soc)));
  }
  const std::string text = explanation_text(answers);
  EXPECT_THAT(text, HasSubstr("on Ascend310P, Ascend910\n"));
  EXPECT_THAT(text, HasSubstr("; Ascend310P takes FLOAT"));
  EXPECT_THAT(text, Not(HasSubstr("Ascend910 takes")));
}

}  // namespace
}  // namespace gradproof::advice
