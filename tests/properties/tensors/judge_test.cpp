// Tensors of one's own: what is said of right and of wrong ones, and of files that cannot be read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "corpus/to_size.h"
#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Lengths = std::vector<std::int64_t>;

std::int64_t count(const Lengths& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t length : shape) elements *= length;
  return elements;
}

struct Array {
  Lengths shape;
  std::vector<float> values;
  explicit Array(Lengths lengths) : shape(std::move(lengths)), values(to_size(count(shape))) {}
  float& at(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return values[to_size(((a * shape[1] + b) * shape[2] + c) * shape[3] + d)];
  }
};

std::string npy(const Array& array, const std::string& descr = "<f4",
                const std::string& fortran = "False") {
  std::string shape;
  for (const std::int64_t length : array.shape) shape += std::to_string(length) + ", ";
  const std::string header =
      "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': (" + shape + "), }\n";
  std::string text = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0';
  text += header;
  return text.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * 4);
}

/// The nearest number with 12 bits of significand, as HF32 has: what `multiply` may be.
float hf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FF + (bits >> 12 & 1)) & ~0xFFFU);
}
float unchanged(float value) { return value; }

/// A 2D call, stride 2, padding 1, dilation 1, with its gradients, summed in double.
struct Tensors {
  Array dy, x, w, dx, dw, db;

  explicit Tensors(std::int64_t batch = 2, std::int64_t size = 9)
      : dy({batch, 4, (size + 1) / 2, (size + 1) / 2}),
        x({batch, 3, size, size}),
        w({4, 3, 3, 3}),
        dx(x.shape),
        dw(w.shape),
        db({4}) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (Array* operand : {&dy, &x, &w}) {
      for (float& value : operand->values) value = normal(random);
    }
    compute(unchanged, 1);
  }

  /// Integers, of which every sum is exact.
  void make_whole() {
    for (Array* operand : {&dy, &x, &w}) {
      for (float& value : operand->values) value = std::round(2 * value);
    }
    compute(unchanged, 1);
  }

  /// dw as a kernel adds that has FLOAT alone.
  void add_in_float() {
    std::ranges::fill(dw.values, 0.0F);
    for (std::int64_t n = 0; n < dy.shape[0]; ++n)
      for (std::int64_t o = 0; o < 4; ++o)
        for (std::int64_t i = 0; i < dy.shape[2]; ++i)
          for (std::int64_t j = 0; j < dy.shape[3]; ++j)
            meet(n, o, i, j, 1, [&](float& in_x, float& in_w) {
              dw.values[to_size(&in_w - w.values.data())] += dy.at(n, o, i, j) * in_x;
            });
  }

  void compute(float (*multiplied)(float), std::int64_t dilation) {
    std::vector<double> to_x(dx.values.size()), to_w(dw.values.size()), to_b(db.values.size());
    for (std::int64_t n = 0; n < dy.shape[0]; ++n)
      for (std::int64_t o = 0; o < 4; ++o)
        for (std::int64_t i = 0; i < dy.shape[2]; ++i)
          for (std::int64_t j = 0; j < dy.shape[3]; ++j) {
            to_b[to_size(o)] += dy.at(n, o, i, j);
            const double y = multiplied(dy.at(n, o, i, j));
            meet(n, o, i, j, dilation, [&](float& in_x, float& in_w) {
              to_x[to_size(&in_x - x.values.data())] += y * multiplied(in_w);
              to_w[to_size(&in_w - w.values.data())] += y * multiplied(in_x);
            });
          }
    dx.values.assign(to_x.begin(), to_x.end());
    dw.values.assign(to_w.begin(), to_w.end());
    db.values.assign(to_b.begin(), to_b.end());
  }

  /// The forward call's, with db for its bias.
  Array output() {
    Array y(dy.shape);
    for (std::int64_t n = 0; n < dy.shape[0]; ++n)
      for (std::int64_t o = 0; o < 4; ++o)
        for (std::int64_t i = 0; i < dy.shape[2]; ++i)
          for (std::int64_t j = 0; j < dy.shape[3]; ++j) {
            double sum = db.values[to_size(o)];
            meet(n, o, i, j, 1,
                 [&](float& in_x, float& in_w) { sum += static_cast<double>(in_x) * in_w; });
            y.at(n, o, i, j) = static_cast<float>(sum);
          }
    return y;
  }

 private:
  void meet(std::int64_t n, std::int64_t o, std::int64_t i, std::int64_t j, std::int64_t dilation,
            const std::function<void(float&, float&)>& visit) {
    for (std::int64_t c = 0; c < 3; ++c)
      for (std::int64_t a = 0; a < 3; ++a)
        for (std::int64_t b = 0; b < 3; ++b) {
          const std::int64_t row = 2 * i - 1 + a * dilation, column = 2 * j - 1 + b * dilation;
          const bool inside = row >= 0 && row < x.shape[2] && column >= 0 && column < x.shape[3];
          if (inside) visit(x.at(n, c, row, column), w.at(o, c, a, b));
        }
  }
};

