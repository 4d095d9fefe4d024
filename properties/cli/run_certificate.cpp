#include "properties/cli/run_certificate.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "properties/cli/input/configuration_input.h"
#include "properties/findings/certificate/certificate_line.h"

namespace gradproof::cli {

tl::expected<std::optional<findings::CertificateWriter>, std::string> open_certificate(
    const Run& run, const Configuration& configuration, const findings::Provenance& provenance) {
  if (configuration.certificate.empty()) return std::nullopt;
  if (run.continued != nullptr) {
    return tl::unexpected(fmt::format(
        "--write: certificate: the run in {} was interrupted and would be resumed, but a "
        "certificate holds a whole run; --seed or another --out begins a new one",
        configuration.folder.string()));
  }
  if (configuration.machine) {
    return tl::unexpected(
        std::string("--write: certificate: its lines state the bound of every order, which "
                    "--machine replaces; give "
                    "one of the two"));
  }
  std::string head =
      findings::certificate_head(provenance, run.command, judge_settings(configuration).adder);
  if (!run.certificate_head.empty()) head += "," + run.certificate_head;
  auto opened = findings::CertificateWriter::open(configuration.certificate, head);
  if (!opened) return tl::unexpected("--write: certificate: " + opened.error());
  return std::move(*opened);
}

}  // namespace gradproof::cli
