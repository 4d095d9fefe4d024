#include "properties/cli/input/configuration_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "properties/cli/input/configuration_input.h"
#include "properties/cli/told.h"
#include "properties/runs/probes/algorithm_probe.h"
#include "properties/targets/target/target.h"

namespace gradproof::cli {
namespace {

bool is_asked(const Configuration& configuration, const targets::Library& library) {
  if (configuration.libraries.empty() && !configuration.pipe) return false;
  const auto& dtypes = configuration.selection.dtypes;
  const auto& ranks = configuration.selection.ranks;
  const bool has_float =
      dtypes.empty() || std::ranges::find(dtypes, corpus::DataType::Float) != dtypes.end();
  const bool has_maps = ranks.empty() || std::ranges::find(ranks, 4) != ranks.end();
  const bool has_call =
      std::ranges::find(library.apis(), corpus::Api::ConvolutionBackward) != library.apis().end();
  return has_float && has_maps && has_call && !configuration.status_only;
}

}  // namespace

std::optional<std::string> learn_algorithms(Configuration& configuration,
                                            const targets::Library& library) {
  if (!is_asked(configuration, library)) return std::nullopt;
  const auto device = std::ranges::find_if(
      library.devices(), [](const targets::Device& each) { return each.product.has_value(); });
  if (device == library.devices().end()) return std::nullopt;
  const auto target = library.new_target();
  const bool is_fast = !configuration.pipe;  // a program may be a script
  const auto found = runs::find_algorithms(
      [&](const corpus::Case& call) { return target->run_case(call); },
      judge_settings(configuration), std::string(corpus::name_of(*device->product)), is_fast);
  for (const std::string& remark : found.remarks) tell("note: " + remark);
  if (!found.contradictions.empty()) {
    return fmt::format("--machine: {}; correct its \"algorithms\"",
                       fmt::join(found.contradictions, "; "));
  }
  configuration.found_algorithms = found.algorithms;
  configuration.algorithm_remarks = found.remarks;
  return std::nullopt;
}

}  // namespace gradproof::cli
