#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

/// How findings are printed.
struct FindingsLook {
  bool has_colors = false;
  bool is_kept = true;  ///< their files are there for a replay
  std::string page;     ///< where more is to be seen; empty: nowhere
};

/// What is wrong, for a terminal or a job's log, the first `most` findings: of each the sentence,
/// the smallest call and its data in a line, the first diagnosis and the command that shows it
/// again; then what else is known. Empty where nothing is wrong.
std::string findings_text(const std::vector<findings::ReportFinding>& findings,
                          const FindingsLook& look);

}  // namespace gradproof::cli
