#pragma once

#include <nlohmann/json.hpp>

#include <optional>

#include "properties/findings/picture/picture.h"

namespace gradproof::findings {

/// Converts a picture to JSON as findings' files and report.json hold it (docs/report.schema.json).
nlohmann::ordered_json picture_json(const Picture& picture);

/// Converts JSON to a picture; nullopt: it is none of picture_json(), or contradicts itself.
std::optional<Picture> picture_from_json(const nlohmann::ordered_json& json);

}  // namespace gradproof::findings