class Judge : public CommandLine {
 protected:
  void write_all(const Tensors& tensors) const {
    fs::create_directories(folder_ / "t");
    write("t/grad_output.npy", npy(tensors.dy));
    write("t/Input.npy", npy(tensors.x));
    write("t/w.npy", npy(tensors.w));
    write("t/gradInput.npy", npy(tensors.dx));
    write("t/dw.npy", npy(tensors.dw));
    write("t/grad-bias.npy", npy(tensors.db));
    write("t/notes.txt", "not a tensor");
  }
  Ran judged(const std::string& options = "") const {
    return gradproof("judge t --stride 2 --padding 1 " + options);
  }
  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Ran ran = gradproof("judge " + arguments);
    EXPECT_EQ(ran.code, 2) << arguments << '\n' << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(words));
  }
};

TEST_F(Judge, RightTensorsAreRight) {
  write_all(Tensors());
  const Ran ran = judged();
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("gradInput FLOAT [2, 3, 9, 9]: 0 of 486 elements wrong"),
                                HasSubstr("gradBias FLOAT [4]: 0 of 4"), HasSubstr("\nagree: "),
                                Not(HasSubstr("explained"))));
}

TEST_F(Judge, AWrongElementIsShownWithItsPlaceAndTheOtherResultsAreStillJudged) {
  Tensors tensors;
  tensors.dx.at(1, 2, 8, 8) += 0.5F;
  tensors.db.values[3] += 1;
  write_all(tensors);
  const Ran ran = judged();
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("gradInput FLOAT [2, 3, 9, 9]: 1 of 486 elements wrong"),
                    HasSubstr("worst       [1, 2, 8, 8] computed "), HasSubstr("error 0.5, bound "),
                    HasSubstr("wrong at    N 1 of 2; C 2 of 3; H 8 of 9; W 8 of 9"),
                    HasSubstr("........#\n"), HasSubstr("gradWeight FLOAT [4, 3, 3, 3]: 0 of 108"),
                    HasSubstr("gradBias FLOAT [4]: 1 of 4"), HasSubstr("by none of the single"),
                    HasSubstr("\ndisagree: gradInput[1,2,8,8]")));
}

TEST_F(Judge, AnHf32DowngradeIsNamed) {
  Tensors tensors;
  tensors.compute(hf32, 1);
  write_all(tensors);
  const Ran ran = judged();
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(
      ran.output,
      AllOf(HasSubstr("gradInput equals the exact result with cubeMathType 3"),
            HasSubstr("gradWeight equals the exact result with inputs rounded to HF32 (11 bits)"),
            HasSubstr("all 486 elements")));
}

/// The bound of a sum of thousands of products is wider than what HF32 changes.
TEST_F(Judge, AnHf32DowngradeIsNamedWhereTheVerdictIsRight) {
  Tensors tensors(16, 63);
  tensors.compute(hf32, 1);
  write_all(tensors);
  const Ran ran =
      gradproof("judge dy=t/grad_output.npy t/Input.npy t/w.npy t/dw.npy --stride 2 --padding 1");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("0 of 108 elements wrong"), HasSubstr("explained"),
                                HasSubstr("rounded to HF32 (11 bits)")));
}

/// The share of the largest error in what is typical of its element: each result's.
std::vector<double> typical_shares(const std::string& output) {
  const std::string before = "typical     largest error ";
  std::vector<double> shares;
  for (auto at = output.find(before); at != std::string::npos; at = output.find(before, at + 1)) {
    shares.push_back(std::stod(output.substr(at + before.size())));
  }
  return shares;
}

