// Answers in Chinese, and rules found by the words of those who ask.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/parameter_words.h"
#include "properties/advice/explain/term.h"
#include "tests/properties/explain/explained_call.h"

namespace gradproof::advice {
namespace {

using corpus::Language;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> ids_about(std::string_view word) {
  std::vector<std::string> ids;
  for (const auto* rule : rules_about(word)) ids.emplace_back(rule->id);
  return ids;
}

TEST(RulesAboutAWord, AreTheSameInEnglishChineseAndAnySpelling) {
  const auto stride = ids_about("stride");
  EXPECT_THAT(stride, AllOf(Contains("STRIDE-01"), Contains("RANGE-03"), Contains("LEN-01"),
                            Contains("G-10"), Not(Contains("PAD-01"))));
  for (const char* word : {"步长", "Strides", "卷积步长", "步长大小", "stride应大于0", "STRIDE"}) {
    EXPECT_EQ(ids_about(word), stride) << word;
  }
  EXPECT_EQ(ids_about("output padding"), ids_about("输出填充"));
  EXPECT_THAT(ids_about("填充"), AllOf(Contains("PAD-01"), Not(Contains("OPAD-01"))));
  EXPECT_THAT(ids_about("数据类型"), AllOf(Contains("DTYPE-01"), Contains("TBC-02")));
}

/// Each parameter, by each of its names, leads to rules: a row that no rule speaks of is a mistake.
TEST(RulesAboutAWord, AreThereForEveryRow) {
  for (const ParameterRow& row : parameter_rows()) {
    const auto by_name = ids_about(row.name);
    EXPECT_FALSE(by_name.empty()) << row.name;
    for (std::size_t begin = 0, end = 0; begin <= row.words.size(); begin = end + 1) {
      end = std::min(row.words.find('|', begin), row.words.size());
      EXPECT_EQ(ids_about(row.words.substr(begin, end - begin)), by_name)
          << row.name << ": " << row.words.substr(begin, end - begin);
    }
  }
}

TEST(RulesAboutAWord, AreFoundByWhatIsWrittenInThem) {
  EXPECT_THAT(ids_about("BF16"), Contains("CUBE-05"));
  EXPECT_THAT(ids_about("深度卷积"), testing::ElementsAre("CH-04"));
  EXPECT_THAT(ids_about("cube"), Contains("CUBE-01"));
  EXPECT_THAT(ids_about("no such word"), testing::IsEmpty());
  EXPECT_FALSE(is_known_word("a-file.jsonl"));
}

TEST(Statuses, NameTheRulesThatLeadToThem) {
  for (const char* word : {"161002", "ACLNN_ERR_PARAM_INVALID", "param_invalid"}) {
    EXPECT_THAT(term_text(word).value(),
                AllOf(StartsWith("161002: ACLNN_ERR_PARAM_INVALID\n"), HasSubstr("STRIDE-01")))
        << word;
  }
  EXPECT_THAT(term_text("161001").value(),
              AllOf(HasSubstr("rules: NULL-01 to NULL-12"), Not(HasSubstr("STRIDE-01"))));
  EXPECT_THAT(term_text("EZ1001").value(), AllOf(HasSubstr("NULL-01"), HasSubstr("STRIDE-01")));
  // SHAPE-01: 161002 by the documents, 561103 of the released library.
  EXPECT_THAT(term_text("561103").value(),
              AllOf(HasSubstr("RANGE-01 to RANGE-11"), HasSubstr("SHAPE-01 to SHAPE-03"),
                    Not(HasSubstr("STRIDE-01"))));
}

TEST(ChineseAnswers, ComeToChineseWordsAndWhereTheyAreAskedFor) {
  EXPECT_THAT(term_text("步长").value(), HasSubstr("STRIDE-01 步长 stride 的每个值须大于等于 1\n"));
  EXPECT_THAT(term_text("stride").value(), HasSubstr("STRIDE-01 every stride is at least 1\n"));
  EXPECT_THAT(term_text("stride", Language::Chinese).value(), HasSubstr("步长 stride"));
  EXPECT_THAT(term_text("RANGE-03", Language::Chinese).value(),
              AllOf(StartsWith("RANGE-03：非转置的 3D 卷积"), HasSubstr("适用产品：Ascend910B")));
  EXPECT_THAT(term_text("161002", Language::Chinese).value(), HasSubstr("怎么办：把调用写出来"));
}

TEST(ChineseAnswers, SayWhatIsBrokenWhatWasFoundAndWhatMendsIt) {
  CallTexts words = shapes("2,3,224,224", "64,3,7,7", "FLOAT");
  words.stride = "0,2";
  words.padding = "3";
  const std::string text = explanation_in_chinese({explained(typed(words))});
  EXPECT_THAT(text, StartsWith("Ascend910B 上：161002 (ACLNN_ERR_PARAM_INVALID)\n"));
  EXPECT_THAT(text, HasSubstr("  STRIDE-01：步长 stride 的每个值须大于等于 1；此处 stride 为 "
                              "[0, 2]（aclnnConvolutionBackward，参数 stride）\n"));
  EXPECT_THAT(text, HasSubstr("  改一处即合法：stride 取 [1, 2]（原为 [0, 2]）"));
}

TEST(ChineseAnswers, LookAtWhatTheRuleSpeaksOf) {
  const auto said = [](const CallTexts& words, const char* soc) {
    return explanation_in_chinese({explained(typed(words, soc))});
  };
  EXPECT_THAT(said(shapes("1,16,10,10", "16,16,3,3", "FLOAT16,FLOAT,DOUBLE"), "Ascend910B"),
              HasSubstr("gradOutput 为 FLOAT16，input 为 FLOAT，weight 为 DOUBLE"));
  EXPECT_THAT(said(changed(plain(), &CallTexts::format, "NHWC"), "Ascend910B"),
              HasSubstr("gradOutput 为 NHWC，input 为 NHWC，weight 为 NHWC"));
  corpus::Case null = typed(plain());
  null.input.reset();
  EXPECT_THAT(explanation_in_chinese({explained(null)}), HasSubstr("此处 input 为空指针"));
}

/// In order: a product that says the same stands in the same line.
TEST(ChineseAnswers, JoinProductsThatSayTheSame) {
  const CallTexts words = strided(plain(), "0");
  EXPECT_THAT(explanation_in_chinese(
                  {explained(typed(words, "Ascend910B")), explained(typed(words, "Ascend910_93"))}),
              StartsWith("Ascend910B、Ascend910_93 上：161002"));
}

TEST(ChineseAnswers, SayHowALegalCallIsComputed) {
  CallTexts words = shapes("1,16,10,10", "16,16,3,3", "FLOAT");
  words.cube_math_type = "2";
  EXPECT_THAT(explanation_in_chinese({explained(typed(words))}),
              AllOf(StartsWith("Ascend910B 上：0 (ACLNN_SUCCESS)\n"),
                    HasSubstr("  gradInput [1, 16, 10, 10]：因子先转换为 FLOAT16"),
                    HasSubstr("误差至多 ")));
}

}  // namespace
}  // namespace gradproof::advice
