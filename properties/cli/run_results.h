#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "properties/cli/grammar/configuration.h"
#include "properties/findings/report/report.h"
#include "properties/runs/campaign/campaign.h"

namespace gradproof::cli {

/// The report on the standard output, and the findings of this run with their replay commands.
void print_report(const findings::Report& report, const runs::CampaignResult& result,
                  const Configuration& configuration);

/// Errors: a file that could not be written.
std::optional<std::string> write_reports(const std::filesystem::path& folder,
                                         const findings::Report& report);

}  // namespace gradproof::cli