/// What is typical stands with the verdict and leaves it as it is.
TEST_F(Judge, TheLargestErrorIsHeldAgainstWhatIsTypical) {
  write_all(Tensors(16, 63));
  const std::string weight =
      "judge dy=t/grad_output.npy t/Input.npy t/w.npy t/dw.npy --stride 2 --padding 1";
  const auto right = typical_shares(gradproof(weight).output);
  ASSERT_EQ(right.size(), 1U);
  EXPECT_LT(right[0], 0.5) << "sums in double, rounded once";
  Tensors downgraded(16, 63);
  downgraded.compute(hf32, 1);
  write_all(downgraded);
  const Ran ran = gradproof(weight);
  EXPECT_EQ(ran.code, 0) << ran.output;
  const auto shares = typical_shares(ran.output);
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_GT(shares[0], 10) << ran.output;
  EXPECT_EQ(nlohmann::json::parse(gradproof(weight + " --json").output)
                .at("outputs")
                .at("gradWeight")
                .at("typical")
                .at("elements"),
            108);
  EXPECT_EQ(typical_shares(gradproof(weight + " --machine adder=block").output).size(), 0U);
}

/// One that adds in FLOAT in sequence is of the size that is typical: not far below it, since the
/// largest of many errors is near what one in so many exceeds.
TEST_F(Judge, AFloatSumIsOfTheTypicalSize) {
  Tensors tensors(16, 63);
  tensors.add_in_float();
  write_all(tensors);
  const Ran ran =
      gradproof("judge dy=t/grad_output.npy t/Input.npy t/w.npy t/dw.npy --stride 2 --padding 1");
  const auto shares = typical_shares(ran.output);
  ASSERT_EQ(shares.size(), 1U) << ran.output;
  EXPECT_GT(shares[0], 0.08) << "108 elements: some 3 of 17 standard deviations at least";
  EXPECT_LT(shares[0], 1) << ran.output;
}

TEST_F(Judge, DilationForStrideIsNamed) {
  Tensors tensors;
  tensors.compute(unchanged, 2);
  write_all(tensors);
  const Ran ran = judged();
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(
      ran.output,
      HasSubstr(
          "gradInput equals the exact result with stride_* taken for dilation_* on every axis"));
}

/// Each gradient as two results and a step tell it: on the grid of their ulp, and off it by noise.
TEST_F(Judge, FiniteDifferencesAreNamedAndNoNoise) {
  for (const float step : {1e-6F, 1e-4F, 2e-5F}) {
    Tensors tensors;
    for (float& value : tensors.dx.values) {
      const float objective = 0.75F + step * value;
      value = (objective - (0.75F - step * value)) / (2 * step);
    }
    for (float& value : tensors.dw.values) value *= 1 + step;
    write_all(tensors);
    const Ran ran = judged();
    EXPECT_EQ(ran.code, 1) << ran.output;
    const auto input = ran.output.find("finite differences");
    ASSERT_NE(input, std::string::npos) << step << '\n' << ran.output;
    EXPECT_EQ(ran.output.find("finite differences", input + 1), std::string::npos) << ran.output;
  }
}

TEST_F(Judge, TheObjectForProgramsHasAllOfIt) {
  Tensors tensors;
  tensors.dw.at(0, 0, 0, 0) = std::nanf("");
  write_all(tensors);
  const auto json = nlohmann::json::parse(judged("--json").output);
  EXPECT_EQ(json.at("outcome"), "disagree");
  const auto& weight = json.at("outputs").at("gradWeight");
  EXPECT_EQ(weight.at("wrong_elements"), 1);
  EXPECT_EQ(weight.at("worst_elements")[0].at("at"), (nlohmann::json{0, 0, 0, 0}));
  EXPECT_EQ(weight.at("picture").at("map").at("wrong"), 1);
  EXPECT_EQ(json.at("outputs").at("gradInput").at("wrong_elements"), 0);
  EXPECT_TRUE(json.at("outputs").at("gradInput").at("picture").is_null());
}

TEST_F(Judge, BareElementsAreReadWithTheirTypeAndShape) {
  const Tensors tensors;
  const auto bytes = [](const Array& array) {
    return std::string(reinterpret_cast<const char*>(array.values.data()), array.values.size() * 4);
  };
  write("dy.bin", bytes(tensors.dy));
  write("x.bin", bytes(tensors.x));
  write("w.bin", bytes(tensors.w));
  write("out.raw", bytes(tensors.dw));
  const std::string files = "dy.bin x.bin w.bin dw=out.raw ";
  const std::string shapes = "--input 2,3,9,9 --weight 4,3,3,3 --stride 2 --padding 1 ";
  EXPECT_EQ(gradproof("judge " + files + shapes + "--dtype fp32").code, 0);
  EXPECT_EQ(gradproof("judge dy.bin:fp32 x.bin:fp32 w.bin:fp32 dw=out.raw:fp32 " + shapes).code, 0);
  expect_refused(files + shapes, "dy.bin: is no .npy file; of bare elements say the type");
  expect_refused(files + "--dtype fp32 --weight 4,3,3,3",
                 "x.bin: input has no shape of its own; say it by --input");
  expect_refused(files + shapes + "--dtype bf16", "gradOutput: expected 400 bytes for BF16");
}

