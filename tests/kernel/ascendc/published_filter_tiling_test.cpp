// Conv3dBpFilterTiling asked about the published problems.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tests/support/published_cases.h"

namespace gradproof::kernel::ascendc {
namespace {

using AscendC::tiling::Conv3DBackpropFilterTilingData;
using ConvBackpropApi::Conv3dBpFilterTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using nlohmann::json;

template <std::size_t count>
std::array<std::int64_t, count> values(const json& list) {
  EXPECT_EQ(list.size(), count);
  return list.get<std::array<std::int64_t, count>>();
}

void set_weight(Conv3dBpFilterTiling& tiling, const json& list) {
  const auto [cout, cin, d, h, w] = values<5>(list);
  tiling.SetWeightShape(cout, cin, d, h, w);
}

void set_input(Conv3dBpFilterTiling& tiling, const json& list) {
  const auto [n, c, d, h, w] = values<5>(list);
  tiling.SetInputShape(n, c, d, h, w);
}

void set_grad_output(Conv3dBpFilterTiling& tiling, const json& list) {
  const auto [n, c, d, h, w] = values<5>(list);
  tiling.SetGradOutputShape(n, c, d, h, w);
}

void set_padding(Conv3dBpFilterTiling& tiling, const json& list) {
  const auto [front, back, up, down, left, right] = values<6>(list);
  tiling.SetPadding(front, back, up, down, left, right);
}

TEST(FilterTiling, AnswersThePublishedCasesWithTheirStatus) {
  std::ifstream lines(tests::published_file("tiling.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const json published = json::parse(line);
    if (published["api"] != "Conv3dBpFilterTiling") continue;
    SCOPED_TRACE(published["id"].get<std::string>());
    Conv3dBpFilterTiling tiling;
    set_weight(tiling, published["filterSize"]);
    set_input(tiling, published["input"]["shape"]);
    set_grad_output(tiling, published["gradOutput"]["shape"]);
    set_padding(tiling, published["pads"]);
    const auto s = values<5>(published["strides"]), d = values<5>(published["dilations"]);
    tiling.SetStride(s[2], s[3], s[4]);
    tiling.SetDilation(d[2], d[3], d[4]);
    Conv3DBackpropFilterTilingData data;
    EXPECT_EQ(tiling.GetTiling(data), published["expect"]["status"].get<std::int64_t>())
        << aclGetRecentErrMsg();
    ++count;
  }
  EXPECT_EQ(count, 9);
}

ConvBackpropApi::PlatformInfo platform_of(const json& sizes) {
  ConvBackpropApi::PlatformInfo platform;
  platform.socVersion = platform_ascendc::SocVersion::ASCEND910B;
  platform.l1Size = sizes["l1"];
  platform.l0ASize = sizes["l0a"];
  platform.l0BSize = sizes["l0b"];
  platform.l0CSize = sizes["l0c"];
  return platform;
}

/// The class as the vector's program told it: sizes that several setters name are the last one's.
Conv3dBpFilterTiling told(const json& vector) {
  Conv3dBpFilterTiling tiling(platform_of(vector["platform"]));
  const auto dtype = vector["dtype"] == "FLOAT" ? ConvDtype::FLOAT32 : ConvDtype::FLOAT16;
  tiling.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, dtype);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, dtype);
  const std::map<std::string, std::function<void(Conv3dBpFilterTiling&, const json&)>> setters = {
      {"weight", set_weight}, {"input", set_input}, {"gradOutput", set_grad_output}};
  for (const std::string setter : vector["setters"]) setters.at(setter)(tiling, vector[setter]);
  set_padding(tiling, vector["pads"]);
  const auto s = values<3>(vector["stride"]), d = values<3>(vector["dilation"]);
  tiling.SetStride(s[0], s[1], s[2]);
  tiling.SetDilation(d[0], d[1], d[2]);
  return tiling;
}

using Fields = std::map<std::string, std::uint64_t>;

/// The fields that repeat what the class was told, by name.
Fields fields_told(const AscendC::tiling::TConv3DBpFilterTiling& t) {
  return {{"batch", t.batch},
          {"cin", t.cin},
          {"cout", t.cout},
          {"cin1G", t.cin1G},
          {"cout1G", t.cout1G},
          {"dout", t.dout},
          {"ho", t.ho},
          {"wo", t.wo},
          {"di", t.di},
          {"hi", t.hi},
          {"wi", t.wi},
          {"dk", t.dk},
          {"hk", t.hk},
          {"wk", t.wk},
          {"group", t.group},
          {"strideD", t.strideD},
          {"strideH", t.strideH},
          {"strideW", t.strideW},
          {"padFront", t.padFront},
          {"padBack", t.padBack},
          {"padUp", t.padUp},
          {"padDown", t.padDown},
          {"padLeft", t.padLeft},
          {"padRight", t.padRight},
          {"dilationD", t.dilationD},
          {"dilationH", t.dilationH},
          {"dilationW", t.dilationW},
          {"channelSize", t.channelSize}};
}

/// How it cuts.
Fields fields_found(const Conv3DBackpropFilterTilingData& data) {
  const auto& t = data.dwTiling;
  const auto& core = data.basicBlockTiling;
  return {{"al0Pbuffer", t.al0Pbuffer},
          {"bl0Pbuffer", t.bl0Pbuffer},
          {"cl0Pbuffer", t.cl0Pbuffer},
          {"al1Pbuffer", t.al1Pbuffer},
          {"bl1Pbuffer", t.bl1Pbuffer},
          {"baseM", t.baseM},
          {"baseK", t.baseK},
          {"baseN", t.baseN},
          {"m0", t.m0},
          {"k0", t.k0},
          {"n0", t.n0},
          {"stepM", t.stepM},
          {"stepN", t.stepN},
          {"stepKa", t.stepKa},
          {"stepKb", t.stepKb},
          {"iterateOrder", t.iterateOrder},
          {"bl1Bound", t.bl1Bound},
          {"hf32Flag", t.hf32Flag},
          {"singleCoreDk", t.singleCoreDk},
          {"singleCoreGroup", t.singleCoreGroup},
          {"singleCoreCout", t.singleCoreCout},
          {"singleCoreHo", t.singleCoreHo},
          {"singleCoreBatch", t.singleCoreBatch},
          {"singleCoreCin", t.singleCoreCin},
          {"totalL1Size", data.params.totalL1Size},
          {"singleCoreM", core.singleCoreM},
          {"singleCoreN", core.singleCoreN},
          {"singleCoreK", core.singleCoreK}};
}

TEST(FilterTiling, FillsEveryFieldAsThePublishedVectorsSay) {
  std::ifstream text(tests::published_file("filter_tiling.json"));
  const json vectors = json::parse(text);
  EXPECT_EQ(vectors.size(), 49U);
  for (const json& vector : vectors) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    Conv3DBackpropFilterTilingData data;
    const auto status = told(vector).GetTiling(data);
    EXPECT_EQ(status, vector["expect"]["status"].get<std::int64_t>()) << aclGetRecentErrMsg();
    if (status != 0) continue;
    Fields fields = fields_told(data.dwTiling);
    fields.merge(fields_found(data));
    EXPECT_EQ(fields, vector["expect"]["fields"].get<Fields>());
  }
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
