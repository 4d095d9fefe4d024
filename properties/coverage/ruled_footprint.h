#pragma once

#include <span>

#include "oracle/rules/status_rules.h"
#include "properties/coverage/footprint.h"

namespace gradproof::properties {

/// As `footprint_of(problem)`, where `oracle::rule_standings` of the case are known already.
Footprint footprint_of(const corpus::Case& problem, std::span<const oracle::Standing> standings);

}  // namespace gradproof::properties