TEST_F(Judge, AnOutputWithoutGradientsIsAForwardCalls) {
  Tensors tensors;
  Array y = tensors.output();
  fs::create_directories(folder_ / "f");
  write("f/x.npy", npy(tensors.x));
  write("f/w.npy", npy(tensors.w));
  write("f/bias.npy", npy(tensors.db));
  write("f/y.npy", npy(y));
  const std::string call = " --stride 2 --padding 1 ";
  const Ran right = gradproof("judge f" + call);
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_THAT(right.output, HasSubstr("output FLOAT [2, 4, 5, 5]: 0 of 200 elements wrong"));
  EXPECT_EQ(gradproof("judge f/x.npy f/w.npy f/y.npy" + call).code, 1) << "the bias is missing";
  y.at(1, 3, 4, 2) += 0.5F;
  write("f/y.npy", npy(y));
  const Ran wrong = gradproof("judge f" + call);
  EXPECT_EQ(wrong.code, 1) << wrong.output;
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("output FLOAT [2, 4, 5, 5]: 1 of 200 elements wrong"),
                                  HasSubstr("\ndisagree: output[1,3,4,2]")));
  expect_refused("f --stride 1 --padding 1",
                 "output has shape [2, 4, 5, 5]; the other tensors and the attributes lead to "
                 "[2, 4, 9, 9]");
  expect_refused("f/x.npy f/y.npy" + call, "weight is missing");
  expect_refused("f/x.npy f/w.npy f/y.npy dw=f/w.npy" + call, "gradOutput is missing");
  expect_refused("f/x.npy f/w.npy f/bias.npy dw=f/w.npy" + call,
                 "f/bias.npy: a forward call's, whose output is missing");
}

TEST_F(Judge, AnOutputBesideGradientsIsLeftAloneUnlessItsBiasIsKnown) {
  Tensors tensors;
  write_all(tensors);
  write("t/output.npy", npy(tensors.dy));
  const Ran alone = judged();
  EXPECT_EQ(alone.code, 0) << alone.output;
  EXPECT_THAT(alone.output, HasSubstr("note: t/output.npy is not judged: a bias of its call may be "
                                      "elsewhere; say output=t/output.npy if it had none"));
  const Ran named = gradproof("judge t output=t/output.npy --stride 2 --padding 1");
  EXPECT_EQ(named.code, 1) << named.output;
  EXPECT_THAT(named.output,
              AllOf(HasSubstr("gradInput FLOAT [2, 3, 9, 9]: 0 of 486 elements wrong"),
                    HasSubstr("\ndisagree: output["), Not(HasSubstr("the inner product"))));
}

/// One sentence says what every element alone says too, of sums that round nothing.
TEST_F(Judge, ALayersTwoDirectionsAreHeldToEachOther) {
  Tensors tensors;
  tensors.make_whole();
  write_all(tensors);
  write("t/bias.npy", npy(tensors.db));
  Array y = tensors.output();
  write("t/output.npy", npy(y));
  const Ran right = judged();
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_THAT(right.output,
              AllOf(HasSubstr("output FLOAT [2, 4, 5, 5]: 0 of 200 elements wrong"),
                    HasSubstr("note: the inner products of output without its bias and gradOutput, "
                              "gradInput and input, gradWeight and weight are "),
                    HasSubstr("\nagree: ")));
  const auto at = std::ranges::find_if(tensors.dy.values, [](float value) { return value != 0; });
  y.values[to_size(at - tensors.dy.values.begin())] += 1;
  write("t/output.npy", npy(y));
  const Ran wrong = judged();
  EXPECT_EQ(wrong.code, 1) << wrong.output;
  EXPECT_THAT(wrong.output, AllOf(HasSubstr("note: output and gradInput contradict each other: the "
                                            "inner product of output without its bias and "
                                            "gradOutput is "),
                                  HasSubstr("\ndisagree: output[")));
  const auto json = nlohmann::json::parse(judged("--json").output);
  EXPECT_EQ(json.at("outcome"), "disagree");
  EXPECT_EQ(json.at("outputs").at("gradInput").at("wrong_elements"), 0);
  EXPECT_EQ(json.at("forward").at("outputs").at("gradInput").at("wrong_elements"), 1);
  write("t/output.npy", npy(tensors.output()));
  tensors.dw.values[0] += 1;
  write("t/dw.npy", npy(tensors.dw));
  EXPECT_THAT(judged().output, AllOf(HasSubstr("note: output and gradWeight contradict each other"),
                                     HasSubstr("\ndisagree: gradWeight[0,0,0,0]")));
}

