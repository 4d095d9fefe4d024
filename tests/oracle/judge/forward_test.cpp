#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/float_values.h"

// The forward operators by the formulas of their documents, element by element, against the judge,
// which reads a call as the gradient of a convolution in the other direction.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::Observation;
using corpus::Outcome;

Case case_of(const std::string& json) {
  const auto read = corpus::parse_case(json);
  EXPECT_TRUE(read) << (read ? "" : read.error().text());
  return read.value_or(Case{});
}

Observation with_output(std::span<const std::byte> bits) {
  Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  seen.outputs[0].bits.assign(bits.begin(), bits.end());
  seen.outputs[0].before.assign(bits.size(), std::byte{0xA5});
  return seen;
}

constexpr const char* straight =
    R"({"id":"a","api":"aclnnConvolution","soc":"Ascend910B","input":{"shape":[2,4,7],"dtype":"FLOAT","format":"NCL"},)"
    R"("bias":{"shape":[6],"dtype":"FLOAT","format":"ND"},"weight":{"shape":[6,2,3],"dtype":"FLOAT","format":"NCL"},)"
    R"("stride":[2],"padding":[1,2],"dilation":[1],"transposed":false,"outputPadding":null,"groups":2,"cubeMathType":0,)"
    R"("output":{"shape":[2,6,4],"dtype":"FLOAT","format":"NCL"}})";
constexpr const char* transposed =
    R"({"id":"b","api":"aclnnConvolution","soc":"Ascend910B","input":{"shape":[2,4,3],"dtype":"FLOAT","format":"NCL"},)"
    R"("bias":{"shape":[6],"dtype":"FLOAT","format":"ND"},"weight":{"shape":[4,3,2],"dtype":"FLOAT","format":"NCL"},)"
    R"("stride":[2],"padding":[1],"dilation":[3],"transposed":true,"outputPadding":[2],"groups":2,"cubeMathType":0,)"
    R"("output":{"shape":[2,6,8],"dtype":"FLOAT","format":"NCL"}})";
constexpr const char* tbc =
    R"({"id":"c","api":"aclnnConvTbc","soc":"Ascend950","input":{"shape":[5,2,3],"dtype":"FLOAT","format":"ND"},)"
    R"("bias":{"shape":[4],"dtype":"FLOAT","format":"ND"},"weight":{"shape":[3,3,4],"dtype":"FLOAT","format":"NCL"},)"
    R"("pad":1,"cubeMathType":0,"output":{"shape":[5,2,4],"dtype":"FLOAT","format":"NCL"}})";
constexpr const char* depthwise =
    R"({"id":"d","api":"aclnnConvDepthwise2d","soc":"Ascend910B","input":{"shape":[1,2,3,4],"dtype":"FLOAT","format":"NCHW"},)"
    R"("bias":{"shape":[4],"dtype":"FLOAT","format":"ND"},"weight":{"shape":[4,1,2,2],"dtype":"FLOAT","format":"NCHW"},)"
    R"("kernelSize":[2,2],"stride":[1,2],"padding":[0,1],"dilation":[1,1],"cubeMathType":0,)"
    R"("output":{"shape":[1,4,2,3],"dtype":"FLOAT","format":"NCHW"}})";

/// A line, all ends and steps given: y[n, co, o] for o below `outputs`.
struct Line {
  std::int64_t batch, in, out, groups, length, outputs, kernel, stride, dilation, padding;
  bool transposed;
};

std::vector<float> line(const Case& test_case, const Line& at) {
  const auto x = values(test_case, InputRole::GradOutput), w = values(test_case, InputRole::Weight),
             b = values(test_case, InputRole::Input);
  const std::int64_t in = at.in / at.groups, out = at.out / at.groups;
  std::vector<float> y(to_size(at.batch * at.out * at.outputs));
  for (std::int64_t n = 0; n < at.batch; ++n) {
    for (std::int64_t co = 0; co < at.out; ++co) {
      for (std::int64_t o = 0; o < at.outputs; ++o) {
        float sum = b[to_size(co)];
        for (std::int64_t c = 0; c < in; ++c) {
          const std::int64_t ci = co / out * in + c;
          for (std::int64_t k = 0; k < at.kernel; ++k) {
            const std::int64_t reach = o + at.padding - k * at.dilation;
            const std::int64_t i =
                at.transposed ? reach / at.stride : o * at.stride - at.padding + k * at.dilation;
            const bool meets = !at.transposed || (reach >= 0 && reach % at.stride == 0);
            if (!meets || i < 0 || i >= at.length) continue;
            const std::int64_t weight = at.transposed ? (ci * out + co % out) * at.kernel + k
                                                      : (co * in + c) * at.kernel + k;
            sum += x[to_size((n * at.in + ci) * at.length + i)] * w[to_size(weight)];
          }
        }
        y[to_size((n * at.out + co) * at.outputs + o)] = sum;
      }
    }
  }
  return y;
}

