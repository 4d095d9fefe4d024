#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/case.h"

namespace gradproof::tests {

/// The results lines of one suite's cases by id: of status-only runs under the rules of the
/// documents and of the released library, and of a run that computes.
struct VendorRuns {
  std::map<std::string, nlohmann::json> documented, released, computed;
};

struct VendorSuite {
  std::string name, file;  ///< in corpus/cases/published
  std::vector<corpus::Case> cases;
  VendorRuns runs;
};

/// docs/vendor-cases.md. `most_macs`: cases with more multiply-accumulates were not computed.
std::string vendor_page(const std::vector<VendorSuite>& suites, const std::string& most_macs);

}  // namespace gradproof::tests