TEST_F(Judge, AFileOfAlgorithmsSaysHowTheLibraryComputes) {
  write_all(Tensors());
  const std::string begin =
      R"({"schema":"gradproof-machine-1","library":"mine","soc":"Ascend950","threads":0,"call":null,)";
  write("tiles.json", begin + R"("gradients":[],"algorithms":[{"gradient":"gradWeight",)" +
                          R"("algorithm":"winograd_f3x3_2x2"}]})");
  EXPECT_EQ(judged("--machine tiles.json").code, 0) << judged("--machine tiles.json").output;
  write("tiles.json", begin + R"("gradients":[],"algorithms":[{"gradient":"gradWeight",)" +
                          R"("algorithm":"winograd_f5x5_2x2"}]})");
  expect_refused("t --machine tiles.json", "winograd_f5x5_2x2");
}

TEST_F(Judge, WhatDoesNotFitIsNamed) {
  write_all(Tensors());
  expect_refused("t",
                 "gradOutput has shape [2, 4, 5, 5]; the other tensors and the attributes lead to "
                 "[2, 4, 7, 7]");
  expect_refused("t --stride 2 --padding 1 --input 2,3,8,8",
                 "--input: \"2,3,8,8\", but t/Input.npy has shape 2,3,9,9");
  expect_refused("t --stride 2 --padding 1 --mask 1,1,1", "--mask: the files say it");
  expect_refused("t/w.npy t/Input.npy", "gradOutput is missing");
  expect_refused("t/w.npy t/Input.npy t/grad_output.npy --stride 2 --padding 1",
                 "there is no result to judge");
  expect_refused("t/notes.txt", "t/notes.txt: its name does not say which tensor it is");
  expect_refused("dz=t/w.npy", "\"dz\" is no tensor");
  expect_refused("none.npy", "none.npy: its name does not say");
  expect_refused("x=none.npy t/w.npy t/grad_output.npy", "none.npy: can't be opened");
  write("t/x.npy", "");
  expect_refused("t --stride 2", "t/Input.npy and t/x.npy are both input");
  fs::create_directories(folder_ / "empty");
  write("empty/readme", "");
  expect_refused("empty", "empty: no file in it is called as a tensor is");
}

TEST_F(Judge, AFileThatLiesIsNamed) {
  const Tensors tensors;
  write_all(tensors);
  const auto refused = [&](const std::string& content, const std::string& words) {
    write("t/dw.npy", content);
    expect_refused("t --stride 2 --padding 1", words);
  };
  refused(npy(tensors.dw, "<f4", "True"),
          "t/dw.npy: is in Fortran order; save numpy.ascontiguousarray");
  refused(npy(tensors.dw, ">f4"), "t/dw.npy: its elements (>f4) are big endian");
  refused(npy(tensors.dw, "<f8"),
          "t/dw.npy: its header says 108 elements of DOUBLE ([4, 3, 3, 3]), and 432 bytes follow; "
          "it is truncated");
  refused(npy(tensors.dw).substr(0, 300), "it is truncated");
  Array huge({1});
  huge.shape = {1 << 20, 1 << 20};
  refused(npy(huge), "its header says 1099511627776 elements");
  refused(npy(tensors.db),
          "gradWeight has shape [4]; the other tensors and the attributes lead to [4, 3, 3, 3]");
}

TEST_F(Judge, ACallThatTheProductRefusesIsJudgedAndTheNoteSaysSo) {
  write_all(Tensors());
  const Ran ran = judged("--soc Ascend910B --cube-math-type 2");
  EXPECT_NE(ran.code, 2) << ran.output;
  const Ran other = judged("--soc 910B,950");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.output, HasSubstr("--soc: one product"));
}

}  // namespace
}  // namespace gradproof::tests