std::vector<float> line_of_tbc(const Case& test_case) {
  const auto x = values(test_case, InputRole::GradOutput), w = values(test_case, InputRole::Weight),
             b = values(test_case, InputRole::Input);
  std::vector<float> y(5 * 2 * 4);
  for (std::size_t t = 0; t < 5; ++t) {
    for (std::size_t n = 0; n < 2; ++n) {
      for (std::size_t co = 0; co < 4; ++co) {
        float& sum = y[(t * 2 + n) * 4 + co] = b[co];
        for (std::size_t k = 0; k < 3; ++k) {
          if (t + k < 1 || t + k - 1 >= 5) continue;
          for (std::size_t ci = 0; ci < 3; ++ci) {
            sum += x[((t + k - 1) * 2 + n) * 3 + ci] * w[(k * 3 + ci) * 4 + co];
          }
        }
      }
    }
  }
  return y;
}

std::vector<float> plane_by_channels(const Case& test_case) {
  const auto x = values(test_case, InputRole::GradOutput), w = values(test_case, InputRole::Weight),
             b = values(test_case, InputRole::Input);
  std::vector<float> y(4 * 2 * 3);
  for (std::size_t co = 0; co < 4; ++co) {
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t o = 0; o < 3; ++o) {
        float& sum = y[(co * 2 + h) * 3 + o] = b[co];
        for (std::size_t kh = 0; kh < 2; ++kh) {
          for (std::size_t kw = 0; kw < 2; ++kw) {
            const std::size_t column = o * 2 + kw;
            if (column < 1 || column > 4) continue;
            sum += x[(co / 2 * 3 + h + kh) * 4 + column - 1] * w[(co * 2 + kh) * 2 + kw];
          }
        }
      }
    }
  }
  return y;
}

std::vector<float> right(const Case& test_case) {
  switch (test_case.id[0]) {
    case 'a':
      return line(test_case, {2, 4, 6, 2, 7, 4, 3, 2, 1, 1, false});
    case 'b':
      return line(test_case, {2, 4, 6, 2, 3, 8, 2, 2, 3, 1, true});
    case 'c':
      return line_of_tbc(test_case);
    default:
      return plane_by_channels(test_case);
  }
}

class ForwardOperators : public testing::TestWithParam<const char*> {
 protected:
  const Case test_case_ = *with_recipe(case_of(GetParam()), corpus::Distribution::ExactGrid, 7);
  const std::vector<float> right_ = right(test_case_);

  corpus::Verdict judged(std::span<const float> output) const {
    return judge({test_case_, Profile::Documented}, with_output(std::as_bytes(output)), {});
  }
};

TEST_P(ForwardOperators, AgreeWithTheFormulasOfTheirDocuments) {
  const auto verdict = judged(right_);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_EQ(verdict.outputs[0].compared_elements, right_.size());
}

TEST_P(ForwardOperators, AreWrongByAnElementThatTheyName) {
  for (std::size_t i = 0; i < right_.size(); ++i) {
    auto wrong = right_;
    wrong[i] += 1;
    const auto verdict = judged(wrong);
    ASSERT_EQ(verdict.outcome, Outcome::Disagree) << i;
    ASSERT_EQ(verdict.outputs[0].worst->at, coordinate(i, test_case_.grad_input->shape));
    ASSERT_TRUE(verdict.reason.starts_with("output[")) << verdict.reason;
  }
}

TEST_P(ForwardOperators, AreWrongWithoutTheirBias) {
  std::vector<float> sums = right_;
  const auto bias = values(test_case_, InputRole::Input);
  ASSERT_TRUE(std::ranges::any_of(bias, [](float value) { return value != 0; }));
  const auto& shape = test_case_.grad_input->shape;
  const bool is_last = test_case_.api == corpus::Api::ConvTbc;
  std::size_t behind = 1;
  for (std::size_t axis = is_last ? 3 : 2; axis < shape.size(); ++axis)
    behind *= to_size(shape[axis]);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] -= bias[i / behind % bias.size()];
  EXPECT_EQ(judged(sums).outcome, Outcome::Disagree);
}

INSTANTIATE_TEST_SUITE_P(Calls, ForwardOperators,
                         testing::Values(straight, transposed, tbc, depthwise));

