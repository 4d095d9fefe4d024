#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "properties/cli/grammar/configuration.h"
#include "properties/cli/run_command.h"
#include "properties/findings/certificate/certificate_writer.h"
#include "properties/findings/provenance/provenance.h"
#include "properties/findings/report/report.h"
#include "properties/runs/campaign/campaign.h"

namespace gradproof::cli {

/// The report on the standard output, and the findings of this run with their replay commands.
void print_report(const findings::Report& report, const runs::CampaignResult& result,
                  const Configuration& configuration);

/// Errors: a file that could not be written.
std::optional<std::string> write_reports(const std::filesystem::path& folder,
                                         const findings::Report& report);

/// The certificate that `--write certificate=` asks for, begun; nullopt: none was asked for.
/// Errors: why there can be none.
tl::expected<std::optional<findings::CertificateWriter>, std::string> open_certificate(
    const Run& run, const Configuration& configuration, const findings::Provenance& provenance);

}  // namespace gradproof::cli
