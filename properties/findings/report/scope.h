#pragma once

#include <string>

#include "properties/findings/report/report.h"

namespace gradproof::findings {

/// The verdict of a whole run, with what it is about: how many runs were judged, of how many calls,
/// and over which products, types, rules and gradients. It claims no more than was compared.
std::string scope_sentence(const Report& report);

/// Summarises the report in a few words: "2 943 cases judged, none disagrees".
std::string headline(const Report& report);

/// Where the results come from, as names and values: program, command, host, target with hashes,
/// times. One for each run.
struct OriginLine {
  std::string name, value;
};
std::vector<OriginLine> origin_lines(const Provenance& run);

}  // namespace gradproof::findings
