// GetTiling of Conv3DBpInputTiling: the published cases.

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "tests/kernel/ascendc/tiling_request.h"
#include "tests/support/published_cases.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

using nlohmann::json;

Five five(const json& values) { return values.get<Five>(); }

ConvDtype dtype_named(const std::string& name) {
  if (name == "FLOAT16") return ConvDtype::FLOAT16;
  if (name == "BF16") return ConvDtype::BF16;
  EXPECT_EQ(name, "FLOAT");
  return ConvDtype::FLOAT32;
}

void tell(Conv3DBpInputTiling& tiling, const json& published) {
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D,
                       dtype_named(published["weight"]["dtype"]));
  const auto w = five(published["weight"]["shape"]);
  tiling.SetWeightShape(w[0], w[1], w[2], w[3], w[4]);
  const auto dy = five(published["gradOutput"]["shape"]);
  tiling.SetGradOutputShape(dy[0], dy[1], dy[2], dy[3], dy[4]);
  if (!published["inputSize"].is_null()) {
    const auto x = five(published["inputSize"]);
    tiling.SetInputShape(x[0], x[1], x[2], x[3], x[4]);
  }
  const auto p = published["pads"].get<Six>();
  tiling.SetPadding(p[0], p[1], p[2], p[3], p[4], p[5]);
  const auto s = five(published["strides"]);
  tiling.SetStride(s[2], s[3], s[4]);
  const auto d = five(published["dilations"]);
  tiling.SetDilation(d[2], d[3], d[4]);
  if (!published.contains("outputPadding")) return;
  const auto o = published["outputPadding"].get<std::array<std::int64_t, 3>>();
  tiling.SetOutputPadding(o[0], o[1], o[2]);
}

TEST(GetTiling, AnswersThePublishedCasesWithTheirStatus) {
  std::ifstream lines(tests::published_file("tiling.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const json published = json::parse(line);
    if (published["api"] != "Conv3DBpInputTiling") continue;
    SCOPED_TRACE(published["id"].get<std::string>());
    Conv3DBpInputTiling tiling;
    tell(tiling, published);
    Data data;
    EXPECT_EQ(tiling.GetTiling(data), published["expect"]["status"].get<std::int64_t>())
        << reason();
    ++count;
  }
  EXPECT_EQ(count, 10);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc::tiling
