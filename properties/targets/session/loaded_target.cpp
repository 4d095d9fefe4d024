#include "properties/targets/session/loaded_target.h"

#include "properties/targets/session/run_case.h"
#include "properties/targets/session/run_on_streams.h"

namespace gradproof::targets {

using corpus::Case;
using corpus::Observation;

Observation LoadedTarget::run_one(const Case& test_case, const RunSettings& settings) {
  return targets::run_case(streams_, test_case, settings);
}

std::vector<Observation> LoadedTarget::run_several(std::span<const Case> cases,
                                                   const RunSettings& settings) {
  std::vector<Observation> seen;
  seen.reserve(cases.size());
  for (const Case& test_case : cases) seen.push_back(run_one(test_case, settings));
  return seen;
}

std::vector<Observation> LoadedTarget::run_together(std::span<const Case> cases,
                                                    const RunSettings& settings) {
  return targets::run_on_streams(streams_, cases, settings);
}

}  // namespace gradproof::targets