/// x and w of FLOAT16 with the sum 2048 + 1, and the bias 1: 2050 where the bias is in the sum,
/// 2048 where the sum is rounded first.
std::string half_case(const std::string& api_members, const std::string& axes) {
  const auto tensor = [&](const char* name, const std::string& shape) {
    return "\"" + std::string(name) + R"(":{"shape":)" + shape +
           R"(,"dtype":"FLOAT16","format":")" + (axes.empty() ? "NCL" : "NCDHW") + "\"},";
  };
  const std::string at = axes.empty() ? ",0]" : ",0,0,0]";
  return R"({"id":"h","api":"aclnnConvolution","soc":"Ascend910B",)" +
         tensor("input", "[1,2,1" + axes + "]") +
         R"("bias":{"shape":[1],"dtype":"FLOAT16","format":"ND"},)" +
         tensor("weight", (axes.empty() ? "[1,2,1" : "[2,1,1") + axes + "]") + api_members +
         R"("groups":1,"cubeMathType":0,)" + tensor("output", "[1,1,1" + axes + "]") +
         R"("data":{"distribution":"listed","input":[[[0,0)" + at + ",2048],[[0,1" + at +
         R"(,1]],"bias":[[[0],1]],"weight":[[[0,0)" + at + ",1],[[" +
         (axes.empty() ? "0,1" : "1,0") + at + ",1]]}}";
}

Outcome outcome_of(const Case& test_case, std::uint16_t bits, Profile profile) {
  JudgeSettings settings;
  settings.profile = profile;
  return judge({test_case, profile}, with_output(std::as_bytes(std::span(&bits, 1))), settings)
      .outcome;
}

constexpr std::uint16_t half_2048 = 0x6800, half_2050 = 0x6801;

TEST(ForwardBias, IsATermOfTheSum) {
  const Case test_case = case_of(half_case(
      R"("stride":[1],"padding":[0],"dilation":[1],"transposed":false,"outputPadding":[0],)", ""));
  EXPECT_EQ(outcome_of(test_case, half_2050, Profile::Documented), Outcome::Agree);
  EXPECT_EQ(outcome_of(test_case, half_2048, Profile::Documented), Outcome::Disagree);
  EXPECT_EQ(outcome_of(test_case, half_2048, Profile::Tolerant), Outcome::Disagree);
}

TEST(ForwardBias, IsAddedAfterTheFirstRoundingOfATransposed3DCall) {
  const Case test_case = case_of(half_case(
      R"("stride":[1,1,1],"padding":[0,0,0],"dilation":[1,1,1],"transposed":true,"outputPadding":[0,0,0],)",
      ",1,1"));
  EXPECT_EQ(outcome_of(test_case, half_2048, Profile::Documented), Outcome::Agree);
  EXPECT_EQ(outcome_of(test_case, half_2050, Profile::Documented), Outcome::Disagree);
  EXPECT_EQ(outcome_of(test_case, half_2048, Profile::Tolerant), Outcome::Agree);
  EXPECT_EQ(outcome_of(test_case, half_2050, Profile::Tolerant), Outcome::Agree);
  Case on_950 = test_case;
  on_950.soc = "Ascend950";
  EXPECT_EQ(outcome_of(on_950, half_2050, Profile::Documented), Outcome::Agree);
  EXPECT_EQ(outcome_of(on_950, half_2048, Profile::Tolerant), Outcome::Disagree);
}

/// A bias of 1 + 2^-11 in FLOAT and the sum 2^-11: 1 + 2^-10, or 1 where the bias becomes FLOAT16
/// first.
TEST(ForwardBias, KeepsItsDtypeInTheDocumentsAlone) {
  Case test_case = case_of(half_case(
      R"("stride":[1],"padding":[0],"dilation":[1],"transposed":false,"outputPadding":[0],)", ""));
  test_case.input->dtype = corpus::DataType::Float;
  auto& listed = test_case.data->listed;
  listed[InputRole::Input] = {{{0}, 0x3F801000}};         // 1 + 2^-11
  listed[InputRole::GradOutput] = {{{0, 0, 0}, 0x1000}};  // 2^-11
  constexpr std::uint16_t one = 0x3C00, next = 0x3C01;
  EXPECT_EQ(outcome_of(test_case, next, Profile::Documented), Outcome::Agree);
  EXPECT_EQ(outcome_of(test_case, one, Profile::Documented), Outcome::Disagree);
  EXPECT_EQ(outcome_of(test_case, one, Profile::Released), Outcome::Agree);
  EXPECT_EQ(outcome_of(test_case, one, Profile::Tolerant), Outcome::Agree);
}

}  // namespace
}  // namespace gradproof::oracle
