#include "corpus/case_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/support/published_cases.h"

namespace gradproof::corpus {
namespace {

using testing::HasSubstr;

const std::string legal_line =
    R"({"id":"tiny","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
    R"("gradOutput":{"shape":[1,2,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("input":{"shape":[1,2,5,5],"dtype":"FLOAT","format":"NCHW"},)"
    R"("weight":{"shape":[2,2,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("biasSizes":[2],"stride":[1,1],"padding":[0,0],"dilation":[1,1],"transposed":false,)"
    R"("outputPadding":[0,0],"groups":1,"outputMask":[true,true,true],"cubeMathType":0,)"
    R"("gradInput":{"shape":[1,2,5,5],"dtype":"FLOAT","format":"NCHW"},)"
    R"("gradWeight":{"shape":[2,2,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("gradBias":{"shape":[2],"dtype":"FLOAT","format":"ND"},"deterministic":false})";

/// The legal line with one member replaced (a JSON pointer; null value erases it).
std::string with(const std::string& pointer, const nlohmann::ordered_json& value) {
  auto json = nlohmann::ordered_json::parse(legal_line);
  const nlohmann::ordered_json::json_pointer place(pointer);
  if (value.is_discarded()) {
    json[place.parent_pointer()].erase(place.back());
  } else {
    json[place] = value;
  }
  return json.dump();
}

const nlohmann::ordered_json erased(nlohmann::ordered_json::value_t::discarded);

std::string error_of(const std::string& line) {
  const auto parsed = parse_case(line, 7);
  return parsed ? "no error" : parsed.error().text();
}

TEST(CaseJson, WritesTheLineItRead) {
  const auto parsed = parse_case(legal_line);
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(to_json_line(*parsed), legal_line);
}

TEST(CaseJson, ReadsEveryPart) {
  const auto parsed = parse_case(legal_line);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->grad_output->shape, (std::vector<std::int64_t>{1, 2, 3, 3}));
  EXPECT_EQ(parsed->weight->format, Format::Nchw);
  EXPECT_EQ(*parsed->bias_sizes, std::vector<std::int64_t>{2});
  EXPECT_EQ(parsed->output_mask, (std::vector<bool>{true, true, true}));
  EXPECT_EQ(product_of(*parsed), Product::Ascend910B);
  EXPECT_FALSE(parsed->data);
  EXPECT_FALSE(parsed->expect);
}

TEST(CaseJson, ShowsWhatATerminalWouldObeyInTheIdAndTheSource) {
  const auto parsed = parse_case(with("/id", "a\x1b[2J<b>\n"));
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(parsed->id, "a\\x1b[2J<b>\\x0a");
  const auto of_source = parse_case(with("/source", "\x07"));
  ASSERT_TRUE(of_source) << of_source.error().text();
  EXPECT_EQ(of_source->source, "\\x07");
}

TEST(CaseJson, KeepsNullTensorsAndArraysApartFromEmptyOnes) {
  const auto null_mask = parse_case(with("/outputMask", nullptr));
  ASSERT_TRUE(null_mask);
  EXPECT_FALSE(null_mask->output_mask);
  const auto empty_mask = parse_case(with("/outputMask", nlohmann::ordered_json::array()));
  ASSERT_TRUE(empty_mask);
  EXPECT_TRUE(empty_mask->output_mask && empty_mask->output_mask->empty());
  const auto null_tensor = parse_case(with("/gradBias", nullptr));
  ASSERT_TRUE(null_tensor);
  EXPECT_FALSE(null_tensor->grad_bias);
}

TEST(CaseJson, RefusesWhatItDoesNotKnowAndSaysWhere) {
  EXPECT_EQ(error_of(with("/colour", 1)), "line 7: colour: unknown key");
  EXPECT_EQ(error_of(with("/input/shap", 1)), "line 7: input.shap: unknown key");
  EXPECT_EQ(error_of(with("/stride", erased)), "line 7: stride: missing");
  EXPECT_THAT(
      error_of(with("/weight/dtype", "FLOAT17")),
      HasSubstr("line 7: weight.dtype: \"FLOAT17\" is no dtype; nearest: FLOAT16; allowed: "));
  EXPECT_THAT(error_of(with("/soc", "Ascend910C")),
              HasSubstr("line 7: soc: \"Ascend910C\" is no product; nearest: Ascend910"));
  EXPECT_EQ(error_of(with("/transposed", "yes")),
            "line 7: transposed: expected true or false, found \"yes\"");
  EXPECT_THAT(error_of(with("/input/shape", {1, 2.5})), HasSubstr("line 7: input.shape[1]: "));
  EXPECT_THAT(error_of(with("/groups", 2147483648U)), HasSubstr("groups: expected an integer in"));
  EXPECT_THAT(error_of(with("/cubeMathType", 128)), HasSubstr("cubeMathType: expected an integer"));
  EXPECT_THAT(error_of(with("/input/strides", {1, 2})), HasSubstr("expected 4 values"));
  EXPECT_THAT(error_of("[1]"), HasSubstr("line 7: expected an object"));
  EXPECT_THAT(error_of("{\"id\":"), HasSubstr("line 7: not JSON"));
}

TEST(CaseJson, RefusesWhatIsNestedDeeperThanAnyCase) {
  constexpr std::size_t levels = 100'000;
  const std::string text = std::string(levels, '[') + std::string(levels, ']');
  const std::string as_a_value = "{\"id\":" + text + ",\"groups\":1}";
  std::string objects;
  for (std::size_t i = 0; i < levels; ++i) objects += "{\"id\":";
  objects += "1" + std::string(levels, '}');
  for (const std::string& line : {text, as_a_value, objects}) {
    EXPECT_EQ(error_of(line), "line 7: arrays or objects within each other, more than 256 levels");
  }
  EXPECT_THAT(error_of(std::string(256, '[') + std::string(256, ']')),
              HasSubstr("expected an object"));
}

TEST(CaseJson, RefusesAKeyThatStandsTwice) {
  std::string twice = legal_line;
  twice.insert(1, R"("groups":2,)");
  EXPECT_EQ(error_of(twice), "line 7: duplicate key \"groups\"");
}

TEST(CaseJson, RefusesShapesThatOverflowUnlessTheCaseIsToBeRefused) {
  const auto huge = with("/input/shape", {1LL << 40, 1LL << 40, 1, 1});
  EXPECT_THAT(error_of(huge), HasSubstr("input.shape: the number of elements overflows 64 bits"));
  auto json = nlohmann::ordered_json::parse(huge);
  json["expect"]["status"] = 161002;
  EXPECT_EQ(error_of(json.dump()), "no error");
  auto too_long = with("/input/shape", {1, 2, 5, 5});
  too_long.replace(too_long.find("[1,2,5,5]"), 9, "[1,2,5,99999999999999999999]");
  EXPECT_THAT(error_of(too_long), HasSubstr("input.shape[3]: expected an integer that fits"));
}

TEST(CaseJson, KeepsEveryRecipe) {
  const std::vector<nlohmann::ordered_json> recipes = {
      {{"seed", 3}, {"distribution", "uniform"}, {"range", {-0.1, 0.25}}},
      {{"seed", 3}, {"distribution", "exact_grid"}},
      {{"seed", 18446744073709551615U},
       {"distribution", "exact_grid"},
       {"gradOutput", {{"density", 65536}, {"magnitude", 7}, {"exponent", -3}}},
       {"input", {{"density", 1}, {"magnitude", 1}, {"exponent", 0}}},
       {"weight", {{"density", 0}, {"magnitude", 2}, {"exponent", 9}}}},
      {{"seed", 0},
       {"distribution", "sparse_full_mantissa"},
       {"gradOutput", {{"density", 65536}, {"exponentLow", -4}, {"exponentHigh", 4}}},
       {"input", {{"density", 9}, {"exponentLow", 0}, {"exponentHigh", 0}}},
       {"weight", {{"density", 9}, {"exponentLow", -1}, {"exponentHigh", 0}}}},
      nlohmann::ordered_json::parse(
          R"({"seed":1,"distribution":"listed","gradOutput":[[[0,1,2,2],1],[[0,0,0,1],-0.1875]],)"
          R"("input":[[[0,0,4,4],"0x7fc00000"]],"weight":[]})")};
  for (const auto& recipe : recipes) {
    const auto line = with("/data", recipe);
    const auto parsed = parse_case(line);
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(to_json_line(*parsed), line);
  }
}

TEST(CaseJson, RefusesListedElementsThatCanNotBe) {
  const auto listed = [](const char* elements) {
    return error_of(with(
        "/data", nlohmann::ordered_json::parse(std::string(R"({"distribution":"listed","input":)") +
                                               elements + "}")));
  };
  EXPECT_THAT(listed("[[[0,0,5,0],1]]"), HasSubstr("data.input[0]: expected [coordinate inside"));
  EXPECT_THAT(listed("[[[0,0,0],1]]"), HasSubstr("data.input[0]: expected [coordinate inside"));
  EXPECT_THAT(listed("[[[0,0,0,0],0.1]]"), HasSubstr("a number that FLOAT represents exactly"));
  EXPECT_THAT(listed(R"([[[0,0,0,0],"0x1ffffffff"]])"), HasSubstr("represents exactly"));
  EXPECT_EQ(listed(R"([[[0,0,0,0],"0xffffffff"]])"), "no error");
}

class CaseFile : public testing::Test {
 protected:
  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) /
                                ("case_json_test_" + std::to_string(getpid()) + "_cases.jsonl");
  ~CaseFile() override { std::filesystem::remove(file_); }
};

