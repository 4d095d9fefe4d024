#include "properties/runs/prove/proof_calls.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "corpus/json/json_text.h"

namespace gradproof::runs {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ScopeRanges& ranges) {
  return {{"name", ranges.name},
          {"axes", ranges.axes},
          {"transposed", ranges.transposed},
          {"extents", ranges.extents},
          {"kernels", ranges.kernels},
          {"strides", ranges.strides},
          {"paddings", ranges.paddings},
          {"dilations", ranges.dilations},
          {"batch", ranges.batch},
          {"channels", ranges.channels},
          {"groups", ranges.groups},
          {"masks", ranges.all_masks ? "all" : "full"}};
}

/// [transposed, [batch, groups, channels of input, of gradOutput], axes, mask].
Json json_of(const CallSizes& call) {
  Json axes = Json::array();
  for (const AxisSizes& axis : call.axes) {
    axes.push_back({axis.input, axis.kernel, axis.stride, axis.padding, axis.dilation,
                    axis.output_padding, axis.output, axis.padding + axis.more_at_end});
  }
  const ChannelSizes& channels = call.channels;
  return Json::array({call.transposed,
                      {channels.batch, channels.groups, channels.input, channels.output},
                      std::move(axes),
                      call.mask});
}

Json json_of(const Scope& scope) {
  if (scope.ranges()) return json_of(*scope.ranges());
  Json calls = Json::array();
  for (std::uint64_t number = 0; number < scope.size(); ++number) {
    calls.push_back(json_of(scope.call(number)));
  }
  return {{"name", scope.name()}, {"calls", std::move(calls)}};
}

Json json_of(const ProofMode& mode) {
  return {{"soc", corpus::name_of(mode.product)},
          {"dtype", corpus::name_of(mode.dtype)},
          {"cubeMathType", mode.cube_math_type}};
}

}  // namespace

std::string proof_head(const ProofCalls& calls, const Shard& shard) {
  Json modes = Json::array();
  for (const ProofMode& mode : calls.modes()) modes.push_back(json_of(mode));
  const Json json{{"scope", json_of(calls.scope())},
                  {"modes", std::move(modes)},
                  {"shard", {shard.index, shard.count}}};
  return fmt::format("\"proof\":{}", corpus::json_text(json));
}

}  // namespace gradproof::runs
