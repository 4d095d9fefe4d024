#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "properties/findings/provenance/provenance.h"

namespace gradproof::findings {

nlohmann::ordered_json provenance_json(const Provenance& provenance);

/// Errors: the member that is missing or of another type.
tl::expected<Provenance, std::string> parse_provenance(const std::string& line);

}  // namespace gradproof::findings
