#include "corpus/words/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/case_json.h"
#include "corpus/words/spelling.h"
#include "nlohmann/json.hpp"

namespace gradproof::corpus {
namespace {

using Integers = std::vector<std::int64_t>;
using testing::HasSubstr;

TEST(Words, NameProductsByDeviceAndBoard) {
  const std::pair<const char*, Product> rows[] = {
      {"Ascend910B3", Product::Ascend910B},
      {"910B", Product::Ascend910B},
      {"910b2c", Product::Ascend910B},
      {"ascend910b4-1", Product::Ascend910B},
      {"Ascend910B", Product::Ascend910B},
      {"Ascend910_9382", Product::Ascend910_93},
      {"910_93", Product::Ascend910_93},
      {"Ascend910A", Product::Ascend910},
      {"Ascend910ProB", Product::Ascend910},
      {"Ascend 310P3", Product::Ascend310P},
      {"Ascend950PR_9599", Product::Ascend950},
      {"Atlas 800T A2", Product::Ascend910B},
      {"Atlas A3", Product::Ascend910_93},
      {"Atlas 300I Duo", Product::Ascend310P},
      {"Atlas A2 training series products", Product::Ascend910B},
      {"Atlas 200/300/500", Product::Ascend310},
      {"昇腾910B", Product::Ascend910B},
      {"昇腾 910B3", Product::Ascend910B},
      {"华为昇腾950", Product::Ascend950},
      {"昇腾310P", Product::Ascend310P},
      {"昇腾910_93", Product::Ascend910_93},
      {"昇腾 910", Product::Ascend910},
      {"Atlas A2 训练系列产品", Product::Ascend910B},
      {"Atlas A3 推理系列产品", Product::Ascend910_93},
      {"Atlas 800T A2 训练服务器", Product::Ascend910B},
      {"Atlas 推理系列产品", Product::Ascend310P},
      {"Atlas 训练系列产品", Product::Ascend910}};
  for (const auto& [words, product] : rows) {
    const auto meaning = product_from_words(words);
    EXPECT_TRUE(meaning && *meaning == product) << words << (meaning ? "" : meaning.error());
  }
}

TEST(Words, NameDtypesOfEveryFramework) {
  const std::pair<const char*, DataType> rows[] = {{"bf16", DataType::BFloat16},
                                                   {"torch.bfloat16", DataType::BFloat16},
                                                   {"DT_BF16", DataType::BFloat16},
                                                   {"fp32", DataType::Float},
                                                   {"float32", DataType::Float},
                                                   {"torch.float", DataType::Float},
                                                   {"np.float16", DataType::Float16},
                                                   {"half", DataType::Float16},
                                                   {"ACL_FLOAT16", DataType::Float16},
                                                   {"float8_e4m3fn", DataType::Float8E4M3FN},
                                                   {"torch.float8_e5m2", DataType::Float8E5M2},
                                                   {"hif8", DataType::HiFloat8},
                                                   {"double", DataType::Double},
                                                   {"'torch.int8'", DataType::Int8}};
  for (const auto& [words, type] : rows) {
    const auto meaning = data_type_from_words(words);
    EXPECT_TRUE(meaning && *meaning == type) << words << (meaning ? "" : meaning.error());
  }
}

TEST(Words, AreListsHoweverTheyAreWritten) {
  const Integers expected{64, 3, 7, 7};
  for (const char* words :
       {"64,3,7,7", "(64, 3, 7, 7)", "[64,3,7,7]", "torch.Size([64, 3, 7, 7])", "64x3x7x7",
        "64 3 7 7", "64, 3, 7, 7", "(64, 3, 7, 7,)", "{64;3;7;7}", "64\u00d73\u00d77\u00d77"}) {
    EXPECT_EQ(integers_from_words(words), expected) << words;
  }
  EXPECT_EQ(integers_from_words("(-3,)"), Integers{-3});
  EXPECT_EQ(integers_from_words("[]"), Integers{});
  for (const char* words : {"", "3,,4", "3,x", "(3", "1.5", "0x10y"}) {
    EXPECT_FALSE(integers_from_words(words)) << words;
  }
  EXPECT_THAT(words_of_list("(True, False)"), testing::ElementsAre("True", "False"));
  EXPECT_THAT(words_of_list("Atlas 800T A2, 950", Blanks::Kept),
              testing::ElementsAre("Atlas 800T A2", "950"));
}

TEST(Words, AreModesTruthsAndLayouts) {
  EXPECT_EQ(cube_math_type_from_words("USE_HF32"), 3);
  EXPECT_EQ(cube_math_type_from_words("keep_dtype"), 0);
  EXPECT_EQ(cube_math_type_from_words("-1"), -1);
  EXPECT_FALSE(cube_math_type_from_words("128"));
  EXPECT_EQ(truth_from_words("True"), true);
  EXPECT_EQ(truth_from_words("off"), false);
  EXPECT_EQ(memory_format_from_words("ACL_FORMAT_NHWC", 4), (MemoryFormat{Format::Nhwc}));
  EXPECT_EQ(memory_format_from_words("torch.channels_last", 4), (MemoryFormat{Format::Nchw, true}));
  EXPECT_EQ(memory_format_from_words("contiguous_format", 5), (MemoryFormat{Format::Ncdhw}));
  EXPECT_EQ(channels_last_strides({2, 3, 5, 7}), (Integers{105, 1, 21, 3}));
  EXPECT_EQ(integer_from_words("(4,)"), 4);
  EXPECT_FALSE(integer_from_words("2147483648"));
}

TEST(Words, ThatAreUnknownGetTheListAndTheNearest) {
  EXPECT_THAT(data_type_from_words("flaot16").error(),
              HasSubstr("\"flaot16\" is no dtype; nearest: FLOAT16; allowed: FLOAT, FLOAT16, "));
  EXPECT_THAT(product_from_words("Ascend9l0B").error(), HasSubstr("nearest: Ascend910B;"));
  EXPECT_THAT(data_type_from_words("banana").error(), testing::Not(HasSubstr("nearest")));
  EXPECT_THAT(cube_math_type_from_words("USE_FP61").error(), HasSubstr("nearest: USE_FP16"));
  EXPECT_THAT(memory_format_from_words("NCWH", 4).error(), HasSubstr("nearest: NCHW"));
  EXPECT_EQ(nearest_word("verfy", {"report", "verify"}), "verify");
  EXPECT_EQ(nearest_word("--tme", {"--table", "--time"}), "--time");
  EXPECT_EQ(nearest_word("banana", {"report", "verify"}), "");
  EXPECT_EQ(spelling_distance("flaot", "float"), 1U);
  EXPECT_EQ(spelling_distance("kitten", "sitting"), 3U);
}

TEST(Words, ThatAreUnknownAmongManyGetTheFiveNearest) {
  std::vector<std::string> rules;
  for (int i = 10; i < 90; ++i) rules.push_back("CH-" + std::to_string(i));
  EXPECT_EQ(unknown_word("CH-9", "rule", rules, "list rules"),
            "\"CH-9\" is no rule; nearest: CH-19, CH-29, CH-39, CH-49, CH-59; list rules has all");
}

TEST(Words, MeanTheSameInCaseFiles) {
  const std::string line =
      R"({"id":"a","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
      R"("gradOutput":{"shape":[1,1,1,1],"dtype":"BF16","format":"NCHW"},)"
      R"("input":{"shape":[1,1,1,1],"dtype":"BF16","format":"NCHW"},)"
      R"("weight":{"shape":[1,1,1,1],"dtype":"BF16","format":"NCHW"},"biasSizes":null,)"
      R"("stride":[1,1],"padding":[0,0],"dilation":[1,1],"transposed":false,)"
      R"("outputPadding":[0,0],"groups":1,"outputMask":[true,true,false],"cubeMathType":3,)"
      R"("gradInput":{"shape":[1,1,1,1],"dtype":"BF16","format":"NCHW"},)"
      R"("gradWeight":{"shape":[1,1,1,1],"dtype":"BF16","format":"NCHW"},"gradBias":null})";
  const auto plain = parse_case(line, 1);
  ASSERT_TRUE(plain) << plain.error().text();
  auto words = nlohmann::json::parse(line);
  words["soc"] = "Atlas 800T A2";
  words["input"]["dtype"] = "torch.bfloat16";
  words["weight"]["format"] = "contiguous_format";
  words["cubeMathType"] = "USE_HF32";
  const auto read = parse_case(words.dump(), 1);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(to_json_line(*read), to_json_line(*plain));
}

}  // namespace
}  // namespace gradproof::corpus