TEST_F(CaseFile, NamesFileLineAndKeyOfTheFirstError) {
  std::ofstream(file_) << legal_line << "\r\n\n" << with("/stride", {1, "two"}) << "\n";
  const auto cases = read_cases(file_);
  ASSERT_FALSE(cases);
  EXPECT_THAT(cases.error().text(), HasSubstr("_cases.jsonl:3: stride[1]: expected"));
}

TEST_F(CaseFile, SaysWhyItCanNotBeOpened) {
  const auto missing = read_cases(file_);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("can't be opened: No such file"));
  const auto folder = read_cases(testing::TempDir());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().text(), HasSubstr("is a folder"));
}

TEST(CaseJson, KeepsTheProfileOfAnExpectation) {
  const auto line = with("/expect", {{"status", 0}, {"profile", "released"}});
  const auto parsed = parse_case(line);
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(parsed->expect->profile, "released");
  EXPECT_EQ(to_json_line(*parsed), line);
  EXPECT_EQ(error_of(with("/expect", {{"status", 0}, {"profile", "tolerant"}})),
            "line 7: expect.profile: unknown profile \"tolerant\"");
}

/// The files that the header page of the published cases names, with the number of their cases.
std::map<std::string, std::size_t> files_on_the_header_page() {
  std::map<std::string, std::size_t> files;
  std::ifstream page(tests::published_file("README.md"));
  const std::regex row(R"(\| `(\w+\.jsonl)` \| (\d+) \|.*)");
  std::smatch found;
  for (std::string line; std::getline(page, line);) {
    // A later table says the verdicts.
    if (std::regex_match(line, found, row)) files.emplace(found[1], std::stoul(found[2]));
  }
  return files;
}

TEST(PublishedCases, AreAllReadAndWrittenBack) {
  const auto files = files_on_the_header_page();
  EXPECT_EQ(files.size(), 8U);
  for (const auto& [name, count] : files) {
    const auto cases = read_cases(tests::published_file(name));
    ASSERT_TRUE(cases) << cases.error().text();
    EXPECT_EQ(cases->size(), count) << name;
    for (const auto& test_case : *cases) {
      const auto again = parse_case(to_json_line(test_case));
      ASSERT_TRUE(again) << again.error().text();
      ASSERT_EQ(*again, test_case) << test_case.id;
    }
  }
}

TEST(PublishedCases, AreAllOnTheHeaderPage) {
  const auto files = files_on_the_header_page();
  for (const auto& entry : std::filesystem::directory_iterator(GRADPROOF_PUBLISHED_CASES)) {
    if (entry.path().extension() != ".jsonl") continue;
    EXPECT_TRUE(files.contains(entry.path().filename().string())) << entry.path();
  }
}

}  // namespace
}  // namespace gradproof::corpus
