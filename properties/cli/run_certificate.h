#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "properties/cli/run_command.h"
#include "properties/findings/certificate/certificate_writer.h"
#include "properties/findings/provenance/provenance.h"

namespace gradproof::cli {

/// The certificate that `--write certificate=` asks for, begun; nullopt: none was asked for.
/// Errors: why there can be none.
tl::expected<std::optional<findings::CertificateWriter>, std::string> open_certificate(
    const Run& run, const Configuration& configuration, const findings::Provenance& provenance);

}  // namespace gradproof::cli
