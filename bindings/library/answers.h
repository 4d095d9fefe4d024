#pragma once

#include <string>

#include "bindings/library/options.h"
#include "corpus/verdict.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/campaign/campaign.h"

namespace gradproof::library {

/// The texts that gradproof/gradproof.h promises: one JSON object each.
std::string verdict_json(const corpus::Verdict& verdict);
/// `file`: where it is kept.
std::string finding_json(const findings::Finding& finding, const std::string& file);
std::string summary_json(const runs::CampaignResult& result, const Options& options);

}  // namespace gradproof::library
